"""The label and value pairs of a job's card, in one order on every card, and its small print.

Used by `job_cards`. What is unknown is shown as unknown together with why, so that nobody reads a gap as zero.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, tzinfo

from trainops.domain.checkpoints import copied
from trainops.domain.failures import REASON_LIMIT, cut_by_sagemaker
from trainops.domain.job_records import JobRecord
from trainops.domain.owners import Owner
from trainops.domain.spot_savings import (
    amount,
    estimated_cost,
    estimated_savings,
    nothing_left,
    overrun,
    savings_percent,
)
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.warm_pool_costs import release_command, remaining_pool
from trainops.domain.wording import (
    TIMES,
    UNKNOWN,
    duration_text,
    instances_text,
    money_text,
    one_line,
    percent_text,
    shortened,
    time_text,
)

Fact = tuple[str, str]
PROJECT_TAGS = ("project", "Project", "trainops:project")
EXPERIMENT_TAGS = ("experiment", "Experiment", "trainops:experiment")
VALUE = 120
NO_TEAM = frozenset({"default", "-"})


def who(record: JobRecord) -> Iterator[Fact]:
    """Who the job belongs to, with where that answer came from, and its project and experiment when they have names."""
    job = record.job
    yield "Owner", owner_text(record.owner)
    if project := _tagged(job, PROJECT_TAGS):
        yield "Project", project
    if experiment := _tagged(job, EXPERIMENT_TAGS) or one_line(job.experiment or ""):
        yield "Experiment", shortened(experiment, VALUE)


def _tagged(job: TrainingJob, names: Sequence[str]) -> str:
    """The first of these tags that says something, in one line."""
    values = (one_line(job.tags.get(name, "")) for name in names)
    return shortened(next((value for value in values if value), ""), VALUE)


def owner_text(owner: Owner) -> str:
    """The name and where it comes from: vision-oncall (tag owner), unknown (no owner tag)."""
    return f"{shortened(one_line(owner.name), VALUE) if owner.name else UNKNOWN} ({owner.source})"


def machines(job: TrainingJob) -> Fact:
    """On what it ran, and whether on managed spot."""
    groups = ", ".join(instances_text(count, kind) for kind, count in sorted(job.groups.items()))
    what = groups or instances_text(job.instance_count, job.instance_type)
    return "Instances", f"{what}, spot" if job.spot else what


def ended_facts(record: JobRecord) -> Iterator[Fact]:
    """How long it took, what is billed, what it cost, and what spot saved."""
    job = record.job
    yield from who(record)
    yield machines(job)
    yield "Duration", "never started" if never_started(job) else duration_text(job.duration)
    yield "Billable time", billable_text(job)
    yield "Cost estimate", cost_text(record)
    if job.spot:
        yield "Spot savings", savings_text(record)
    if job.spot or job.interruptions:
        yield "Interruptions", str(len(job.interruptions) or "none")


def started_facts(record: JobRecord) -> Iterator[Fact]:
    """What it may take and cost, and where its checkpoints go."""
    job = record.job
    yield from who(record)
    yield machines(job)
    yield "Runtime limit", duration_text(job.max_runtime)
    if job.spot:
        yield "Wait limit", duration_text(job.max_wait)
    yield "Price", price_text(record)
    if checkpoints := checkpoint_text(job):
        yield "Checkpoints", copied(job.checkpoint_directory, checkpoints) if job.checkpoint_uri else checkpoints


def interrupted_facts(record: JobRecord, now: datetime, zone: tzinfo) -> Iterator[Fact]:
    """What is at stake: where it resumes from, and when SageMaker stops waiting."""
    job = record.job
    yield from who(record)
    yield machines(job)
    if job.max_wait:
        until = time_text(job.key.created + job.max_wait, now, zone)
        yield "Wait limit", f"{duration_text(job.max_wait)}, until {until}"
    if checkpoints := checkpoint_text(job):
        yield "Checkpoints", checkpoints


def never_started(job: TrainingJob) -> bool:
    """True when the API says that the job ended without ever training; the event alone cannot tell."""
    return job.terminal and job.described and job.started is None and not job.training_time


def billable_text(job: TrainingJob) -> str:
    """Wall-clock billed time, and multiplied out when there are several instances."""
    if job.billable_time is None:
        return f"{UNKNOWN} (not reported)"
    once = duration_text(job.billable_time)
    if job.instances is None or job.instances == 1:
        return once
    return f"{once} {TIMES} {job.instances} = {duration_text(job.billable_time * job.instances)}"


def cost_text(record: JobRecord) -> str:
    """The estimate, or why there is none."""
    job = record.job
    cost = estimated_cost(job, record.price)
    if cost is not None:
        return money_text(cost)
    if job.instance_type is None:
        return f"{UNKNOWN} (no instance type)"
    if record.price is None:
        return f"{UNKNOWN} (no price for {job.instance_type})"
    missing = "billable time" if job.billable_time is None else "number of instances"
    return f"{UNKNOWN} (no {missing})"


def price_text(record: JobRecord) -> str:
    """What an hour of all instances costs, or why that is unknown."""
    hourly = amount(timedelta(hours=1), record.job.instances, record.price)
    if hourly is not None:
        return f"{money_text(hourly)} per hour"
    kind = record.job.instance_type
    return f"{UNKNOWN} (no price for {kind})" if record.price is None and kind else UNKNOWN


def savings_text(record: JobRecord) -> str:
    """Spot savings in percent and money. A job billed for longer than it trained saved nothing, and one of which
    nothing is left was no saving, whatever was not billed of it; both are said.
    """
    job = record.job
    if extra := overrun(job):
        return f"0 % (billed {duration_text(extra)} more than it trained)"
    percent = savings_percent(job)
    if percent is None:
        return f"{UNKNOWN} (no training or billable time)"
    if nothing_left(job):
        share = f"{percent_text(percent)} of it was not" if percent else "all of it was"
        return f"none: nothing of the work is left ({share} billed)"
    saved = estimated_savings(job, record.price)
    return percent_text(percent) + (f", about {money_text(saved)}" if saved else "")


def checkpoint_text(job: TrainingJob) -> str | None:
    """The checkpoint location; "none" only when the API said so; None where nobody needs one."""
    if job.checkpoint_uri:
        return shortened(one_line(job.checkpoint_uri), VALUE)
    if not job.spot and job.described:
        return None
    return "none" if job.described else UNKNOWN


def small_print(record: JobRecord, verb: str, at: datetime, now: datetime, zone: tzinfo) -> Iterator[str]:
    """When and where it happened, what the numbers rest on, and what is missing."""
    job = record.job
    parts = job.key.arn.split(":")
    team = () if record.team in NO_TEAM else (f"team {one_line(record.team)}",)
    yield " \N{MIDDLE DOT} ".join((f"{verb} {time_text(at, now, zone)}", *team, f"account {parts[4]}", parts[3]))
    if record.price and estimated_cost(job, record.price) is not None:
        rate = f"${record.price.usd_per_hour.normalize():f}"
        yield f"Estimate: billable time {TIMES} instances {TIMES} {rate} per hour ({record.price.source})."
    if not job.described:
        yield "Known from the event alone: SageMaker did not tell more about this run, so spot and billing are unknown."
    if job.status == "Failed" and cut_by_sagemaker(job.failure_reason):
        yield f"SageMaker cuts a reason at {REASON_LIMIT:,} characters; the log has the rest."
    if (pool := remaining_pool(job, record.price, now)) and pool.confirmed:
        yield f"To end the warm pool now: {release_command(job.key.arn, job.name)}"
