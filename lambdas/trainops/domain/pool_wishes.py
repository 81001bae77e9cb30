"""What a person's press means for one pool: until when it should be kept, and the words of the answer.

Pure. A wish is kept on the pool's item; the plan honours it until its time is over, whether or not the team enforces.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from trainops.domain.cards import ActionName
from trainops.domain.job_records import JobRecord
from trainops.domain.pool_actions import EXTENSION, STOP_WINDOW
from trainops.domain.presses import Press
from trainops.domain.warm_pool_holds import HOLD_TAG, hold_text
from trainops.domain.warm_pool_settings import PoolSettings
from trainops.domain.warm_pools import Plan, PoolRecord, PoolState

SAME_PRESS = timedelta(minutes=1)
"""Two presses of "extend" this close are one: a double click, or two people who saw the same message."""
LIFE = timedelta(days=28)
"""A cluster lives no longer (developer guide, warm pools)."""
PAUSED = "trainops is paused (`trainops resume` lets it act again), so nothing was done."
RETRY = "SageMaker does not show this pool yet, so nothing was done. Press again in a minute."


@dataclass(frozen=True, slots=True)
class Wish:
    """`until` is when the pool should be kept to; None when nothing is to be done, and `words` say why."""

    until: datetime | None
    words: str


def without_pool(record: JobRecord | None) -> str:
    """The answer where there is no pool to act on."""
    if record is None:
        return "The ledger does not know this training job any more, so nothing was done."
    if not record.job.terminal:
        running = f"{record.job.name} is still {record.job.status}, so there is no idle pool and nothing was done"
        return f"{running}. {STOP_WINDOW}."
    return f"{record.job.name} left no warm pool, so nothing was done."


def over(pool: PoolRecord) -> str:
    """The answer about a pool that is over."""
    what = {
        PoolState.REUSED: f"{pool.reused_by or 'another job'} has taken it",
        PoolState.ENDED: "it was ended before",
        PoolState.EXPIRED: "its time was over",
        PoolState.OUTSIDE: "its job is outside scope.tags",
    }.get(pool.state, "it is not there")
    return f"Nothing was done to the warm pool of {pool.name}: {what}."


def wish(press: Press, pool: PoolRecord, settings: PoolSettings, before: datetime | None) -> Wish:
    """How long a press of extend or hold keeps the pool; `before` is what an earlier try of the same press decided."""
    if press.action is ActionName.EXTEND:
        if before is None and pool.wanted_at and press.at - pool.wanted_at < SAME_PRESS:
            return Wish(None, f"The warm pool of {pool.name} was extended a moment ago; not once more.")
        asked = before or max(pool.expires, pool.wanted_until or pool.expires) + EXTENSION
    elif press.until is None or press.until <= press.at:
        return Wish(None, "That time is over, so nothing was done. Choose a later one.")
    else:
        asked = press.until
    latest = pool.ended + min(settings.longest_hold, LIFE)
    if latest <= pool.expires and asked > pool.expires:
        return Wish(None, f"Nothing was done: team {pool.team} keeps no pool beyond {_text(latest)}.")
    if asked <= pool.expires and press.action is ActionName.HOLD and not _ends_before(pool, asked):
        return Wish(None, f"The warm pool of {pool.name} is kept until {_text(pool.expires)} anyway.")
    return Wish(min(asked, latest), "" if asked <= latest else f" Team {pool.team} allows no more.")


def wanted(pool: PoolRecord, until: datetime, press: Press) -> PoolRecord:
    """The pool with a person's wish; a hold's tag is among its tags from now on."""
    tags = {**pool.tags, HOLD_TAG: hold_text(until)} if press.action is ActionName.HOLD else pool.tags
    by = f"{press.user} in Slack"
    kept = PoolState.KEPT if pool.state is PoolState.WARNED else pool.state
    return replace(pool, tags=tags, wanted_until=until, wanted_at=press.at, wanted_by=by, state=kept)


def kept_words(pool: PoolRecord, until: datetime, note: str) -> str:
    """The answer once SageMaker was asked for more time; a refusal is said, and what could not be had yet."""
    if not pool.open:
        return over(pool)
    if pool.refusal:
        return f"SageMaker would not keep the warm pool of {pool.name} longer: {pool.refusal}"
    if pool.expires >= until:
        return f"The warm pool of {pool.name} is kept, and billed, until {_text(until)}, unless a job takes it.{note}"
    return (
        f"The warm pool of {pool.name} is kept, and billed, until {_text(pool.expires)}: SageMaker takes no longer "
        f"period at once. It is extended again towards {_text(until)} while it lives.{note}"
    )


def stopped_words(pool: PoolRecord) -> str:
    """The answer once SageMaker was asked to end the pool."""
    if pool.refusal:
        return f"SageMaker would not end the warm pool of {pool.name}: {pool.refusal}"
    if pool.state is PoolState.ENDED:
        return f"The warm pool of {pool.name} was ended."
    return (
        f"The end of the warm pool of {pool.name} was asked for; SageMaker has not shown it yet."
        if pool.open
        else over(pool)
    )


def stopping(pool: PoolRecord, plan: Plan, press: Press) -> PoolRecord:
    """The pool with the reason of its end."""
    reason = f"stopped by {press.user} in Slack"
    return replace(pool, wanted_until=None, plan=replace(plan, due=press.at, policy="person", reason=reason))


def _ends_before(pool: PoolRecord, asked: datetime) -> bool:
    """Whether its plan would end the pool before the time that a person asks for."""
    return pool.plan is not None and pool.plan.due < asked


def _text(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M} UTC"
