"""When the reconciler should look at a job again, and which listed jobs the ledger has not understood yet."""

from datetime import datetime, timedelta

from trainops.domain.training_jobs import TrainingJob

FIRST_LOOK = timedelta(hours=6)
"""A job that has not ended by this age is looked at, then again each time its age has grown by half."""


def next_look(job: TrainingJob, now: datetime) -> datetime | None:
    """When the reconciler should look at a job whose end may have been missed; None once it has ended.

    The first look is at six hours; each later one when the age has grown by half, so that a job of a month costs
    about a dozen calls. A deadline the job cannot outlive brings the look forward.
    """
    if job.terminal:
        return None
    age = max(now - job.key.created, timedelta(0))
    look = job.key.created + max(FIRST_LOOK, age * 1.5)
    limit = job.max_wait or job.max_runtime
    if limit and (deadline := job.key.created + limit + timedelta(minutes=30)) > now:
        look = min(look, deadline)
    return look
