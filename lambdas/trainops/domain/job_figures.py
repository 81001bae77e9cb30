"""What is published of a job once it is over: its team's metrics, and the fields of its line in the log.

Used by `spot_savings`. What is missing from a sum is named in `Field.UNKNOWN` and left out of that sum; a job that
never started has no figures to miss. Every kind of job is counted: on-demand and spot, of one instance or many, of
instance groups, a tuning job's child, and a serverless one, which has no instances to price.
"""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from trainops.domain.failures import classify
from trainops.domain.job_facts import never_started
from trainops.domain.job_records import JobRecord
from trainops.domain.keep_alive_starts import ObservedStart
from trainops.domain.spot_savings import (
    amount,
    estimated_cost,
    estimated_savings,
    overrun,
    savings_percent,
    seconds,
    wasted_time,
)
from trainops.domain.start_latency import Start
from trainops.domain.training_jobs import TrainingJob
from trainops.outcomes import Figures
from trainops.telemetry import Field, TeamMetric

Value = Decimal | int | str | bool
Named = tuple[TeamMetric | Field, Value | None]
ENDINGS = {
    "Completed": TeamMetric.JOBS_COMPLETED,
    "Failed": TeamMetric.JOBS_FAILED,
    "Stopped": TeamMetric.JOBS_STOPPED,
}


def figures_of(record: JobRecord, start: Start | None) -> Figures:
    """Metrics and fields of a job that has ended."""
    job = record.job
    found: list[Named] = [(metric, 1) for status, metric in ENDINGS.items() if status == job.status]
    found += [*_described(record), *_started(job, start)]
    missing = [] if never_started(job) and not job.billable_time else list(_missing(record))
    if job.spot and job.training_time and job.billable_time is not None and job.instances:
        found += _spot_sums(record, job.training_time, job.billable_time, job.instances)
    if missing:
        found.append((Field.UNKNOWN, ", ".join(missing)))
    return {name: value for name, value in found if value is not None}


def _spot_sums(record: JobRecord, training: timedelta, billable: timedelta, instances: int) -> Iterator[Named]:
    """Both sides of each ratio or neither, or the ratio of sums would be wrong; without a price there is no money."""
    yield TeamMetric.SPOT_TRAINING, seconds(training) * instances
    yield TeamMetric.SPOT_BILLABLE, seconds(billable) * instances
    yield TeamMetric.SPOT_ON_DEMAND_USD, amount(training, instances, record.price)
    yield TeamMetric.SPOT_BILLED_USD, amount(billable, instances, record.price)


def _missing(record: JobRecord) -> Iterator[str]:
    job = record.job
    if not job.described:
        yield "the API's answer"
    if job.billable_time is None:
        yield "billable time"
    if not job.training_time:
        yield "training time"
    if job.instances is None:
        yield "number of instances"
    elif record.price is None:
        yield f"price of {', '.join(job.groups) or job.instance_type}"


def start_of(job: TrainingJob, *, warm: bool | None) -> Start | None:
    """How long it took from the creation to its first training; None for one that never trained, or while it is not
    known whether it took a warm pool.
    """
    if warm is None or job.phases is None or job.phases.training_began is None:
        return None
    return Start(job.phases.training_began - job.key.created, warm, job.input_mode)


def observed_start(job: TrainingJob, *, warm: bool | None) -> ObservedStart | None:
    """The same for what the team's history learns of it: with the part of it that was billed."""
    start = start_of(job, warm=warm)
    if start is None or job.phases is None or job.phases.training_began is None:
        return None
    billed = max(job.phases.training_began - job.started, timedelta(0)) if job.started else None
    return ObservedStart(start.warm, start.took, billed)


def _started(job: TrainingJob, start: Start | None) -> Iterator[Named]:
    yield Field.INPUT_MODE, job.input_mode
    if start:
        yield Field.START, "warm" if start.warm else "cold"
        yield Field.START_SECONDS, seconds(start.took)
        yield TeamMetric.WARM_START if start.warm else TeamMetric.COLD_START, seconds(start.took)


def _described(record: JobRecord) -> Iterator[Named]:
    job, phases = record.job, record.job.phases
    wasted, extra, percent = wasted_time(job), overrun(job), savings_percent(job)
    kinds = sorted(job.groups) or [job.instance_type or ""]
    yield Field.STATUS, job.secondary_status or job.status
    if job.status == "Failed":
        yield Field.FAILURE_CLASS, classify(job.failure_reason, job.secondary_status).name.value
    yield Field.INSTANCE_TYPE, "+".join(kinds) or None
    yield Field.INSTANCE_FAMILY, "+".join(sorted({kind.rpartition(".")[0] for kind in kinds})) or None
    yield Field.INSTANCES, job.instances
    yield Field.SPOT, job.spot
    yield Field.TRAINING_SECONDS, seconds(job.training_time) if job.training_time else None
    yield Field.BILLABLE_SECONDS, seconds(job.billable_time) if job.billable_time is not None else None
    yield Field.SAVINGS_PERCENT, percent
    yield Field.OVERRUN_SECONDS, seconds(extra) if extra else None
    yield Field.COST_USD, estimated_cost(job, record.price)
    yield Field.SAVED_USD, estimated_savings(job, record.price)
    yield Field.PRICE_SOURCE, record.price.source if record.price else None
    yield Field.INTERRUPTIONS, len(job.interruptions)
    yield Field.WASTED_SECONDS, seconds(wasted) if wasted else None
    if phases:
        yield Field.INTERRUPTED_SECONDS, seconds(phases.interrupted) if job.interruptions else None
        yield Field.CAPACITY_WAIT_SECONDS, seconds(phases.waited)
