"""What is said about a run, once each: that it started, was interrupted, started again, grew old checkpoints, ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from trainops.domain.training_jobs import TrainingJob

SAME_INTERRUPTION = timedelta(seconds=30)
"""Two reports of an interruption this close are one: the event and the API may disagree on the instant, and no
instance comes back and is taken away again within half a minute."""


class AnnouncementType(StrEnum):
    """The events on the trainops bus; the detail-type is "Training Job " and this word."""

    STARTED = "Started"
    INTERRUPTED = "Interrupted"
    RESTARTED = "Restarted"
    FINISHED = "Finished"
    CHECKPOINTS_OLD = "CheckpointsOld"
    """Said by `checkpoint_watch`, once for each checkpoint that grew old."""


class AnnouncementState(StrEnum):
    """`pending`: decided, not yet on the bus. `published`: on the bus. `late`: recorded only, its time had passed."""

    PENDING = "pending"
    PUBLISHED = "published"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Announcement:
    """One thing to be said about a run, once. `at` is when it happened."""

    type: AnnouncementType
    state: AnnouncementState
    at: datetime
    reason: str


def union_of_interruptions(known: tuple[datetime, ...], more: tuple[datetime, ...]) -> tuple[datetime, ...]:
    """Every interruption once; an instant that is known already is kept, so that its key stays what it was."""
    result = list(known)
    for when in sorted(more):
        if all(abs(when - other) > SAME_INTERRUPTION for other in result):
            result.append(when)
    return tuple(sorted(result))


def finished_key(job: TrainingJob) -> str:
    """The key of the end: a run that is Completed and Failed would be two things to say."""
    return f"{AnnouncementType.FINISHED}/{job.status}"


def new_announcements(
    job: TrainingJob, known: Mapping[str, Announcement], at: datetime, starting: datetime | None = None
) -> dict[str, Announcement]:
    """What was not announced yet. Once a job has ended only its end is; what came before is recorded as late.
    `starting` is when the message says that instances are being started, the first time or again.
    """
    state = AnnouncementState.LATE if job.terminal else AnnouncementState.PENDING
    why = "came after the job's end: recorded, not announced" if job.terminal else ""
    new: dict[str, Announcement] = {}
    if AnnouncementType.STARTED not in known:
        new[AnnouncementType.STARTED] = Announcement(
            AnnouncementType.STARTED, state, job.key.created, why or "first seen running"
        )
    for count, when in enumerate(job.interruptions, start=1):
        key = f"{AnnouncementType.INTERRUPTED}/{when:%Y-%m-%dT%H:%M:%SZ}"
        if key not in known:
            new[key] = Announcement(AnnouncementType.INTERRUPTED, state, when, why or f"interruption {count}")
    if starting and not job.terminal:
        new |= _restart(job, known, starting)
    if job.terminal and finished_key(job) not in known:
        new[finished_key(job)] = Announcement(
            AnnouncementType.FINISHED,
            AnnouncementState.PENDING,
            job.ended or at,
            f"first report that the job has {job.status.lower()}",
        )
    return new


def _restart(job: TrainingJob, known: Mapping[str, Announcement], starting: datetime) -> dict[str, Announcement]:
    """One for each interruption, whose time is its key: reports of one restart may differ in its time."""
    before = [when for when in job.interruptions if when < starting]
    key = f"{AnnouncementType.RESTARTED}/{before[-1]:%Y-%m-%dT%H:%M:%SZ}" if before else ""
    if not before or key in known:
        return {}
    why = f"starting again after interruption {len(before)}"
    return {key: Announcement(AnnouncementType.RESTARTED, AnnouncementState.PENDING, starting, why)}
