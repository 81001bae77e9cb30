"""SageMaker SDK v3 as its users write it: ModelTrainer.train with logs on demand and on spot, a warm pool reused.

Arguments: the execution role's ARN. The bucket is the SDK's default one, which it makes itself.
It shows logs through `logging` alone: a program that does not set that up sees none.
"""

import logging
import sys
from pathlib import Path
from typing import Any

import boto3
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import Compute, SourceCode, StoppingCondition

PROGRAM = Path(__file__).with_name("training_program")
STEPS = 5
logging.basicConfig(level=logging.INFO, format="%(message)s")
client: Any = boto3.client("sagemaker")


def train(name: str, *, stopping: StoppingCondition, **compute: Any) -> dict[str, Any]:
    """Train until the end with the log shown; the job's description."""
    trainer = ModelTrainer(
        training_image="local/python:3",
        source_code=SourceCode(source_dir=str(PROGRAM), entry_script="train.py"),
        role=sys.argv[1],
        base_job_name=name,
        hyperparameters={"steps": STEPS},
        compute=Compute(instance_type="ml.c5.xlarge", instance_count=1, volume_size_in_gb=30, **compute),
        stopping_condition=stopping,
    )
    trainer.train(wait=True, logs=True)
    [newest] = client.list_training_jobs(NameContains=name, MaxResults=1)["TrainingJobSummaries"]
    description: dict[str, Any] = client.describe_training_job(TrainingJobName=newest["TrainingJobName"])
    assert description["TrainingJobStatus"] == "Completed", description
    return description


def pool(name: str) -> str | None:
    """WarmPoolStatus of a job."""
    status = client.describe_training_job(TrainingJobName=name).get("WarmPoolStatus", {})
    return str(status["Status"]) if status else None


day = StoppingCondition(max_runtime_in_seconds=86_400)
train("sdk-v3-on-demand", stopping=day)

patient = StoppingCondition(max_runtime_in_seconds=3600, max_wait_time_in_seconds=7200)
spot = train("sdk-v3-spot", stopping=patient, enable_managed_spot_training=True)
assert spot["BillableTimeInSeconds"] < spot["TrainingTimeInSeconds"], spot

kept = train("sdk-v3-keeps", stopping=day, keep_alive_period_in_seconds=3600)
assert pool(kept["TrainingJobName"]) == "Available"
reused = train("sdk-v3-reuses", stopping=day, keep_alive_period_in_seconds=3600)
assert pool(kept["TrainingJobName"]) == "Reused"
