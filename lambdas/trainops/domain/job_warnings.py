"""What a job's owner should know the moment it starts, while there is time to act.

Used by the card of a started job. IAM has no condition for managed spot, checkpoints or instance groups (Service
Authorization Reference, CreateTrainingJob), so what they can cost is said here and not refused. What earlier runs took
and what a quota allows comes from the ledger.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from trainops.domain.checkpoints import taken_along
from trainops.domain.past_runs import UsualRuntime
from trainops.domain.quotas import QuotaKind, quota_name
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.wording import counted, duration_text

LONG_ENOUGH_TO_LOSE = timedelta(hours=1)
"""A spot job that may run longer than this without checkpoints is worth a warning."""
FAR_UNDER = 0.75
"""A runtime limit below this part of the usual training time is no cautious choice, but a mistake."""


@dataclass(frozen=True, slots=True)
class JobWarning:
    """`words` follow the job's name and "started"; `reason` says what can happen, `step` what to do about it."""

    words: str
    reason: str
    step: str


def warnings_of(
    job: TrainingJob, usual: UsualRuntime | None = None, pool_quota: int | None = None
) -> tuple[JobWarning, ...]:
    """The warnings about a job, the costliest first; none from what is not known. `pool_quota` is in instances."""
    return (
        *_lost_work(job),
        *_stopped_early(job, usual),
        *_no_time_to_wait(job),
        *_shared_location(job),
        *_no_pool(job),
        *_no_quota(job, pool_quota),
    )


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


def _stopped_early(job: TrainingJob, usual: UsualRuntime | None) -> Iterator[JobWarning]:
    """What earlier runs took would not fit into the limit, and SageMaker stops at the limit without asking."""
    if usual and job.max_runtime and job.max_runtime < usual.trained * FAR_UNDER:
        limit = duration_text(job.max_runtime)
        runs = f"The last {counted(usual.runs, 'completed run')} of “{usual.series}” on these machines"
        yield JobWarning(
            "with a runtime limit far under the usual",
            f"{runs} trained {duration_text(usual.trained)} at the median; SageMaker stops this one after {limit}.",
            "Next: if it needs as long, stop it now and start it again with a longer MaxRuntimeInSeconds.",
        )


def _no_time_to_wait(job: TrainingJob) -> Iterator[JobWarning]:
    """The maximum wait counts waiting and training together (StoppingCondition)."""
    if job.spot and job.max_wait and job.max_runtime and job.max_wait < job.max_runtime:
        yield JobWarning(
            "with a wait limit below its runtime limit",
            f"Waiting for spot and training together end after {duration_text(job.max_wait)}, before the runtime limit "
            f"of {duration_text(job.max_runtime)}.",
            "Next: set MaxWaitTimeInSeconds to the runtime limit and the time you would wait for capacity.",
        )


def _no_quota(job: TrainingJob, quota: int | None) -> Iterator[JobWarning]:
    """A pool beyond its quota is never kept, and nothing fails (developer guide, warm pool resource limits)."""
    needed = job.instance_count
    if not job.keep_alive or job.spot or job.heterogeneous or quota is None or not needed or quota >= needed:
        return
    name = quota_name(QuotaKind.WARM_POOL, job.instance_type or "")
    yield JobWarning(
        "without the quota for its warm pool",
        f"The quota “{name}” is {quota}, and its pool of {duration_text(job.keep_alive)} needs {needed}: SageMaker "
        "will keep none, without an error.",
        f"Next: ask for {needed} in the settings' section quotas, or leave the keep-alive period out.",
    )
