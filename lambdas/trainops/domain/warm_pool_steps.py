"""What to do with a pool that is looked at: wait, read, tell its owner, end it, extend it, or see what became of it.

Pure. `warm_pool_control` applies the step; it re-reads the pool from SageMaker before it changes anything.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import Plan, PoolRecord, PoolState

SETTLE_AFTER = timedelta(minutes=1)
"""How long after its time a pool that SageMaker lets go is read once more, for its final bill."""
EXTEND_BEFORE = timedelta(minutes=5)
"""How long before a pool would expire it is extended, or read for a hold: time for a few tries."""
AGAIN = timedelta(minutes=15)
"""When to look again at a pool that outlived its time, or that the kill switch saved."""


class StepKind(StrEnum):
    """`settle` reads what became of a pool whose time is over, or whose end was asked for; `read` is a last look, tags
    included, at one that SageMaker will soon let go: somebody may have come to hold it.
    """

    WAIT = "wait"
    WARN = "warn"
    END = "end"
    EXTEND = "extend"
    SETTLE = "settle"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Step:
    """`at` is when to look again: for a warning, when the pool will be ended."""

    kind: StepKind
    at: datetime


def next_step(pool: PoolRecord, plan: Plan, grace: timedelta, now: datetime) -> Step:
    """The step for an open pool under the plan that holds now."""
    over = pool.expires + SETTLE_AFTER
    if pool.state is PoolState.REQUESTED or now >= over:
        return Step(StepKind.SETTLE, now + AGAIN)
    wished = pool.wanted_until is not None and now < pool.wanted_until and pool.expires < pool.wanted_until
    if (plan.mode is Mode.OBSERVE and not wished) or pool.refusal:
        soon = plan.due if pool.would_end is None and not pool.refusal else over
        return Step(StepKind.WAIT, min(max(soon, now), over))
    if plan.holding and pool.expires < plan.holding:
        at = pool.expires - EXTEND_BEFORE
        return Step(StepKind.EXTEND, over) if now >= at else Step(StepKind.WAIT, at)
    if plan.due >= pool.expires:
        at = pool.expires - EXTEND_BEFORE
        return Step(StepKind.READ, over) if now >= at else Step(StepKind.WAIT, at)
    return _towards_end(pool, plan, grace, now, over)


def _towards_end(pool: PoolRecord, plan: Plan, grace: timedelta, now: datetime, over: datetime) -> Step:
    if pool.state is PoolState.WARNED and pool.look_at and plan.due <= max(pool.look_at, now):
        return Step(StepKind.END, over) if now >= pool.look_at else Step(StepKind.WAIT, pool.look_at)
    if now < plan.due - grace:
        return Step(StepKind.WAIT, plan.due - grace)
    if not grace:
        return Step(StepKind.END, over)
    ends = max(plan.due, now + grace)
    return Step(StepKind.WARN, ends) if ends < pool.expires else Step(StepKind.WAIT, over)
