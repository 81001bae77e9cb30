"""SageMaker SDK v2 as its users write it: fit with logs on demand and on spot, a warm pool kept, reused and let go.

Arguments: the execution role's name. The bucket is the SDK's default one, which it makes itself.
"""

import io
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from sagemaker import Session
from sagemaker.estimator import Estimator

PROGRAM = Path(__file__).with_name("training_program")
STEPS = 5
session = Session()


def fit(name: str, **more: Any) -> tuple[dict[str, Any], str]:
    """Train until the end; the job's description and what the SDK printed."""
    estimator = Estimator(
        image_uri="local/python:3",
        entry_point="train.py",
        source_dir=str(PROGRAM),
        role=sys.argv[1],
        instance_count=1,
        instance_type="ml.m5.large",
        hyperparameters={"steps": STEPS},
        sagemaker_session=session,
        **more,
    )
    printed = io.StringIO()
    with redirect_stdout(printed):
        estimator.fit(job_name=name, wait=True, logs="All")
    description = session.sagemaker_client.describe_training_job(TrainingJobName=name)
    assert description["TrainingJobStatus"] == "Completed", description
    assert f"step {STEPS} of {STEPS}" in printed.getvalue(), printed.getvalue()
    assert f"Training seconds: {description['TrainingTimeInSeconds']}\n" in printed.getvalue(), printed.getvalue()
    return description, printed.getvalue()


def pool(name: str) -> str | None:
    """WarmPoolStatus of a job."""
    status = session.sagemaker_client.describe_training_job(TrainingJobName=name).get("WarmPoolStatus", {})
    return str(status["Status"]) if status else None


fit("sdk-v2-on-demand")

spot, text = fit("sdk-v2-spot", use_spot_instances=True, max_run=3600, max_wait=7200)
saved = (1 - spot["BillableTimeInSeconds"] / spot["TrainingTimeInSeconds"]) * 100
assert f"Managed Spot Training savings: {saved:.1f}%" in text, text
assert spot["BillableTimeInSeconds"] < spot["TrainingTimeInSeconds"]

fit("sdk-v2-keeps", keep_alive_period_in_seconds=3600)
assert pool("sdk-v2-keeps") == "Available", pool("sdk-v2-keeps")
fit("sdk-v2-reuses", keep_alive_period_in_seconds=3600)
assert pool("sdk-v2-keeps") == "Reused", pool("sdk-v2-keeps")
session.update_training_job("sdk-v2-reuses", resource_config={"KeepAlivePeriodInSeconds": 0})
assert pool("sdk-v2-reuses") == "Terminated", pool("sdk-v2-reuses")
