"""What the reconciler has to look at: listed jobs the ledger has not understood, and when a silent job is due again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from trainops.domain.state_changes import LOOK_DETAIL_TYPE
from trainops.domain.training_jobs import TERMINAL_STATUSES, JobKey, TrainingJob

DELETED = "Deleted"
"""The status of a run that went away before its end was seen; not one of the API's."""
FIRST_LOOK = timedelta(hours=6)
"""A job that has not ended by this age is looked at, then again each time its age has grown by half."""
EVENTS_GO_FIRST = timedelta(minutes=5)
"""What changed more recently than this is left to its event, which may still be on the way."""
DEADLINE_GRACE = timedelta(minutes=30)
"""Stop grace and upload come after a runtime limit; a job is overdue this long after it."""


@dataclass(frozen=True, slots=True)
class JobSummary:
    """One entry of ListTrainingJobs (TrainingJobSummary): no instances, tags or billing, but the status."""

    key: JobKey
    name: str
    status: str
    modified: datetime


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far the walk by creation time came. A walk that was cut short goes on where it stopped; after a complete
    one the next starts one overlap earlier, because listings and late changes trail behind. `since` is the first
    walk's time: jobs from before the installation are not news.
    """

    created: datetime
    complete: bool
    since: datetime

    def next_start(self, overlap: timedelta) -> datetime:
        """Where the next walk starts."""
        return max(self.created - overlap, self.since) if self.complete else self.created


def missed(listed: Sequence[JobSummary], recorded: Mapping[JobKey, str], now: datetime) -> list[JobSummary]:
    """The listed jobs whose start or end the ledger does not have, and whose event had its time to arrive."""
    return [
        job
        for job in listed
        if now - job.modified >= EVENTS_GO_FIRST
        and (job.key not in recorded or (job.status in TERMINAL_STATUSES and recorded[job.key] != job.status))
    ]


def look_message(key: JobKey, now: datetime, *, name: str | None = None, status: str = "Unknown") -> dict[str, Any]:
    """The message that makes `job_intake` look at a job, with what a listing said of it."""
    return {
        "detail-type": LOOK_DETAIL_TYPE,
        "source": "trainops",
        "time": now.astimezone(UTC).isoformat(),
        "detail": {
            "TrainingJobName": name or key.lower_case_name,
            "TrainingJobArn": key.arn,
            "TrainingJobStatus": status,
            "CreationTime": key.created.isoformat(),
        },
    }


def next_look(job: TrainingJob, now: datetime) -> datetime | None:
    """When the reconciler should look at a job whose end may have been missed; None once it has ended.

    The first look is at six hours; each later one when the age has grown by half, so that a job of a month costs
    about a dozen calls. A deadline the job cannot outlive brings the look forward.
    """
    if job.terminal or job.status == DELETED:
        return None
    age = max(now - job.key.created, timedelta(0))
    look = job.key.created + max(FIRST_LOOK, age * 1.5)
    limit = job.max_wait or job.max_runtime
    if limit and (deadline := job.key.created + limit + DEADLINE_GRACE) > now:
        look = min(look, deadline)
    return look
