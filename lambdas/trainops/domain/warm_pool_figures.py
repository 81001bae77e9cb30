"""What a warm pool cost, what of it was wasted and what ending it early avoided: hours and US dollars.

Hours and money count all instances, at the training price (WarmPoolStatus: retained seconds are wall-clock). Avoided is
the rest of what the person asked for, and is never mixed with what managed spot saved. Unknown in, unknown out.
"""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from trainops.domain.spot_savings import HOUR, amount, seconds
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import PoolRecord, PoolState
from trainops.outcomes import Figures
from trainops.telemetry import Field, TeamMetric

KNOWN_ENDS = frozenset({PoolState.ENDED, PoolState.REUSED, PoolState.EXPIRED})


@dataclass(frozen=True, slots=True)
class Amount:
    """So many instance-hours and the money for them; either is None while unknown."""

    hours: Decimal | None
    usd: Decimal | None


def retained(pool: PoolRecord) -> Amount:
    """How long the pool was kept, from its job's end to its own."""
    return _amount(pool, pool.released - pool.ended if pool.released else None)


def idled(pool: PoolRecord) -> Amount:
    """The part that nobody used: all of it, unless a job took the pool."""
    return Amount(Decimal(0), Decimal(0)) if pool.state is PoolState.REUSED else retained(pool)


def avoided(pool: PoolRecord) -> Amount | None:
    """What was not kept of the period that was asked for, because the pool was ended; None when it was not."""
    if pool.state is not PoolState.ENDED or pool.released is None:
        return None
    return _amount(pool, max(pool.ended + pool.asked - pool.released, timedelta(0)))


def would_have_avoided(pool: PoolRecord) -> Amount | None:
    """While a team observes: the idle time after the moment at which its pool would have been ended."""
    if not _observed(pool) or pool.released is None:
        return None
    return _amount(pool, max(pool.released - (pool.would_end or pool.released), timedelta(0)))


def would_have_missed(pool: PoolRecord) -> bool:
    """While a team observes: whether the job that took the pool would have come too late."""
    late = pool.would_end is not None and pool.released is not None and pool.released > pool.would_end
    return late and _observed(pool) and pool.state is PoolState.REUSED


def figures(pool: PoolRecord) -> Figures:
    """What is published once when a pool is over; nothing for one that never was. What is missing from the sums is
    named in `Field.UNKNOWN`.
    """
    if pool.state not in KNOWN_ENDS:
        return {}
    found: dict[TeamMetric | Field, Decimal | int | str | bool] = {
        Field.POOLS_OVER: 1,
        Field.POOLS_REUSED: int(pool.state is PoolState.REUSED),
    }
    if pool.instance_type:
        found[Field.INSTANCE_TYPE] = pool.instance_type
    if _observed(pool):
        found[Field.WOULD_HAVE_MISSED] = int(would_have_missed(pool))
    for hours, usd, value in (
        (Field.RETAINED_HOURS, Field.RETAINED_USD, retained(pool)),
        (Field.IDLE_HOURS, TeamMetric.IDLE_POOL_USD, idled(pool)),
        (Field.AVOIDED_HOURS, TeamMetric.AVOIDED_POOL_USD, avoided(pool)),
        (Field.WOULD_AVOID_HOURS, TeamMetric.WOULD_AVOID_POOL_USD, would_have_avoided(pool)),
    ):
        if value and value.hours is not None:
            found[hours] = value.hours
        if value and value.usd is not None:
            found[usd] = value.usd
    if pool.price is None:
        found[Field.UNKNOWN] = f"price of {pool.instance_type}"
    return found


def _observed(pool: PoolRecord) -> bool:
    return pool.plan is not None and pool.plan.mode is Mode.OBSERVE


def _amount(pool: PoolRecord, time: timedelta | None) -> Amount:
    if time is None or pool.instance_count is None:
        return Amount(None, None)
    hours = seconds(time) * pool.instance_count / HOUR
    return Amount(hours, amount(time, pool.instance_count, pool.price))
