"""What a job cost and what managed spot saved, from the seconds SageMaker reports.

Savings are (1 - billable / training) x 100, as documented at BillableTimeInSeconds (DescribeTrainingJob). Both times
are wall-clock and count once per job; money multiplies by the number of instances. Every amount is an estimate at
on-demand price: no discounts, storage or data transfer. Unknown in, unknown out; nothing is ever taken for zero.
"""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

from trainops.domain.job_records import Price
from trainops.domain.training_jobs import TrainingJob

HOUR = Decimal(3600)
TENTH = Decimal("0.1")
AMOUNT = Decimal("0.0001")


def savings_percent(job: TrainingJob) -> Decimal | None:
    """Percent of the training time that was not billed, to a tenth, never below 0. None for a job that is not known to
    be spot, and while either time is missing or the training time is 0.
    """
    if not job.spot or job.billable_time is None or not job.training_time:
        return None
    share = 1 - seconds(job.billable_time) / seconds(job.training_time)
    return (max(share, Decimal(0)) * 100).quantize(TENTH)


def overrun(job: TrainingJob) -> timedelta:
    """How much longer a spot job was billed than it trained; zero when it was not, or is not known to have been."""
    if not job.spot or job.billable_time is None or not job.training_time:
        return timedelta(0)
    return max(job.billable_time - job.training_time, timedelta(0))


def estimated_cost(job: TrainingJob, price: Price | None) -> Decimal | None:
    """US dollars for the billed time of all instances, or None when time, count or price is unknown."""
    return amount(job.billable_time, job.instances, price)


def estimated_savings(job: TrainingJob, price: Price | None) -> Decimal | None:
    """US dollars that managed spot did not bill, never below 0, or None when any part of it is unknown."""
    if savings_percent(job) is None or job.training_time is None or job.billable_time is None:
        return None
    return amount(max(job.training_time - job.billable_time, timedelta(0)), job.instances, price)


def nothing_left(job: TrainingJob) -> bool:
    """Whether a job did not complete and cannot have saved anything: no checkpoint location and no output. False while
    the API has not said so.
    """
    return job.described and job.status != "Completed" and not (job.checkpoint_uri or job.output_uri)


def wasted_time(job: TrainingJob) -> timedelta | None:
    """The billed time of a job of which nothing is left; None when something may be."""
    return job.billable_time if nothing_left(job) else None


def price_for(job: TrainingJob, price_of: Callable[[str | None], Price | None]) -> Price | None:
    """What one instance-hour of a job costs: of several groups the mean over all instances, so that times the number
    of instances it is the exact sum. None when the type, or one of them, has no price.
    """
    if not job.groups:
        return price_of(job.instance_type)
    prices = {kind: price_of(kind) for kind in job.groups}
    found = {kind: price for kind, price in prices.items() if price}
    if len(found) < len(prices):
        return None
    total = sum((price.usd_per_hour * job.groups[kind] for kind, price in found.items()), Decimal(0))
    sources = ", ".join(sorted({price.source for price in found.values()}))
    return Price(total / sum(job.groups.values()), f"mean of {', '.join(sorted(found))}: {sources}")


def amount(time: timedelta | None, instances: int | None, price: Price | None) -> Decimal | None:
    """US dollars for a wall-clock time on so many instances, to a hundredth of a cent; None when a part is missing."""
    if time is None or instances is None or price is None:
        return None
    return (seconds(time) * instances * price.usd_per_hour / HOUR).quantize(AMOUNT)


def seconds(time: timedelta) -> Decimal:
    """A duration as exact seconds."""
    return Decimal(time // timedelta(microseconds=1)) / 1_000_000
