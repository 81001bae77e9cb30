"""What a warm pool that stays after its job costs, and until when.

Used when a job ends and asked for a pool. The API has no expiry time: the end is taken as training end plus keep-alive
period, the bill as wall-clock time x instances at the training price (developer guide, warm pools; WarmPoolStatus).
Whether a pool is kept is read from its status and not guessed from how the job ended: failed and stopped jobs keep
theirs too. Every amount is an upper limit, since a pool can be reused or released earlier.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal

from trainops.domain.job_records import Price
from trainops.domain.spot_savings import amount
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.wording import duration_text, instances_text, money_text, until_text

UNCONFIRMED = "SageMaker has not confirmed it yet, and keeps none without a warm-pool quota."
OVER = frozenset({"Reused", "Terminated"})


@dataclass(frozen=True, slots=True)
class RemainingPool:
    """A pool that is there (`confirmed`) or was asked for. `until` and `cost` are None while unknown; `cost` is in US
    dollars from `now` to `until`, for all instances.
    """

    confirmed: bool
    until: datetime | None
    cost: Decimal | None


def remaining_pool(job: TrainingJob, price: Price | None, now: datetime) -> RemainingPool | None:
    """The pool that an ended job leaves behind, or None when there is none: not asked for, reused or terminated."""
    status = job.warm_pool.status if job.warm_pool else None
    if not job.terminal or status in OVER:
        return None
    if status != "Available" and not job.keep_alive:
        return None
    until = job.ended + job.keep_alive if job.ended and job.keep_alive else None
    left = max(until - now, timedelta(0)) if until else None
    return RemainingPool(status == "Available", until, amount(left, job.instance_count, price))


def pool_line(job: TrainingJob, price: Price | None, now: datetime, zone: tzinfo) -> str | None:
    """The sentence about a remaining pool, or None when there is nothing to pay any more."""
    pool = remaining_pool(job, price, now)
    if pool is None:
        return None
    what, cost = _what(job), _cost_text(pool, job, price)
    if not pool.confirmed:
        return f"Warm pool expected: {what} may stay warm {_when(pool, job, now, zone)}, {cost}. {UNCONFIRMED}"
    if pool.until is None:
        return f"Warm pool: {what} stays warm and is billed; until when is unknown."
    if pool.until <= now:
        return f"Warm pool: {what} was due to end {until_text(pool.until, now, zone)}, and is still billed."
    return f"Warm pool: {what} stays warm until {until_text(pool.until, now, zone)}, {cost}."


def late_pool_line(job: TrainingJob, price: Price | None, now: datetime, zone: tzinfo) -> str | None:
    """What a pool costs that SageMaker did not show, should it still come to show it."""
    pool = remaining_pool(job, price, now)
    if pool is None or pool.confirmed:
        return None
    when = _when(pool, job, now, zone)
    return f"Should a warm pool still appear: {_what(job)} stays warm {when}, {_cost_text(pool, job, price)}."


def _what(job: TrainingJob) -> str:
    known = job.instance_type or job.instance_count
    return instances_text(job.instance_count, job.instance_type) if known else "a cluster of unknown size"


def _cost_text(pool: RemainingPool, job: TrainingJob, price: Price | None) -> str:
    return f"costs up to {money_text(pool.cost)}" if pool.cost is not None else f"cost unknown{_why(job, price)}"


def _when(pool: RemainingPool, job: TrainingJob, now: datetime, zone: tzinfo) -> str:
    return f"until {until_text(pool.until, now, zone)}" if pool.until else f"for {duration_text(job.keep_alive)}"


def release_command(arn: str, name: str) -> str:
    """The AWS CLI call that ends a job's pool now; a keep-alive period of 0 releases it (UpdateTrainingJob)."""
    return keep_command(arn, name, timedelta(0))


def keep_command(arn: str, name: str, period: timedelta) -> str:
    """The AWS CLI call that gives a job's pool another keep-alive period."""
    return (
        f"aws sagemaker update-training-job --region {arn.split(':')[3]} --training-job-name {name} "
        f"--resource-config KeepAlivePeriodInSeconds={int(period.total_seconds())}"
    )


def _why(job: TrainingJob, price: Price | None) -> str:
    if price is None and job.instance_type:
        return f" (no price for {job.instance_type})"
    return ""
