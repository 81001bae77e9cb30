"""One run's facts out of what the ledger knew, what the event tells and what the API answered.

Used by `job_records` when a message is decided.
"""

from dataclasses import replace

from trainops.domain.announcements import union_of_interruptions
from trainops.domain.state_changes import StateChange
from trainops.domain.training_jobs import TrainingJob


def merged(before: TrainingJob | None, change: StateChange, description: TrainingJob | None) -> TrainingJob:
    """The newest facts. A job that has ended stays ended; the event's end wins over an answer that lags behind it."""
    if description is not None:
        job = _with_end_of(change, description) if change.job.terminal and not description.terminal else description
    elif before is None or (change.job.terminal and not before.terminal):
        job = _event_over(before, change)
    else:
        job = before
    if before is None:
        return replace(job, interruptions=union_of_interruptions(job.interruptions, change.job.interruptions))
    if before.terminal and not job.terminal:
        job = before
    seen = union_of_interruptions(before.interruptions, job.interruptions)
    return replace(
        job,
        tags={**before.tags, **job.tags, **change.job.tags},
        interruptions=union_of_interruptions(seen, change.job.interruptions),
    )


def _with_end_of(change: StateChange, job: TrainingJob) -> TrainingJob:
    event = change.job
    return replace(
        job,
        status=event.status,
        secondary_status=event.secondary_status,
        failure_reason=event.failure_reason,
        ended=job.ended or event.ended or change.at,
    )


def _event_over(before: TrainingJob | None, change: StateChange) -> TrainingJob:
    """The event alone; what an earlier answer knew (spot, checkpoints, limits) is kept."""
    if before is None:
        return _with_end_of(change, change.job) if change.job.terminal else change.job
    return replace(_with_end_of(change, before), started=change.job.started or before.started, described=False)
