"""What a cold start is worth against keeping a warm pool idle: the break-even idle time and what it is made of.

Used by every keep-alive decision. An idle pool costs its price every second; a cold start costs people's waiting and
the start-up that is billed. They are equal after `B = V x (L + q x D) / (p x n) + L_b` seconds of idle time.
Provisioning is not billed (TrainingStartTime and BillableTimeInSeconds, DescribeTrainingJob), so money alone never
justifies a long-lived pool: V, what an hour of waiting is worth, has to be said, and every reason says it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from statistics import median

from trainops.domain.job_records import Price
from trainops.domain.spot_savings import HOUR, seconds
from trainops.domain.wording import duration_text, instances_text, money_text, percent_text

WAITING_VALUE = Decimal(60)
"""US dollars that an hour of waiting is worth while a team has not said otherwise."""
ASSUMED_SAVING = timedelta(seconds=140)
"""How much sooner a warm job starts, until a team's own starts say (public reports: minutes against 20 seconds)."""
ENOUGH_STARTS = 5
"""So many cold and so many warm starts make a measurement."""


@dataclass(frozen=True, slots=True)
class StartSaving:
    """What reusing a pool saves at a job's start: `waited` (L) for people, `billed` (L_b, the part of it that is
    billed: image and data download), and where that comes from.
    """

    waited: timedelta = ASSUMED_SAVING
    billed: timedelta = timedelta(0)
    source: str = "assumed"


@dataclass(frozen=True, slots=True)
class Shortage:
    """The risk that a cold start finds too little capacity: its probability (q) and how long the job then waits (D)."""

    chance: Decimal = Decimal(0)
    delay: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Economics:
    """What a decision has to know about one pool's money. `price` is per instance-hour; None means unknown."""

    price: Price | None
    instance_type: str | None
    instance_count: int | None
    waiting_value: Decimal = WAITING_VALUE
    saving: StartSaving = StartSaving()
    shortage: Shortage = Shortage()


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is at stake for one pool: `cold_usd` for a cold start, `usd_per_second` for idling, all instances together.
    Floats, since they only weigh alternatives; no amount made of them is booked.
    """

    cold_usd: float
    usd_per_second: float

    @property
    def break_even(self) -> float:
        """B in seconds: idling so long costs as much as one cold start."""
        return self.cold_usd / self.usd_per_second


def measured_saving(
    cold: Sequence[timedelta],
    warm: Sequence[timedelta],
    cold_billed: Sequence[timedelta] = (),
    warm_billed: Sequence[timedelta] = (),
) -> StartSaving:
    """The saving from a team's own starts: cold median minus warm median, never below zero.

    A start lasts from CreationTime to the `Training` transition (SecondaryStatusTransitions), its billed part from
    TrainingStartTime on. With fewer than five starts of either kind L is the assumed one, and L_b then stays zero,
    which favours releasing.
    """
    waited, billed = _difference(cold, warm), _difference(cold_billed, warm_billed)
    if waited is None:
        return StartSaving()
    return StartSaving(waited, min(billed or timedelta(0), waited), f"median of {len(cold)} cold and {len(warm)} warm")


@lru_cache(maxsize=256)
def stakes_of(economics: Economics) -> Stakes | None:
    """What is at stake, or None while price or instance count is unknown, or the price is zero."""
    price, count = economics.price, economics.instance_count
    if price is None or not count or price.usd_per_hour <= 0:
        return None
    per_second = price.usd_per_hour * count / HOUR
    expected_wait = seconds(economics.saving.waited) + economics.shortage.chance * seconds(economics.shortage.delay)
    cold = economics.waiting_value * expected_wait / HOUR + per_second * seconds(economics.saving.billed)
    return Stakes(float(cold), float(per_second))


def stakes_text(economics: Economics, stakes: Stakes) -> str:
    """The sentence that names the waiting value and what follows from it, for a decision's reason."""
    saving = economics.saving
    waits = f"{duration_text(saving.waited)} of waiting ({saving.source})"
    if economics.shortage.chance:
        cases = percent_text(economics.shortage.chance * 100)
        waits += f" and {duration_text(economics.shortage.delay)} more in {cases} of cases"
    return (
        f"with waiting at {money_text(economics.waiting_value)} an hour a cold start is worth "
        f"{money_text(Decimal(stakes.cold_usd))} ({waits}), as much as "
        f"{duration_text(timedelta(seconds=stakes.break_even))} of idling on "
        f"{instances_text(economics.instance_count, economics.instance_type)}"
    )


def _difference(cold: Sequence[timedelta], warm: Sequence[timedelta]) -> timedelta | None:
    if min(len(cold), len(warm)) < ENOUGH_STARTS:
        return None
    cold_median, warm_median = (median(start.total_seconds() for start in starts) for starts in (cold, warm))
    return timedelta(seconds=max(cold_median - warm_median, 0.0))
