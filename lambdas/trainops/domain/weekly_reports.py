"""What one team's jobs and warm pools came to in a week, and what would have made them cheaper.

Used by `weekly_report`, from the ledger alone. Money is an estimate at on-demand list prices; what misses a part is in
no sum, and counted.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from trainops.domain.failures import classify
from trainops.domain.fleet_savings import FleetSavings, by_instance_type, fleet_savings
from trainops.domain.job_facts import never_started
from trainops.domain.job_records import JobRecord
from trainops.domain.keep_alive_economics import WAITING_VALUE
from trainops.domain.report_weeks import Week
from trainops.domain.spot_savings import estimated_cost
from trainops.domain.start_latency import Start
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_figures import KNOWN_ENDS, avoided, idled, would_have_avoided
from trainops.domain.warm_pools import PoolRecord, PoolState

INSTALLS = "what installing packages at the start costs, since logs are not read"
Zero = Decimal(0)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What would be cheaper: why, what to do, and about what it is worth a week. None is a worth that is unknown."""

    reason: str
    step: str
    worth_usd: Decimal | None


@dataclass(frozen=True, slots=True)
class TypeSavings:
    """What managed spot came to on one instance type."""

    kind: str
    sums: FleetSavings


@dataclass(frozen=True, slots=True)
class FailureCount:
    """Failed jobs of one class, and what those with a known cost cost together; None without any."""

    name: str
    jobs: int
    cost_usd: Decimal | None


@dataclass(frozen=True, slots=True)
class PoolSums:
    """Warm pools that were over in the week; `unpriced` ones are in no sum of money."""

    over: int = 0
    reused: int = 0
    idle_usd: Decimal = Zero
    avoided_usd: Decimal = Zero
    would_avoid_usd: Decimal = Zero
    unpriced: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamWeek:
    """What a report is made from. `installs` are the times that jobs spent on installing, as far as their logs were
    read; None when nobody may read them.
    """

    team: str
    week: Week
    records: Sequence[JobRecord] = ()
    pools: Sequence[PoolRecord] = ()
    starts: Mapping[JobKey, Start | None] = field(default_factory=dict)
    waiting_usd_per_hour: Decimal = WAITING_VALUE
    installs: Mapping[JobKey, timedelta] | None = None
    subscriptions_missing: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyReport:
    """The ledger's item. `told` once its event is on the bus, or when there was nothing to tell."""

    team: str
    since: datetime
    until: datetime
    arn: str = ""
    """Of one of the jobs: the account and Region are in it."""
    outcomes: Mapping[str, int] = field(default_factory=dict)
    cost_usd: Decimal = Zero
    unpriced: int = 0
    spot: FleetSavings = field(default_factory=FleetSavings)
    types: tuple[TypeSavings, ...] = ()
    pools: PoolSums = field(default_factory=PoolSums)
    failures: tuple[FailureCount, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    unknown: tuple[str, ...] = ()
    subscriptions_missing: Mapping[str, int] = field(default_factory=dict)
    """By topic: how many of those that the settings name are not confirmed, or gone."""
    told: bool = False

    @property
    def jobs(self) -> int:
        """How many jobs ended."""
        return sum(self.outcomes.values())

    @property
    def empty(self) -> bool:
        """Whether nothing happened that anybody would want to read of."""
        return not (self.jobs or self.pools.over)


def report_of(given: TeamWeek, suggestions: Sequence[Suggestion]) -> WeeklyReport:
    """The figures of a week, with the suggestions that were chosen."""
    records = given.records
    costs = [_cost(record) for record in records]
    outcomes: dict[str, int] = defaultdict(int)
    for record in records:
        outcomes[record.job.status] += 1
    some = [*(record.job.key.arn for record in records), *(pool.key.arn for pool in given.pools)]
    types = [TypeSavings(kind, sums) for kind, sums in by_instance_type(records).items() if sums.jobs]
    return WeeklyReport(
        team=given.team,
        since=given.week.since,
        until=given.week.until,
        arn=some[0] if some else "",
        outcomes=dict(outcomes),
        cost_usd=sum((cost for cost in costs if cost is not None), Zero),
        unpriced=costs.count(None),
        spot=fleet_savings(records),
        types=tuple(sorted(types, key=lambda item: (-item.sums.on_demand_usd, item.kind))),
        pools=pool_sums(given.pools),
        failures=_failures(records),
        suggestions=tuple(suggestions),
        unknown=() if given.installs is not None else (INSTALLS,),
        subscriptions_missing=given.subscriptions_missing,
    )


def pool_sums(pools: Iterable[PoolRecord]) -> PoolSums:
    """The sums of pools that are over; one that never was is none of them."""
    over = [pool for pool in pools if pool.state in KNOWN_ENDS]
    return PoolSums(
        over=len(over),
        reused=sum(pool.state is PoolState.REUSED for pool in over),
        idle_usd=sum((idled(pool).usd or Zero for pool in over), Zero),
        avoided_usd=sum((found.usd or Zero for pool in over if (found := avoided(pool))), Zero),
        would_avoid_usd=sum((found.usd or Zero for pool in over if (found := would_have_avoided(pool))), Zero),
        unpriced=sum(idled(pool).usd is None for pool in over),
    )


def _failures(records: Iterable[JobRecord]) -> tuple[FailureCount, ...]:
    found: dict[str, list[Decimal | None]] = defaultdict(list)
    for record in records:
        if record.job.status == "Failed":
            name = classify(record.job.failure_reason, record.job.secondary_status).name.value
            found[name].append(_cost(record))
    counts = [FailureCount(name, len(costs), _sum(costs)) for name, costs in found.items()]
    return tuple(sorted(counts, key=lambda item: (-item.jobs, item.name)))


def _cost(record: JobRecord) -> Decimal | None:
    """A job that never started costs nothing, and that is known."""
    if never_started(record.job) and not record.job.billable_time:
        return Zero
    return estimated_cost(record.job, record.price)


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Zero) if known else None
