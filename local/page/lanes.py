"""Training jobs as Search shows them, laid out as spans in lanes by team and instance type, warm pools between them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

Json = Mapping[str, Any]
NO_TEAM = "no team"


@dataclass(frozen=True)
class Phase:
    """A stretch of a job in one SecondaryStatus, or of its pool in one WarmPoolStatus."""

    status: str
    start: datetime
    end: datetime


@dataclass
class Run:
    """One job from its creation to its end or its pool's, with what a person wants to know; durations in seconds."""

    job: str
    phases: list[Phase]
    facts: dict[str, str | int]
    reused_by: str | None = None

    @property
    def start(self) -> datetime:
        """The job's creation."""
        return self.phases[0].start

    @property
    def end(self) -> datetime:
        """The end of what is shown."""
        return self.phases[-1].end


@dataclass
class Lane:
    """Runs that follow each other; a run that took the pool of another is in the same lane."""

    runs: list[Run] = field(default_factory=list)


def lanes(jobs: Sequence[Json], now: datetime) -> dict[tuple[str, str], list[Lane]]:
    """By team and instance type; as few lanes as the overlaps of runs allow, pools first."""
    groups: dict[tuple[str, str], list[Run]] = defaultdict(list)
    created = {job["TrainingJobName"]: job["CreationTime"] for job in jobs}
    for job in sorted(jobs, key=lambda job: job["CreationTime"]):
        groups[team_of(job), _resources(job)["InstanceType"]].append(run_of(job, created, now))
    return {key: _packed(runs) for key, runs in sorted(groups.items())}


def _packed(runs: Sequence[Run]) -> list[Lane]:
    found: list[Lane] = []
    for run in runs:
        warm = [lane for lane in found if lane.runs[-1].reused_by == run.job]
        # A lane whose pool another job takes is that job's, although it is not there yet.
        free = [lane for lane in found if lane.runs[-1].end <= run.start and lane.runs[-1].reused_by is None]
        lane = next(iter([*warm, *free]), None)
        if lane is None:
            found.append(lane := Lane())
        lane.runs.append(run)
    return found


def run_of(job: Json, created: Mapping[str, datetime], now: datetime) -> Run:
    """A job's phases up to `now`, and its pool's; `created` are the jobs' creations, by name."""
    phases = list(_phases(job, now))
    pool = job.get("WarmPoolStatus", {})
    ended = job.get("TrainingEndTime")
    if ended and pool.get("Status") in ("Available", "Reused", "Terminated"):
        retained = timedelta(seconds=pool.get("ResourceRetainedBillableTimeInSeconds", 0))
        taken = created.get(pool.get("ReusedByJob", ""), ended + retained)
        until = {"Available": now, "Reused": taken}.get(pool["Status"], ended + retained)
        if until > ended:
            phases.append(Phase("Available", ended, until))
    return Run(job["TrainingJobName"], phases, dict(_facts(job, pool)), pool.get("ReusedByJob"))


def _phases(job: Json, now: datetime) -> Iterator[Phase]:
    steps = job["SecondaryStatusTransitions"]
    ends = [*(step["StartTime"] for step in steps[1:]), job.get("TrainingEndTime") or now]
    for step, end in zip(steps, ends, strict=True):
        if end > step["StartTime"] or len(steps) == 1:
            yield Phase(step["Status"], step["StartTime"], end)


def team_of(job: Json) -> str:
    """The tag `team`."""
    return next((tag["Value"] for tag in job.get("Tags", ()) if tag["Key"] == "team"), NO_TEAM)


def _resources(job: Json) -> Json:
    shape: Json = job["ResourceConfig"]
    return shape


def _facts(job: Json, pool: Json) -> Iterator[tuple[str, str | int]]:
    """What is known, in the words of the API, durations as seconds; what is not known is not there."""
    tags = {tag["Key"]: tag["Value"] for tag in job.get("Tags", ())}
    resources, spot = _resources(job), " spot" if job.get("EnableManagedSpotTraining") else ""
    yield "Status", job["TrainingJobStatus"]
    yield "Instances", f"{resources.get('InstanceCount', 1)} \N{MULTIPLICATION SIGN} {resources['InstanceType']}{spot}"
    if "owner" in tags:
        yield "Owner", tags["owner"]
    for name, key in (("Trained", "TrainingTimeInSeconds"), ("Billed", "BillableTimeInSeconds")):
        if key in job:
            yield name, job[key]
    interruptions = sum(step["Status"] == "Interrupted" for step in job["SecondaryStatusTransitions"])
    if interruptions:
        yield "Interruptions", str(interruptions)
    if pool:
        yield "Warm pool", " by ".join([pool["Status"], *([pool["ReusedByJob"]] if "ReusedByJob" in pool else [])])
    if "FailureReason" in job:
        yield "Failure", job["FailureReason"]
