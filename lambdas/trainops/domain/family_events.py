"""Reads the events of what launches training jobs: the ends of tuning jobs and of pipelines' executions, and steps.

As tolerant as `state_changes`: times in any form, anything but the ARN and the status may be missing. Source: developer
guide, "Automating Amazon SageMaker with Amazon EventBridge"; AutoML has no such event.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from trainops.domain.job_families import FamilyChange, Step, kind_of
from trainops.domain.state_changes import parse_tags, parse_time

TUNING = "SageMaker HyperParameter Tuning Job State Change"
PIPELINE = "SageMaker Model Building Pipeline Execution Status Change"
STEP = "SageMaker Model Building Pipeline Execution Step Status Change"
LOOK = "Job Family Look"
"""Our own message, which comes back after a while: `because` of an end, or of silence `since` a job's end."""
STATUSES = {"Succeeded": "Completed"}
"""A pipeline's word for what training jobs call Completed."""


def end_of(event: Mapping[str, Any]) -> FamilyChange:
    """The end that an event tells of. Raises KeyError, TypeError or ValueError when it is none in form."""
    detail = event["detail"]
    return _tuning_end(event, detail) if event["detail-type"] == TUNING else _pipeline_end(event, detail)


def step_of(event: Mapping[str, Any]) -> tuple[str, Step]:
    """The ARN of the execution, in lower case, and what is said of its step. Raises as `end_of` does."""
    detail = event["detail"]
    created = detail.get("metadata") or {}
    jobs = [part["arn"] for part in created.values() if isinstance(part, Mapping) and isinstance(part.get("arn"), str)]
    return _arn(detail["pipelineExecutionArn"]), Step(
        name=str(detail["stepName"]),
        type=str(detail.get("stepType") or ""),
        status=str(detail["currentStepStatus"]),
        seen=_time(detail.get("stepEndTime"), event.get("time")),
        reason=detail.get("failureReason") or None,
        job=jobs[0] if jobs else None,
    )


def look_message(arn: str, at: datetime, since: datetime | None = None) -> dict[str, Any]:
    """A look at a family to be seen at `at`: for its end, or for silence since a job of it ended."""
    text = since.astimezone(UTC).isoformat() if since else None
    detail = {"arn": arn, "because": "silence" if since else "end", "since": text}
    return {"detail-type": LOOK, "source": "trainops", "time": at.astimezone(UTC).isoformat(), "detail": detail}


def look_of(event: Mapping[str, Any]) -> tuple[str, datetime, datetime | None]:
    """The family, the time of the look and the job's end it waits after. Raises as `end_of` does."""
    detail = event["detail"]
    since = parse_time(detail["since"]) if detail["because"] == "silence" else None
    return _arn(detail["arn"]), _time(event["time"]), since


def _tuning_end(event: Mapping[str, Any], detail: Mapping[str, Any]) -> FamilyChange:
    counters = detail.get("TrainingJobStatusCounters")
    return FamilyChange(
        arn=_arn(detail["HyperParameterTuningJobArn"]),
        name=str(detail.get("HyperParameterTuningJobName") or detail["HyperParameterTuningJobArn"].rpartition("/")[2]),
        status=str(detail["HyperParameterTuningJobStatus"]),
        ended=_time(detail.get("HyperParameterTuningEndTime"), detail.get("LastModifiedTime"), event.get("time")),
        created=parse_time(detail.get("CreationTime")),
        reason=detail.get("FailureReason") or None,
        launched=sum(map(int, counters.values())) if isinstance(counters, Mapping) else None,
        tags=parse_tags(detail.get("Tags")) or {},
    )


def _pipeline_end(event: Mapping[str, Any], detail: Mapping[str, Any]) -> FamilyChange:
    arn, status = str(detail["pipelineExecutionArn"]), str(detail["currentPipelineExecutionStatus"])
    pipeline, _, execution = arn.partition(":pipeline/")[2].partition("/execution/")
    shown = detail.get("pipelineExecutionDisplayName") or execution
    return FamilyChange(
        arn=_arn(arn),
        name=f"{pipeline} ({shown})",
        status=STATUSES.get(status, status),
        ended=_time(detail.get("executionEndTime"), event.get("time")),
        created=parse_time(detail.get("executionStartTime")),
        reason=detail.get("failureReason") or None,
    )


def _arn(value: object) -> str:
    arn = str(value).lower()
    if kind_of(arn) is None:
        raise ValueError(f"{arn} is no tuning job, AutoML job or pipeline execution")
    return arn


def _time(*candidates: object) -> datetime:
    found = next((when for value in candidates if (when := parse_time(value))), None)
    if found is None:
        raise ValueError("it has no time")
    return found
