"""AWS's own training algorithms that write no checkpoints, known by the repository of their image.

The managed spot page names those that do: Image Classification, Object Detection, Semantic Segmentation and XGBoost
from 0.90-1 on (in `sagemaker-xgboost`; `xgboost` holds the versions before).
"""

import re

WITHOUT_CHECKPOINTS = frozenset(
    {
        "blazingtext",
        "factorization-machines",
        "forecasting-deepar",
        "ipinsights",
        "kmeans",
        "knn",
        "lda",
        "linear-learner",
        "ntm",
        "object2vec",
        "pca",
        "randomcutforest",
        "seq2seq",
        "xgboost",
    }
)
IMAGE = re.compile(r"\d{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?/([^:@]+)")


def without_checkpoints(image: str) -> str | None:
    """The algorithm's repository when it is one that writes no checkpoints, else None."""
    found = IMAGE.match(image)
    return found[1] if found and found[1] in WITHOUT_CHECKPOINTS else None
