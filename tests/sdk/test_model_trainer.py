"""SageMaker SDK v3: `ModelTrainer(**job.model_trainer())` sends the request that `job.request()` describes."""

from typing import Any

import pytest

from tests.sdk.same_request import assert_sent
from trainops_notebook import JobDefaults

train = pytest.importorskip("sagemaker.train", reason="needs the SageMaker SDK v3: make sdks", exc_type=ImportError)


def test_the_model_trainer_sends_what_defaults_says(sagemaker: Any, job: JobDefaults) -> None:
    helper = pytest.importorskip("sagemaker.core.helper.session_helper")
    session = helper.Session(boto_session=sagemaker.session)
    trainer = train.ModelTrainer(training_image="image", sagemaker_session=session, **job.model_trainer())
    trainer.train(wait=False)
    assert_sent(sagemaker.sent, job)
