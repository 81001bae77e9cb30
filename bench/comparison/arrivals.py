"""The jobs of one made-up working day, drawn from a seed: who creates what when, and what becomes of it.

A job comes alone, in a row in which each follows the one before and may take its warm pool, or in a burst of many that
are alike. Pure, so that every account gets the same day.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

SEED = 20260302
DAY = timedelta(hours=8)
TEAMS = ("vision", "speech", "robotics")
TYPES = ("ml.g5.xlarge", "ml.g5.2xlarge")
STARTING, WARM_STARTING, DOWNLOADING, UPLOADING = 120, 20, 30, 20
"""Seconds; the same for every job, warm starts apart."""
KEEP_ALIVE = 3600
ALONE, ROW, BURST = 70, 20, 3
"""Weights of the three ways in which jobs come."""
SPOT = 0.45
"""Of the jobs that come alone or in a burst; those of a row keep a pool, which managed spot cannot."""
FAILED, STOPPED = 0.12, 0.06
BURST_FAILS = 0.3
"""The chance that all jobs of a burst fail, and for one reason."""
REASONS = (
    "AlgorithmError: ExecuteUserScriptError: ExitCode 1",
    "AlgorithmError: CUDA out of memory. Tried to allocate 2.00 GiB",
    "ClientError: Data download failed: no S3 objects found under the given S3 URL",
)


@dataclass(frozen=True)
class Arrival:
    """A job, `at` after the day's beginning. `plan` are the fields of local/sagemaker/plans.py; a person stops the job
    `stop_after` its creation, if at all.
    """

    name: str
    at: timedelta
    team: str
    instance_type: str
    plan: dict[str, Any]
    spot: bool = False
    keep_alive: int = 0
    stop_after: timedelta | None = None


def arrivals(jobs: int, seed: int = SEED) -> Sequence[Arrival]:
    """So many jobs in the order of their creation, named by it; fewer jobs make a quieter day, not a shorter one."""
    dice = random.Random(seed)  # noqa: S311 - repeatable, nothing is secret
    found: list[Arrival] = []
    while len(found) < jobs:
        come = dice.choices((_alone, _row, _burst), weights=(ALONE, ROW, BURST))[0]
        found += come(dice)
    ordered = sorted(found[:jobs], key=lambda arrival: arrival.at)
    return [replace(arrival, name=f"job-{number:04}") for number, arrival in enumerate(ordered)]


def _alone(dice: random.Random) -> Iterator[Arrival]:
    yield _job(dice, _moment(dice), dice.choice(TEAMS), dice.choice(TYPES), spot=dice.random() < SPOT)


def _row(dice: random.Random) -> Iterator[Arrival]:
    """Two to six jobs that keep a pool; the next is created some minutes after the end of the one before."""
    at, team, kind = _moment(dice), dice.choice(TEAMS), dice.choice(TYPES)
    for _ in range(dice.randint(2, 6)):
        if at > DAY:
            return
        job = replace(_job(dice, at, team, kind), keep_alive=KEEP_ALIVE)
        yield job
        gap = dice.choice((dice.randint(60, 300), dice.randint(60, 300), dice.randint(600, 2700)))
        at += job.stop_after or timedelta(seconds=STARTING + DOWNLOADING + job.plan["training_seconds"] + UPLOADING)
        at += timedelta(seconds=gap)


def _burst(dice: random.Random) -> Iterator[Arrival]:
    """Eight to sixteen jobs alike within about two minutes."""
    at, team, kind, spot = _moment(dice), dice.choice(TEAMS), dice.choice(TYPES), dice.random() < SPOT
    reason = dice.choice(REASONS) if dice.random() < BURST_FAILS else None
    first = _job(dice, at, team, kind, spot=spot)
    for _ in range(dice.randint(8, 16)):
        job = _job(dice, at + timedelta(seconds=dice.randint(0, 120)), team, kind, spot=spot)
        if reason:
            length = first.plan["training_seconds"] + dice.randint(0, 60)
            plan = {**job.plan, "outcome": "Failed", "failure_reason": reason, "training_seconds": length}
            job = replace(job, plan=plan, stop_after=None)
        yield job


def _moment(dice: random.Random) -> timedelta:
    return timedelta(seconds=dice.randrange(int(DAY.total_seconds())))


def _job(dice: random.Random, at: timedelta, team: str, kind: str, *, spot: bool = False) -> Arrival:
    fate, training = dice.random(), dice.randint(300, 3000)
    plan: dict[str, Any] = {
        "starting_seconds": STARTING,
        "warm_starting_seconds": WARM_STARTING,
        "downloading_seconds": DOWNLOADING,
        "training_seconds": training,
        "uploading_seconds": UPLOADING,
        "interruptions": dice.choice((0, 0, 0, 1, 2)) if spot else 0,
    }
    reason, part = dice.choice(REASONS), dice.uniform(0.2, 0.8)
    if fate < FAILED:
        plan |= {"outcome": "Failed", "failure_reason": reason}
    stopped = FAILED <= fate < FAILED + STOPPED
    stop_after = timedelta(seconds=round(STARTING + DOWNLOADING + training * part)) if stopped else None
    return Arrival("", at, team, kind, plan, spot=spot, stop_after=stop_after)


def shares(jobs: Sequence[Arrival]) -> dict[str, int]:
    """How many of the jobs are of each kind, as they were drawn."""
    return {
        "jobs": len(jobs),
        "fail": sum(job.plan.get("outcome") == "Failed" and job.stop_after is None for job in jobs),
        "stopped": sum(job.stop_after is not None for job in jobs),
        "spot": sum(job.spot for job in jobs),
        "keep_alive": sum(job.keep_alive > 0 for job in jobs),
        "hours": round(DAY.total_seconds() / 3600),
    }
