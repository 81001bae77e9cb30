"""A training job as DescribeTrainingJob and ListTrainingJobs show it: a field is there only when AWS has it."""

import copy
from datetime import timedelta
from typing import Any

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.status_messages import message_of
from local.sagemaker.stopping import ONE_DAY

COPIED = (
    "TuningJobArn",
    "HyperParameters",
    "AlgorithmSpecification",
    "RoleArn",
    "InputDataConfig",
    "OutputDataConfig",
    "VpcConfig",
    "CheckpointConfig",
    "DebugHookConfig",
    "ExperimentConfig",
    "ProfilerConfig",
    "Environment",
    "RetryStrategy",
    "RemoteDebugConfig",
    "InfraCheckConfig",
    "TensorBoardOutputConfig",
    "DebugRuleConfigurations",
    "MlflowConfig",
    "ModelPackageConfig",
    "ProfilerRuleConfigurations",
)


def describe(job: TrainingJob) -> dict[str, Any]:
    """DescribeTrainingJobResponse."""
    job = _as_seen(job)
    request = job.request
    shape: dict[str, Any] = {
        "TrainingJobName": job.name,
        "TrainingJobArn": job.arn,
        "ModelArtifacts": {"S3ModelArtifacts": _artifacts(job)},
        "TrainingJobStatus": job.status,
        "SecondaryStatus": job.secondary,
        **{name: request[name] for name in COPIED if name in request},
        **_resources(job),
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
        "TrainingEndTime": job.end_time,
        "TrainingTimeInSeconds": job.training_seconds,
        "BillableTimeInSeconds": job.billable_seconds,
        "WarmPoolStatus": job.pool.describe() if job.pool else None,
    }
    return {**shape, **{name: value for name, value in later.items() if value is not None}}


def _as_seen(job: TrainingJob) -> TrainingJob:
    """Where the service lags, the job as it was before its latest events."""
    lag = timedelta(seconds=job.service.switches.describe_lag_seconds)
    seen = [step for step in job.transitions if step.at <= job.service.clock.now() - lag]
    if not lag or len(seen) == len(job.transitions):
        return job
    earlier = copy.copy(job)
    earlier.transitions = seen or job.transitions[:1]
    if earlier.ended is None:
        earlier.retained = job.pool_while_running()
    return earlier


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
    if job.end_time is not None:
        shape["TrainingEndTime"] = job.end_time
    if job.pool is not None:
        shape["WarmPoolStatus"] = job.pool.describe()
    return shape


def transitions(job: TrainingJob) -> list[dict[str, Any]]:
    """SecondaryStatusTransitions: each but the last has an end."""
    shaped: list[dict[str, Any]] = []
    for step in job.transitions:
        if shaped:
            shaped[-1]["EndTime"] = step.at
        shaped.append({"Status": step.status, "StartTime": step.at, "StatusMessage": message_of(job, step)})
    if job.ended is not None:
        shaped[-1]["EndTime"] = job.ended
    return shaped


def _resources(job: TrainingJob) -> dict[str, Any]:
    """ResourceConfig, with the instance type that was selected where the request left a choice."""
    asked = job.request.get("ResourceConfig")
    if asked is None:
        return {}
    if not asked.get("InstancePreferences") or job.started is None:
        return {"ResourceConfig": asked}
    first = asked["InstancePreferences"][0]
    chosen = {"SelectedInstanceType": first["InstanceType"]}
    chosen["SelectedInstanceCount"] = first.get("InstanceCount", asked.get("InstanceCount"))
    return {"ResourceConfig": {**asked, **chosen}}


def _artifacts(job: TrainingJob) -> str:
    prefix = str(job.request["OutputDataConfig"]["S3OutputPath"]).rstrip("/")
    return f"{prefix}/{job.name}/output/model.tar.gz"
