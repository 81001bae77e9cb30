"""Why an ended job that asked for a warm pool left none.

Pure. SageMaker raises no error and names no reason when it keeps no pool; that its warm-pool quota is short, which is 0
by default, is the usual one (developer guide, "Warm pool resource limits"). A quota that is not known is said to be so.
"""

from collections.abc import Iterable, Sequence

from trainops.domain.pool_misses import Missed, MissKind, PoolMiss
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.warm_pool_figures import KNOWN_ENDS
from trainops.domain.warm_pools import PoolRecord, PoolState, no_pool
from trainops.domain.wording import duration_text, instances_text


def why_not_kept(job: TrainingJob, pools: Sequence[PoolRecord], quota: int | None) -> PoolMiss | None:
    """What is short or in the way, from SageMaker's answer at the job's end; None when a pool was kept, none was asked
    for, or the job never had a cluster. `pools` are those the ledger knows, of any team, its own included once there is
    one; `quota` is the number of instances that may be kept, None when it is not known.
    """
    if not misses_pool(job, pools):
        return None
    own = _own(job, pools)
    asked = f"it asked for {instances_text(job.instance_count, job.instance_type)} for {duration_text(job.keep_alive)}"
    if reason := no_pool(job):
        return _miss(_barred(job), f"{asked}, but {reason}")
    if job.started is None:
        return None
    if job.warm_pool:
        why = "it let the cluster go with the job, as after a failure that may have harmed it"
        return _miss(MissKind.LET_GO, f"{asked}, and SageMaker kept none: {why}")
    shows = "never showed one" if own and own.state is PoolState.ABSENT else "shows none so far"
    return _miss(MissKind.QUOTA, f"{asked}, and SageMaker {shows}; {_quota_text(job, pools, quota)}")


def misses_pool(job: TrainingJob, pools: Iterable[PoolRecord]) -> bool:
    """Whether an ended job asked for a pool of which neither SageMaker's answer nor its own among `pools` shows a
    trace.
    """
    return bool(job.described and job.terminal and job.keep_alive) and not _kept(job, _own(job, pools))


def quota_name(instance_type: str | None) -> str:
    """The quota's name in Service Quotas, as SageMaker's own errors quote such names."""
    return f"{instance_type} for training warm pool usage"


def needed(job: TrainingJob, pools: Iterable[PoolRecord]) -> int | None:
    """Instances that the quota must allow: this pool's and those of the idle pools of its type; None while unknown."""
    if job.instance_count is None:
        return None
    others = (pool for pool in pools if pool.open and pool.confirmed and pool.key != job.key)
    return job.instance_count + sum(
        pool.instance_count or 0 for pool in others if pool.instance_type == job.instance_type
    )


def _quota_text(job: TrainingJob, pools: Iterable[PoolRecord], quota: int | None) -> str:
    name, need = f'the quota "{quota_name(job.instance_type)}"', needed(job, pools)
    wanted = f"needed {need}" if need is not None else "needed: unknown"
    if quota is None:
        return f"most likely {name} is short (value not known here, default 0, {wanted})"
    if need is not None and quota >= need:
        return f"{name} allows it (value {quota}, {wanted}), so the reason is not known"
    return f"{name} is short (value {quota}, {wanted})"


def _own(job: TrainingJob, pools: Iterable[PoolRecord]) -> PoolRecord | None:
    return next((pool for pool in pools if pool.key == job.key), None)


def _kept(job: TrainingJob, own: PoolRecord | None) -> bool:
    if own and (own.confirmed or own.state in KNOWN_ENDS):
        return True
    pool = job.warm_pool
    return pool is not None and not (pool.status == "Terminated" and not pool.retained_billable)


def _barred(job: TrainingJob) -> MissKind:
    if job.tuning_job:
        return MissKind.TUNING
    return MissKind.SPOT if job.spot else MissKind.GROUPS


def _miss(kind: MissKind, reason: str) -> PoolMiss:
    return PoolMiss(missed=Missed.POOL, kind=kind, reason=reason)
