"""What a job's owner should know the moment it starts, while there is time to act.

Used by the card of a started job. IAM has no condition for managed spot, checkpoints or instance groups (Service
Authorization Reference, CreateTrainingJob), so what they can cost is said here and not refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from trainops.domain.checkpoints import taken_along
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.wording import duration_text

LONG_ENOUGH_TO_LOSE = timedelta(hours=1)
"""A spot job that may run longer than this without checkpoints is worth a warning."""


@dataclass(frozen=True, slots=True)
class JobWarning:
    """`words` follow the job's name and "started"; `reason` says what can happen, `step` what to do about it."""

    words: str
    reason: str
    step: str


def warnings_of(job: TrainingJob) -> tuple[JobWarning, ...]:
    """The warnings about a job, the costliest first; none from what is not known."""
    return (*_lost_work(job), *_shared_location(job), *_no_pool(job))


def _lost_work(job: TrainingJob) -> Iterator[JobWarning]:
    """Spot, long, and certainly without checkpoints: the event alone does not say, so it does not warn."""
    long = job.max_runtime is not None and job.max_runtime > LONG_ENOUGH_TO_LOSE
    if job.spot and job.described and not job.checkpoint_uri and long:
        yield JobWarning(
            "on spot without checkpoints",
            f"If spot takes the instance back, up to {duration_text(job.max_runtime)} of work starts from zero.",
            f"Next: set CheckpointConfig with an S3 location of its own, such as s3://bucket/{job.name}/.",
        )


def _shared_location(job: TrainingJob) -> Iterator[JobWarning]:
    """Another job's checkpoints can come along and be resumed from."""
    if job.checkpoint_uri and (reason := taken_along(job.checkpoint_uri)):
        step = f'Next: end the location with "/": {job.checkpoint_uri}/.'
        yield JobWarning("with a checkpoint location that others can share", reason, step)


def _no_pool(job: TrainingJob) -> Iterator[JobWarning]:
    """Warm pools exclude managed spot and instance groups (developer guide, warm pools)."""
    if not job.keep_alive:
        return
    asked = f"It asks for a warm pool of {duration_text(job.keep_alive)}, and SageMaker keeps none for"
    if job.spot:
        yield JobWarning(
            "on spot, which excludes its warm pool",
            f"{asked} managed spot.",
            "Next: choose spot for long jobs with checkpoints, a warm pool for short jobs in a row.",
        )
    if job.heterogeneous:
        yield JobWarning(
            "on instance groups, which exclude its warm pool",
            f"{asked} instance groups.",
            "Next: leave the keep-alive period out, or use one instance type.",
        )
