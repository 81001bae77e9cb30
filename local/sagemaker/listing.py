"""ListTrainingJobs: filters, order and pages, with the service's habit of cutting the page before one filter.

From the operation's documentation: with StatusEquals and MaxResults, that many jobs are read ignoring the status
and filtered afterwards, so a page may be short or empty and still have a NextToken. WarmPoolStatusEquals is treated
alike here (not documented; the harder case for a caller).
"""

import base64
import json
from collections.abc import Iterable
from typing import Any

from botocore.utils import parse_timestamp

from local.sagemaker.describe import summary
from local.sagemaker.errors import validation
from local.sagemaker.jobs import TrainingJob

PAGE = 10  # what the service returns when MaxResults is absent (inferred)


def list_training_jobs(jobs: Iterable[TrainingJob], request: dict[str, Any]) -> dict[str, Any]:
    """ListTrainingJobsResponse for one page."""
    found = sorted(
        (job for job in jobs if _within(job, request)),
        key=lambda job: _key(job, request),
        reverse=_descending(request),
    )
    if token := request.get("NextToken"):
        found = _after(found, token, request)
    size = request.get("MaxResults", PAGE)
    page, rest = found[:size], found[size:]
    shape: dict[str, Any] = {"TrainingJobSummaries": [summary(job) for job in page if _status_matches(job, request)]}
    if rest:
        shape["NextToken"] = _token(_key(page[-1], request))
    return shape


def _within(job: TrainingJob, request: dict[str, Any]) -> bool:
    """The filters that are applied before a page is cut."""
    if request.get("NameContains", "").lower() not in job.name.lower():
        return False
    for prefix, moment in (("CreationTime", job.created), ("LastModifiedTime", job.modified)):
        after, before = request.get(f"{prefix}After"), request.get(f"{prefix}Before")
        if after is not None and moment < parse_timestamp(after):
            return False
        if before is not None and moment > parse_timestamp(before):
            return False
    return True


def _status_matches(job: TrainingJob, request: dict[str, Any]) -> bool:
    """The filters that are applied after a page was cut."""
    if request.get("StatusEquals", job.status) != job.status:
        return False
    wanted = request.get("WarmPoolStatusEquals")
    return wanted is None or (job.pool is not None and job.pool.status == wanted)


def _descending(request: dict[str, Any]) -> bool:
    """Newest first unless asked otherwise: the operation's note, against the field's own text."""
    return bool(request.get("SortOrder", "Descending") == "Descending")


def _key(job: TrainingJob, request: dict[str, Any]) -> tuple[str, str]:
    by = {"Name": job.name, "Status": job.status}
    moment = f"{job.created.timestamp():020.6f}"
    return by.get(request.get("SortBy", "CreationTime"), moment), job.name


def _token(key: tuple[str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode()


def _after(found: list[TrainingJob], token: str, request: dict[str, Any]) -> list[TrainingJob]:
    """Jobs behind the token's place, which holds even when jobs were created in between."""
    try:
        place = tuple(json.loads(base64.urlsafe_b64decode(token)))
    except ValueError as error:
        raise validation("Invalid pagination token") from error
    if _descending(request):
        return [job for job in found if _key(job, request) < place]
    return [job for job in found if _key(job, request) > place]
