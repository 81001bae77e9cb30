"""What a pool has become, once SageMaker was asked: the item as it should be, from the answer.

Pure. A pool's status is read, never guessed from how its job ended; that it was reused, let go or patched away between
two looks is an ordinary outcome and no error.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from trainops.domain.training_jobs import TrainingJob
from trainops.domain.warm_pool_figures import avoided
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pool_steps import SETTLE_AFTER
from trainops.domain.warm_pools import REFUSED, News, NewsKind, PoolRecord, PoolState
from trainops.domain.wording import duration_text, money_text

CONFIRM_AFTER = timedelta(seconds=20)
"""When to look again for what SageMaker should show any moment: a new pool, or the end of one."""
END_SHOWN_WITHIN = (CONFIRM_AFTER, timedelta(minutes=2), timedelta(minutes=10))
"""How long each request for an end is given before the next; how long an end takes is not documented."""
SHOWN_AFTER = timedelta(minutes=2)
"""WarmPoolStatus may be missing just after a job's end; after this it is taken at its word."""


def seen(pool: PoolRecord, job: TrainingJob | None, now: datetime) -> PoolRecord:
    """The pool as SageMaker's answer leaves it; `job` is None when the API does not know the job any more. An answer
    about another run under the same name says that this run, and so its pool, is gone.
    """
    if job is None or job.key != pool.key:
        return _final(pool, PoolState.ABSENT)
    if job.warm_pool is None:
        return _final(pool, PoolState.ABSENT) if now - pool.ended >= SHOWN_AFTER else pool
    kept = job.warm_pool.retained_billable
    released = pool.ended + kept if kept is not None else now
    if job.warm_pool.status == "Reused":
        taken = replace(pool, reused_by=job.warm_pool.reused_by, next_start=pool.next_start or released)
        return _final(replace(taken, next_job=pool.next_job or job.warm_pool.reused_by), PoolState.REUSED, released)
    if job.warm_pool.status == "Terminated":
        ours = pool.requested_at is not None and released >= pool.requested_at - SHOWN_AFTER
        over = _final(pool, PoolState.ENDED if ours else PoolState.EXPIRED, released)
        return over.saying(NewsKind.ENDED, News(NewsKind.ENDED, now, _ended_reason(over))) if ours else over
    return _still_there(pool, job, now)


def _still_there(pool: PoolRecord, job: TrainingJob, now: datetime) -> PoolRecord:
    """Available: a period that a person changed meanwhile holds, one that we set does not count as asked for; one that
    outlived its end counts from its update.
    """
    keep_alive = job.keep_alive if job.keep_alive is not None else pool.keep_alive
    asked = pool.asked if pool.extended_at or pool.requested_at else keep_alive
    current = replace(pool, keep_alive=keep_alive, asked=asked, tags=job.tags, confirmed=True)
    if pool.extended_at and now > current.expires:
        return replace(current, counts_from=pool.extended_at)
    return current


def _final(pool: PoolRecord, state: PoolState, released: datetime | None = None) -> PoolRecord:
    over = replace(pool, state=state, released=released, look_at=None)
    return replace(over, would_end=_passed(over))


def _passed(pool: PoolRecord) -> datetime | None:
    """When an observed pool would have been ended: news of it came only after it had been let go, but its time had
    passed before.
    """
    plan = pool.plan
    if pool.would_end or plan is None or plan.mode is not Mode.OBSERVE or pool.released is None:
        return pool.would_end
    due = max(plan.due, pool.ended)
    return due if due < pool.released else None


def _ended_reason(pool: PoolRecord) -> str:
    saved, kept = avoided(pool), pool.released - pool.ended if pool.released else None
    money = money_text(saved.usd if saved else None)
    why = pool.plan.reason if pool.plan else ""
    return f"ended {duration_text(kept)} after its job, avoids {money}: {why}"


def refused(pool: PoolRecord, why: str, now: datetime) -> PoolRecord:
    """A pool that is still there although SageMaker was asked to end or extend it; it is not asked again."""
    back = replace(pool, state=PoolState.KEPT, refusal=why, look_at=max(pool.expires, now) + SETTLE_AFTER)
    reason = f"SageMaker would not do it, so it stays and is billed: {why}"
    return back.saying(REFUSED, News(NewsKind.ENDED, now, reason))


def asked_to_end(pool: PoolRecord, now: datetime) -> PoolRecord:
    """A pool that SageMaker shows as Available just after it was asked, once more, to end it: when to look again."""
    return replace(pool, requests=pool.requests + 1, look_at=now + END_SHOWN_WITHIN[pool.requests])


def never_ended(pool: PoolRecord, now: datetime) -> PoolRecord | None:
    """The pool as refused once every request has had its time; None while another can be made."""
    if pool.requests < len(END_SHOWN_WITHIN):
        return None
    waited = duration_text(now - pool.requested_at if pool.requested_at else None)
    return refused(pool, f"it agreed, was asked {pool.requests} times in {waited}, and it is still Available", now)


def unconfirmed(pool: PoolRecord, now: datetime) -> PoolRecord:
    """A pool that SageMaker does not show yet: nothing is told or done until it does; looks grow apart."""
    return replace(pool, look_at=now + max(now - pool.ended, CONFIRM_AFTER))


def telling_end(pool: PoolRecord, ends: datetime, now: datetime) -> PoolRecord:
    """A pool whose owner is told that it will end, and when."""
    reason = pool.plan.reason if pool.plan and pool.plan.mode is Mode.ENFORCE else ""
    told = replace(pool, state=PoolState.WARNED, look_at=ends)
    return told.saying(f"{NewsKind.ENDING}/{ends:%Y-%m-%dT%H:%M:%SZ}", News(NewsKind.ENDING, now, reason))
