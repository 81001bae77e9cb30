"""Whether a job took a warm pool: SageMaker shows it while the job runs, and at the pool's former job for good."""

from collections.abc import Iterable
from datetime import timedelta

from trainops.domain.training_jobs import TrainingJob
from trainops.domain.warm_pools import PoolRecord

WHOLE_SECOND = timedelta(seconds=1)
"""A creation time is cut to whole seconds, a retained time rounded to them."""


def started_warm(job: TrainingJob, pools: Iterable[PoolRecord]) -> bool:
    """Whether SageMaker showed the job with a pool in use, or showed one of the pools as reused by it."""
    in_use = job.warm_pool is not None and job.warm_pool.status == "InUse"
    return in_use or any(_is(job, pool.reused_by) for pool in pools)


def may_have_taken(job: TrainingJob, pools: Iterable[PoolRecord]) -> list[PoolRecord]:
    """The pools of its kind that the ledger believes to be idle since before the job came, the youngest first. Whether
    it took one of them is known to SageMaker alone.
    """
    if not job.described or not job.match_fingerprint or job.spot or job.tuning_job or job.heterogeneous:
        return []
    idle = [pool for pool in pools if pool.open and pool.match_fingerprint == job.match_fingerprint]
    found = [pool for pool in idle if pool.key != job.key and pool.ended <= job.key.created + WHOLE_SECOND]
    return sorted(found, key=lambda pool: pool.ended, reverse=True)


def took(job: TrainingJob, pool: PoolRecord, left_it: TrainingJob | None) -> bool:
    """Whether SageMaker shows a pool as reused by the job; `left_it` is its answer about the job that left the pool."""
    if left_it is None or left_it.key != pool.key or left_it.warm_pool is None:
        return False
    return _is(job, left_it.warm_pool.reused_by)


def _is(job: TrainingJob, name: str | None) -> bool:
    return name is not None and name.lower() == job.name.lower()
