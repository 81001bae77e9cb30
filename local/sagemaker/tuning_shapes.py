"""A tuning job as the API and its event show it.

The event's fields are those of the published schema of "SageMaker HyperParameter Tuning Job State Change": times
are epoch milliseconds as strings, tags an object, as in the event of a training job.
"""

from datetime import datetime
from typing import Any

from local.sagemaker.events import epoch_milliseconds
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.tuning_job import TuningJob, objective_status
from local.sagemaker.tuning_progress import completion_details
from local.sagemaker.tuning_values import definition_of, definitions, tuned

DETAIL_TYPE = "SageMaker HyperParameter Tuning Job State Change"
COPIED = (
    "HyperParameterTuningJobConfig",
    "TrainingJobDefinition",
    "TrainingJobDefinitions",
    "WarmStartConfig",
    "Autotune",
)


def describe(job: TuningJob, now: datetime) -> dict[str, Any]:
    """DescribeHyperParameterTuningJobResponse; the consumed runtime is that of the wall clock."""
    best = job.best()
    later = {
        "HyperParameterTuningEndTime": job.ended,
        "BestTrainingJob": None if best is None else child_summary(job, best),
        "OverallBestTrainingJob": _overall_best(job),
        "FailureReason": job.failure if job.status == "Failed" else None,
    }
    return {
        **_identity(job),
        **{name: job.request[name] for name in COPIED if name in job.request},
        "TuningJobCompletionDetails": completion_details(job),
        "ConsumedResources": {"RuntimeInSeconds": round(((job.ended or now) - job.created).total_seconds())},
        **{name: value for name, value in later.items() if value is not None},
    }


def summary(job: TuningJob) -> dict[str, Any]:
    """HyperParameterTuningJobSummary."""
    config = job.request["HyperParameterTuningJobConfig"]
    shape = {**_identity(job), "Strategy": config["Strategy"], "ResourceLimits": config["ResourceLimits"]}
    return shape if job.ended is None else {**shape, "HyperParameterTuningEndTime": job.ended}


def child_summary(job: TuningJob, child: TrainingJob) -> dict[str, Any]:
    """HyperParameterTrainingJobSummary of one training job of the tuning job."""
    number = job.children.index(child) + 1
    definition = definition_of(job.request, number)
    later = {
        "TrainingJobDefinitionName": definition.get("DefinitionName"),
        "TrainingStartTime": child.started,
        "TrainingEndTime": child.ended,
        "FailureReason": child.plan.failure_reason if child.status == "Failed" else None,
        "FinalHyperParameterTuningJobObjectiveMetric": job.objective(child),
    }
    return {
        "TrainingJobName": child.name,
        "TrainingJobArn": child.arn,
        "CreationTime": child.created,
        "TrainingJobStatus": child.status,
        "TunedHyperParameters": tuned(job.request, definition, number),
        "ObjectiveStatus": objective_status(child),
        **{name: value for name, value in later.items() if value is not None},
    }


def _overall_best(job: TuningJob) -> dict[str, Any] | None:
    """Only a warm start with identical data and algorithm compares itself with its parents."""
    if job.request.get("WarmStartConfig", {}).get("WarmStartType") != "IdenticalDataAndAlgorithm":
        return None
    found = job.overall_best()
    return None if found is None else {**child_summary(*found), "TuningJobName": found[0].name}


def state_change(job: TuningJob) -> dict[str, Any]:
    """A PutEvents entry for the tuning job as it is now."""
    detail = {
        **_identity(job),
        "CreationTime": epoch_milliseconds(job.created),
        "LastModifiedTime": epoch_milliseconds(job.modified),
        "TrainingJobDefinition": definitions(job.request)[0],
        "Tags": dict(job.tags),
    }
    return {
        "Source": "aws.sagemaker",
        "DetailType": DETAIL_TYPE,
        "Resources": [job.arn],
        "Time": job.modified.timestamp(),
        "Detail": detail,
    }


def _identity(job: TuningJob) -> dict[str, Any]:
    return {
        "HyperParameterTuningJobName": job.name,
        "HyperParameterTuningJobArn": job.arn,
        "HyperParameterTuningJobStatus": job.status,
        "CreationTime": job.created,
        "LastModifiedTime": job.modified,
        "TrainingJobStatusCounters": job.counters(),
        "ObjectiveStatusCounters": job.objective_counters(),
    }
