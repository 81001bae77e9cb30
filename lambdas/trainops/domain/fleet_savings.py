"""What managed spot saved over many jobs: ratios of sums, by instance-seconds and by money.

A mean of the jobs' percentages would let ten tiny jobs hide a giant one. Jobs that miss a part are counted apart. An
overrun (billed for longer than trained) stays in the sums, which would be too good without it, and is shown apart.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from trainops.domain.job_facts import never_started
from trainops.domain.job_records import JobRecord
from trainops.domain.spot_savings import TENTH, amount, overrun, seconds, wasted_time

Zero = Decimal(0)


@dataclass(frozen=True, slots=True)
class FleetSavings:
    """Sums over spot jobs that have ended; money only of those with a price."""

    jobs: int = 0
    training_seconds: Decimal = Zero
    billable_seconds: Decimal = Zero
    on_demand_usd: Decimal = Zero
    billed_usd: Decimal = Zero
    overrun_seconds: Decimal = Zero
    wasted_seconds: Decimal = Zero
    """Trained instance-seconds of jobs that nothing was saved of."""
    incomplete: int = 0
    """Jobs that miss a time or the number of instances, and so are in no sum."""
    unpriced: int = 0

    @property
    def percent_by_time(self) -> Decimal | None:
        """Percent of the instance-seconds that were not billed, never below 0; None without any."""
        return _percent(self.billable_seconds, self.training_seconds)

    @property
    def percent_by_money(self) -> Decimal | None:
        """Percent of the on-demand price that was not billed, never below 0; None without any."""
        return _percent(self.billed_usd, self.on_demand_usd)

    @property
    def worse_than_on_demand(self) -> bool:
        """Whether more was billed than what came of it: the trained time of all jobs but those that were wasted."""
        return self.jobs > 0 and self.billable_seconds > self.training_seconds - self.wasted_seconds

    @property
    def wasted(self) -> timedelta:
        """The trained time of all instances of which nothing is left. What was not billed of it is in the sums, which
        say what was paid and not what it was worth.
        """
        return timedelta(seconds=float(self.wasted_seconds))

    def plus(self, record: JobRecord) -> "FleetSavings":
        """With one more job; one that is not spot, or never started, changes nothing."""
        job = record.job
        if not job.spot or (never_started(job) and not job.billable_time):
            return self
        training, billable, count = job.training_time, job.billable_time, job.instances
        if not training or billable is None or not count:
            return _with(self, incomplete=1)
        on_demand, billed = (amount(time, count, record.price) for time in (training, billable))
        return _with(
            self,
            jobs=1,
            training_seconds=seconds(training) * count,
            billable_seconds=seconds(billable) * count,
            on_demand_usd=on_demand or Zero,
            billed_usd=billed or Zero,
            overrun_seconds=seconds(overrun(job)) * count,
            wasted_seconds=seconds(training if wasted_time(job) else timedelta(0)) * count,
            unpriced=int(record.price is None),
        )


def fleet_savings(records: Iterable[JobRecord]) -> FleetSavings:
    """The sums over all spot jobs among these."""
    total = FleetSavings()
    for record in records:
        total = total.plus(record)
    return total


def by_instance_type(records: Iterable[JobRecord]) -> Mapping[str, FleetSavings]:
    """The sums of each instance type; of instance groups, of the types together."""
    found: dict[str, FleetSavings] = {}
    for record in records:
        kind = "+".join(sorted(record.job.groups)) or record.job.instance_type or "unknown type"
        found[kind] = found.get(kind, FleetSavings()).plus(record)
    return found


def _with(sums: FleetSavings, **more: Decimal | int) -> FleetSavings:
    added = {name: getattr(sums, name) + more.get(name, 0) for name in FleetSavings.__dataclass_fields__}
    return FleetSavings(**added)


def _percent(billed: Decimal, full: Decimal) -> Decimal | None:
    return max((1 - billed / full) * 100, Zero).quantize(TENTH) if full else None
