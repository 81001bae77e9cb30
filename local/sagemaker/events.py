"""The event that SageMaker publishes when a training job changes state, in the shape of its published sample.

Source: the developer guide's page on automating SageMaker with EventBridge. Times are epoch milliseconds as
strings, tags are an object, and neither billing nor spot nor warm-pool fields are there. The sample's list of
transitions is empty; its entries are those of the published schema of the event, which has no EndTime in them.
"""

from datetime import datetime
from typing import Any

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.status_messages import message_of
from local.sagemaker.stopping import ONE_DAY

DETAIL_TYPE = "SageMaker Training Job State Change"
COPIED = (
    "HyperParameters",
    "AlgorithmSpecification",
    "RoleArn",
    "InputDataConfig",
    "OutputDataConfig",
    "ResourceConfig",
)


def state_change(job: TrainingJob) -> dict[str, Any]:
    """A PutEvents entry (Source, DetailType, Detail, Resources, Time) for the job as it is now."""
    return {
        "Source": "aws.sagemaker",
        "DetailType": DETAIL_TYPE,
        "Resources": [job.arn],
        "Time": job.modified.timestamp(),
        "Detail": _detail(job),
    }


def _detail(job: TrainingJob) -> dict[str, Any]:
    detail: dict[str, Any] = {
        "TrainingJobName": job.name,
        "TrainingJobArn": job.arn,
        "TrainingJobStatus": job.status,
        "SecondaryStatus": job.secondary,
        **{name: job.request[name] for name in COPIED if name in job.request},
        "VpcConfig": job.request.get("VpcConfig", {}),
        "StoppingCondition": job.request.get("StoppingCondition", {"MaxRuntimeInSeconds": ONE_DAY}),
        "CreationTime": epoch_milliseconds(job.created),
        "LastModifiedTime": epoch_milliseconds(job.modified),
        "SecondaryStatusTransitions": _transitions(job),
        "Tags": dict(job.tags),
    }
    if job.status == "Failed":
        detail["FailureReason"] = job.plan.failure_reason
    if job.started is not None:
        detail["TrainingStartTime"] = epoch_milliseconds(job.started)
    if job.end_time is not None:
        detail["TrainingEndTime"] = epoch_milliseconds(job.end_time)
    return detail


def _transitions(job: TrainingJob) -> list[dict[str, Any]]:
    return [
        {"Status": step.status, "StartTime": epoch_milliseconds(step.at), "StatusMessage": message_of(job, step)}
        for step in job.transitions
    ]


def epoch_milliseconds(moment: datetime) -> str:
    """A date as the published sample writes it."""
    return str(round(moment.timestamp() * 1000))
