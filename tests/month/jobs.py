"""The jobs of a made-up month of three teams, and of people whose tag names none: drawn from a seed."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from local.sagemaker.plans import Plan
from tests.local.simulator.bench import START, create_request
from trainops.domain.job_records import Price

TEAMS = ("language", "robotics", "vision")
USD = {
    kind: Decimal(usd)
    for kind, usd in {"ml.g5.xlarge": "1.408", "ml.m5.xlarge": "0.23", "ml.p4d.24xlarge": "37.688"}.items()
}
UNPRICED = "ml.g6.xlarge"
MONTH = timedelta(days=30)
REASONS = (
    "AlgorithmError: ExecuteUserScriptError: CUDA out of memory",
    "AlgorithmError: ExecuteUserScriptError: ExitCode 1",
    "CapacityError: Unable to provision requested ML compute capacity",
)


class ListPrices:
    """The price table; one type is not in it."""

    def training_price(self, instance_type: str | None) -> Price | None:
        usd = USD.get(instance_type or "")
        return Price(usd, "table") if usd else None


@dataclass(frozen=True)
class Arrival:
    """A job to be created, and what will become of it."""

    at: datetime
    request: dict[str, Any]
    plan: Plan


def arrivals(seed: int, jobs: int) -> Iterator[Arrival]:
    """So many jobs over the month in the order of their creation, a third of them in rows that share pools."""
    dice = random.Random(seed)
    moments = sorted(dice.randrange(int(MONTH.total_seconds())) for _ in range(jobs))
    row: dict[str, Any] = {}
    for number, moment in enumerate(moments):
        kind = dice.choices(["spot", "plain", "pool"], [4, 3, 3])[0]
        if kind == "pool" and not (row and dice.random() < 0.7):
            row = {
                "kind": dice.choice(["ml.g5.xlarge", "ml.m5.xlarge", UNPRICED]),
                "team": dice.choice([*TEAMS, "typo"]),
            }
        chosen = row if kind == "pool" else {"kind": dice.choice([*USD, UNPRICED]), "team": dice.choice([*TEAMS, None])}
        request = _request(f"job-{number}", kind, chosen, dice)
        yield Arrival(START + timedelta(seconds=moment), request, _plan(kind, dice))


def _request(name: str, kind: str, chosen: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    resources = {"InstanceType": chosen["kind"], "InstanceCount": 1 if kind == "pool" else dice.randint(1, 3)}
    resources["VolumeSizeInGB"] = 50
    if kind == "pool":
        resources["KeepAlivePeriodInSeconds"] = 3600
    stopping = {"MaxRuntimeInSeconds": dice.choice([900, 36000, 36000])}
    if kind == "spot":
        stopping["MaxWaitTimeInSeconds"] = stopping["MaxRuntimeInSeconds"] + dice.choice([600, 36000])
    tags = [{"Key": "team", "Value": chosen["team"]}] if chosen["team"] else []
    spot = {"EnableManagedSpotTraining": True} if kind == "spot" else {}
    return create_request(name, ResourceConfig=resources, StoppingCondition=stopping, Tags=tags, **spot)


def _plan(kind: str, dice: random.Random) -> Plan:
    interruptions = dice.choice([0, 0, 1, 3]) if kind == "spot" else 0
    training = dice.randint(1, 100) * 60
    billed = dice.choice([None, None, training // 2, training * 3]) if kind == "spot" else None
    return Plan(
        outcome="Failed" if dice.random() < 0.15 else "Completed",
        failure_reason=dice.choice(REASONS),
        fails_in=dice.choice(["Starting", "Downloading", "Training"]),
        interruptions=interruptions,
        starting_seconds=dice.choice([30, 120, 400]),
        training_seconds=training,
        billable_seconds=billed,
        warm_starting_seconds=15,
    )
