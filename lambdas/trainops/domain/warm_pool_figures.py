"""What a warm pool cost, what of it was wasted and what ending it early avoided: hours and US dollars.

Hours and money count all instances, at the training price (WarmPoolStatus: retained seconds are wall-clock). Avoided is
the rest of what the person asked for, and is never mixed with what managed spot saved. Unknown in, unknown out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from trainops.domain.spot_savings import HOUR, amount, seconds
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import PoolRecord, PoolState
from trainops.telemetry import Metric

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


def figures(pool: PoolRecord) -> Mapping[Metric, Decimal]:
    """What is published once when a pool is over; nothing for one that never was."""
    if pool.state not in KNOWN_ENDS:
        return {}
    found: dict[Metric, Decimal] = {
        Metric.POOLS_OVER: Decimal(1),
        Metric.POOLS_REUSED: Decimal(int(pool.state is PoolState.REUSED)),
        Metric.POOLS_WITHOUT_PRICE: Decimal(int(pool.price is None)),
    }
    if _observed(pool):
        found[Metric.WOULD_HAVE_MISSED] = Decimal(int(would_have_missed(pool)))
    for hours, usd, value in (
        (Metric.RETAINED_HOURS, Metric.RETAINED_USD, retained(pool)),
        (Metric.IDLE_HOURS, Metric.IDLE_USD, idled(pool)),
        (Metric.AVOIDED_HOURS, Metric.AVOIDED_USD, avoided(pool)),
        (Metric.WOULD_AVOID_HOURS, Metric.WOULD_AVOID_USD, would_have_avoided(pool)),
    ):
        if value and value.hours is not None:
            found[hours] = value.hours
        if value and value.usd is not None:
            found[usd] = value.usd
    return found


def _observed(pool: PoolRecord) -> bool:
    return pool.plan is not None and pool.plan.mode is Mode.OBSERVE


def _amount(pool: PoolRecord, time: timedelta | None) -> Amount:
    if time is None or pool.instance_count is None:
        return Amount(None, None)
    hours = seconds(time) * pool.instance_count / HOUR
    return Amount(hours, amount(time, pool.instance_count, pool.price))
