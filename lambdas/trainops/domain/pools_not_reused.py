"""Why a job that started cold took none of the warm pools around it.

Pure. Candidates are the pools of the job's team that were open at its creation or had ended within the hour before; the
nearest is the one with the fewest differing fields, of several rather an idle one, then the one whose job ended last.
What the ledger has of an open pool may be older than reality: the answer says as of when, and "nothing differs" is only
said once the job is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from trainops.domain.pool_differences import differences
from trainops.domain.pool_misses import Difference, Missed, MissKind, PoolMiss
from trainops.domain.pools_taken import WHOLE_SECOND, started_warm
from trainops.domain.training_jobs import JobKey, TrainingJob
from trainops.domain.warm_pool_figures import avoided
from trainops.domain.warm_pools import PoolRecord, PoolState
from trainops.domain.wording import duration_text, money_text

WINDOW = timedelta(hours=1)
"""A pool that ended longer than this before a job is not missed by it."""
EARLY = timedelta(minutes=5)
"""A job created so little before a pool became Available came too early for it; one created earlier never waited."""
SAME_MOMENT = timedelta(minutes=1)
"""A pool that another job took so soon after this one was created was taken by the faster of the two."""
ON_TIME = timedelta(seconds=30)
"""How far an end may be from the keep-alive period's for SageMaker to have let the pool go by itself."""
UNKNOWN_HERE = "session tags, the order of subnets and security groups, whether SageMaker was patching it"
RESOURCES = frozenset({"ResourceConfig.InstanceType", "ResourceConfig.InstanceCount"})


@dataclass(frozen=True, slots=True)
class _Candidate:
    pool: PoolRecord
    differing: tuple[Difference, ...]
    gone: tuple[MissKind, str] | None
    """Why it was not there when the job came, in words that follow "the pool of …"; None while it was idle."""


def why_not_reused(
    job: TrainingJob, team: str, pools: Sequence[PoolRecord], as_of: datetime, *, final: bool
) -> PoolMiss | None:
    """The nearest pool and what kept the job from it; None when it started warm or no pool was around. `pools` are what
    the ledger had at `as_of`; `final` once it has had time to learn what became of an idle pool that fits.
    """
    if not job.described or started_warm(job, pools):
        return None
    found = [candidate for pool in pools if pool.team == team and (candidate := _candidate(job, pool))]
    if not found:
        return None
    best = min(found, key=lambda item: (len(item.differing), item.gone is not None, -item.pool.ended.timestamp()))
    if barred := _barred(job):
        return _for_barred(barred, best)
    if best.differing:
        return _for_fields(best, as_of)
    if best.gone:
        kind, words = best.gone
        return _miss(kind, best, f"the pool of {best.pool.name} {words}")
    return _miss(MissKind.NOTHING_DIFFERS, best, _nothing_differs(job, best.pool, as_of)) if final else None


def _candidate(job: TrainingJob, pool: PoolRecord) -> _Candidate | None:
    if pool.key == job.key or pool.state is PoolState.OUTSIDE:
        return None
    gone = _gone(job.key, pool)
    if gone is None and not _was_idle(job.key.created + WHOLE_SECOND, pool):
        return None
    differing = differences(pool.match, job.match)
    if job.heterogeneous:
        differing = tuple(item for item in differing if item.field not in RESOURCES)
    other_machines = any(item.field == "ResourceConfig.InstanceType" for item in differing)
    return None if other_machines and len(differing) > 1 else _Candidate(pool, differing, gone)


def _was_idle(then: datetime, pool: PoolRecord) -> bool:
    return pool.ended <= then < (pool.released or pool.expires) and not _unseen(pool)


def _unseen(pool: PoolRecord) -> bool:
    """Whether SageMaker has not been seen to keep it, or no longer knows its job."""
    return pool.state is PoolState.ABSENT or (pool.open and not pool.confirmed)


def _gone(job: JobKey, pool: PoolRecord) -> tuple[MissKind, str] | None:
    """Why a pool was not there when the job was created, if that was within the window."""
    created, released = job.created, pool.released or pool.expires
    if _unseen(pool):
        return _never_kept(pool, created)
    if pool.ended > created + WHOLE_SECOND:
        return _not_yet(pool, created)
    if pool.state is PoolState.REUSED and released <= created + SAME_MOMENT:
        return _before(created, released, MissKind.TAKEN, f"had been taken by {pool.reused_by or 'another job'}")
    return _let_go(pool, released, created) if released <= created + WHOLE_SECOND else None


