"""ListTrainingJobs: filters, order and pages, with the service's habit of cutting the page before one filter.

From the operation's documentation: with StatusEquals and MaxResults, that many jobs are read ignoring the status
and filtered afterwards, so a page may be short or empty and still have a NextToken. WarmPoolStatusEquals is treated
alike here (not documented; the harder case for a caller).
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from botocore.utils import parse_timestamp

from local.sagemaker.describe import summary
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.paging import Place, cut

PAGE = 10  # what the service returns when MaxResults is absent (inferred)


def list_training_jobs(jobs: Iterable[TrainingJob], request: dict[str, Any]) -> dict[str, Any]:
    """ListTrainingJobsResponse for one page."""
    found = [job for job in jobs if _within(job, request)]
    page, more = cut(found, key_of(request), request, descending=descending(request), size=PAGE)
    return {"TrainingJobSummaries": [_summary(job) for job in page if _status_matches(job, request)], **more}


def within_times(created: datetime, modified: datetime, request: Mapping[str, Any]) -> bool:
    """CreationTimeAfter, CreationTimeBefore and their LastModifiedTime twins."""
    for prefix, moment in (("CreationTime", created), ("LastModifiedTime", modified)):
        after, before = request.get(f"{prefix}After"), request.get(f"{prefix}Before")
        if after is not None and moment < parse_timestamp(after):
            return False
        if before is not None and moment > parse_timestamp(before):
            return False
    return True


def descending(request: Mapping[str, Any]) -> bool:
    """Newest first unless asked otherwise: the operation's note, against the field's own text."""
    return bool(request.get("SortOrder", "Descending") == "Descending")


def key_of(request: Mapping[str, Any]) -> Callable[[Any], Place]:
    """SortBy Name, CreationTime (the default) or Status of a resource; the name decides among equals."""
    by = request.get("SortBy", "CreationTime")

    def key(resource: Any) -> Place:
        if by == "CreationTime":
            return f"{resource.created.timestamp():020.6f}", resource.name
        return (resource.name if by == "Name" else resource.status), resource.name

    return key


def _within(job: TrainingJob, request: Mapping[str, Any]) -> bool:
    """The filters that are applied before a page is cut."""
    if request.get("NameContains", "").lower() not in job.name.lower():
        return False
    plan = _plan_arn(job)
    return within_times(job.created, job.modified, request) and request.get("TrainingPlanArnEquals", plan) == plan


def _status_matches(job: TrainingJob, request: Mapping[str, Any]) -> bool:
    """The filters that are applied after a page was cut."""
    if request.get("StatusEquals", job.status) != job.status:
        return False
    wanted = request.get("WarmPoolStatusEquals")
    return wanted is None or (job.pool is not None and job.pool.status == wanted)


def _summary(job: TrainingJob) -> dict[str, Any]:
    plan = _plan_arn(job)
    return summary(job) if plan is None else {**summary(job), "TrainingPlanArn": plan}


def _plan_arn(job: TrainingJob) -> str | None:
    arn: str | None = job.request.get("ResourceConfig", {}).get("TrainingPlanArn")
    return arn
