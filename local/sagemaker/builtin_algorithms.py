"""AWS's own training algorithms, of which some write no checkpoints.

The managed-spot page names those that do: Image Classification, Object Detection, Semantic Segmentation and XGBoost
from 0.90-1 on. For the others, and for Marketplace algorithms without checkpoints, it limits MaxWaitTimeInSeconds.
"""

import re
from collections.abc import Mapping
from typing import Any

LONGEST_WAIT = 3600
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
        "xgboost",  # the repository of versions before 0.90-1; later ones are in sagemaker-xgboost
    }
)
IMAGE = re.compile(r"\d{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?/(?P<repository>[^:@]+)")


def lacks_checkpoints(request: Mapping[str, Any]) -> bool:
    """Whether the algorithm is known by its repository to write none, or is a Marketplace one without a place for them.

    The second half is inferred: what a Marketplace algorithm does is not visible in the request.
    """
    algorithm = request.get("AlgorithmSpecification", {})
    if algorithm.get("AlgorithmName"):
        return not request.get("CheckpointConfig")
    image = IMAGE.match(algorithm.get("TrainingImage", ""))
    return image is not None and image["repository"] in WITHOUT_CHECKPOINTS
