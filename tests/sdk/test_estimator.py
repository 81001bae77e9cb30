"""SageMaker SDK v2: `Estimator(**job.estimator())` sends the request that `job.request()` describes."""

from typing import Any

import pytest

from tests.sdk.same_request import assert_sent
from trainops_notebook import JobDefaults

estimators = pytest.importorskip(
    "sagemaker.estimator", reason="needs the SageMaker SDK v2: make sdks", exc_type=ImportError
)


def test_the_estimator_sends_what_defaults_says(sagemaker: Any, job: JobDefaults) -> None:
    session = pytest.importorskip("sagemaker").Session(boto_session=sagemaker.session)
    estimators.Estimator("image", sagemaker_session=session, **job.estimator()).fit(wait=False, job_name="job-1")
    assert_sent(sagemaker.sent, job)
