"""A training job as DescribeTrainingJob and ListTrainingJobs show it: a field is there only when AWS has it."""

from typing import Any

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.timeline import ONE_DAY

COPIED = (
    "TuningJobArn",
    "HyperParameters",
    "AlgorithmSpecification",
    "RoleArn",
    "InputDataConfig",
    "OutputDataConfig",
    "ResourceConfig",
    "VpcConfig",
    "CheckpointConfig",
    "DebugHookConfig",
    "ExperimentConfig",
    "ProfilerConfig",
    "Environment",
    "RetryStrategy",
    "RemoteDebugConfig",
)
MESSAGES = {
    "Starting": "Preparing the instances for training",
    "Downloading": "Downloading the training image",
    "Training": "Training image download completed. Training in progress.",
    "Interrupted": "Training job was interrupted, waiting for capacity",
    "Uploading": "Uploading generated training model",
    "Stopping": "Stopping the training job",
    "Completed": "Training job completed",
}


def describe(job: TrainingJob) -> dict[str, Any]:
    """DescribeTrainingJobResponse."""
    request = job.request
    shape: dict[str, Any] = {
        "TrainingJobName": job.name,
        "TrainingJobArn": job.arn,
        "ModelArtifacts": {"S3ModelArtifacts": _artifacts(job)},
        "TrainingJobStatus": job.status,
        "SecondaryStatus": job.secondary,
        **{name: request[name] for name in COPIED if name in request},
        "StoppingCondition": request.get("StoppingCondition", {"MaxRuntimeInSeconds": ONE_DAY}),
        "CreationTime": job.created,
        "LastModifiedTime": job.modified,
        "SecondaryStatusTransitions": transitions(job),
        "EnableNetworkIsolation": request.get("EnableNetworkIsolation", False),
        "EnableInterContainerTrafficEncryption": request.get("EnableInterContainerTrafficEncryption", False),
        "EnableManagedSpotTraining": job.is_spot,
    }
    later = {
        "FailureReason": job.plan.failure_reason if job.status == "Failed" else None,
        "TrainingStartTime": job.started,
        "TrainingEndTime": job.ended,
        "TrainingTimeInSeconds": job.training_seconds,
        "BillableTimeInSeconds": job.billable_seconds,
        "WarmPoolStatus": job.pool.describe() if job.pool else None,
    }
    return {**shape, **{name: value for name, value in later.items() if value is not None}}


def summary(job: TrainingJob) -> dict[str, Any]:
    """TrainingJobSummary: no instance type, keep-alive period, tags or billing seconds in it."""
    shape: dict[str, Any] = {
        "TrainingJobName": job.name,
        "TrainingJobArn": job.arn,
        "CreationTime": job.created,
        "LastModifiedTime": job.modified,
        "TrainingJobStatus": job.status,
        "SecondaryStatus": job.secondary,
    }
    if job.ended is not None:
        shape["TrainingEndTime"] = job.ended
    if job.pool is not None:
        shape["WarmPoolStatus"] = job.pool.describe()
    return shape


def transitions(job: TrainingJob) -> list[dict[str, Any]]:
    """SecondaryStatusTransitions: each but the last has an end."""
    shaped: list[dict[str, Any]] = []
    for step in job.transitions:
        if shaped:
            shaped[-1]["EndTime"] = step.at
        shaped.append({"Status": step.status, "StartTime": step.at, "StatusMessage": _message(job, step.status)})
    if job.ended is not None:
        shaped[-1]["EndTime"] = job.ended
    return shaped


def _message(job: TrainingJob, status: str) -> str:
    return job.plan.failure_reason if status == "Failed" else MESSAGES.get(status, f"Training job {status}")


def _artifacts(job: TrainingJob) -> str:
    prefix = str(job.request["OutputDataConfig"]["S3OutputPath"]).rstrip("/")
    return f"{prefix}/{job.name}/output/model.tar.gz"