def _let_go(pool: PoolRecord, released: datetime, created: datetime) -> tuple[MissKind, str] | None:
    """That nobody took it in its time, and who ended it if that was before."""
    if pool.state is PoolState.ENDED:
        ended = f"had been ended by trainops at {_clock(released)},"
        return _before(created, released, MissKind.ENDED, ended, _saving(pool))
    if released >= pool.expires - ON_TIME:
        idle = f", after {duration_text(pool.keep_alive)} idle"
        return _before(created, released, MissKind.EXPIRED, "had expired", idle)
    early = duration_text(pool.expires - released)
    more = f", {early} before its time was over; SageMaker does not say why: a patch update, or somebody ended it"
    if released - pool.ended < WHOLE_SECOND:
        more = ", together with its job, as after a failure that may have harmed it"
    return _before(created, released, MissKind.LET_GO, "had been let go", more)


def _before(
    created: datetime, when: datetime, kind: MissKind, what: str, more: str = ""
) -> tuple[MissKind, str] | None:
    ago = created - when
    distance = f"{duration_text(ago)} before" if ago >= WHOLE_SECOND else "at the same moment"
    return (kind, f"{what} {distance}{more}") if ago <= WINDOW else None


def _not_yet(pool: PoolRecord, created: datetime) -> tuple[MissKind, str] | None:
    late = pool.ended - created
    if late > EARLY or pool.key.created > created:
        return None
    return MissKind.EARLY, f"was not Available yet: its job ended {duration_text(late)} after this one was created"


def _never_kept(pool: PoolRecord, created: datetime) -> tuple[MissKind, str] | None:
    if pool.confirmed or not pool.ended <= created + WHOLE_SECOND <= pool.expires:
        return None
    return MissKind.NEVER_KEPT, f"was never seen although {pool.name} asked for it, probably for want of quota"


def _saving(pool: PoolRecord) -> str:
    saved = avoided(pool)
    money = f"avoiding {money_text(saved.usd)}" if saved and saved.usd is not None else "avoiding an unknown amount"
    return f", {money}" + (f" ({pool.plan.reason})" if pool.plan else "")


def _barred(job: TrainingJob) -> tuple[MissKind, str] | None:
    """What keeps a job from every pool (developer guide, considerations)."""
    if job.tuning_job:
        return MissKind.TUNING, "a tuning job made it, and warm pools do not apply to tuning jobs"
    if job.spot:
        return MissKind.SPOT, "managed spot jobs take no warm pool"
    if job.heterogeneous:
        return MissKind.GROUPS, "a cluster of several instance groups takes no warm pool"
    return None


def _for_barred(barred: tuple[MissKind, str], best: _Candidate) -> PoolMiss | None:
    """Worth saying only when the pool was there and would have fitted otherwise."""
    kind, why = barred
    if best.differing or best.gone:
        return None
    return _miss(kind, best, f"{why}; nothing else kept it from the pool of {best.pool.name}")


def _for_fields(best: _Candidate, as_of: datetime) -> PoolMiss:
    fields = "; ".join(map(str, best.differing))
    standing = f"it {best.gone[1]}" if best.gone else f"it was idle{_since(best.pool, as_of)}"
    return _miss(MissKind.FIELDS, best, f"the pool of {best.pool.name} does not match: {fields} ({standing})")


def _nothing_differs(job: TrainingJob, pool: PoolRecord, as_of: datetime) -> str:
    gap = job.key.created - pool.ended
    close = f", only {duration_text(max(gap, WHOLE_SECOND))} before this job was created" if gap < SAME_MOMENT else ""
    idle = f"which was idle{_since(pool, as_of)}{close}"
    return f"nothing documented differs from the pool of {pool.name}, {idle}; not known here: {UNKNOWN_HERE}"


def _since(pool: PoolRecord, as_of: datetime) -> str:
    return f" since {_clock(pool.ended)}" + (f", as of {_clock(as_of)}" if pool.open else "")


def _miss(kind: MissKind, best: _Candidate, reason: str) -> PoolMiss:
    return PoolMiss(missed=Missed.REUSE, kind=kind, reason=reason, pool=best.pool.name, differences=best.differing)


def _clock(when: datetime) -> str:
    return f"{when:%H:%M:%S} UTC"
