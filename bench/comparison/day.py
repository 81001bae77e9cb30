"""Plays the day's jobs in one account: creates and stops them when it is time, and moves the simulated clock.

The clock stands still between moves, so that every account sees the same day. People are not throttled here and not
counted: they call as the account's root, which is spared.
"""

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from botocore.exceptions import ClientError

from bench.comparison.arrivals import TEAMS, Arrival
from bench.comparison.counting import Step
from local.account import furnish_role
from local.laptop import Laptop

MINUTE = timedelta(minutes=1)
NAME = re.compile(r"(?<![\w-])job-\d{4}(?!\d)")
ENDED = ("Completed", "Failed", "Stopped")
SEED = 7
LOSS, TWICE, LATE_SECONDS = 0.1, 0.2, 30
"""Of all events: so many are lost, so many of the others come twice, and each copy is up to so many seconds late."""


class Day:
    """To be begun with `begin`; `move` then takes one step of the clock at a time."""

    def __init__(self, laptop: Laptop, jobs: Sequence[Arrival]) -> None:
        self.laptop, self._control = laptop, laptop.control
        self._sagemaker = laptop.client("sagemaker")
        self._coming, self._jobs = list(jobs), jobs
        self._to_stop: list[tuple[datetime, str]] = []
        self.steps: list[Step] = []

    def begin(self) -> None:
        """Let every job start, as far as quotas go, spoil the delivery of events, and call it the day's beginning."""
        for team in TEAMS:
            furnish_role(self.laptop, _role(team))
        self._control.enforce_quotas(on=False)
        self._control.set_event_faults(seed=SEED, loss=LOSS, duplicates=TWICE, shuffle_window=LATE_SECONDS)
        self._control.clear_limits()
        self.now = self.began = self._control.now()

    def move(self, step: timedelta = MINUTE) -> None:
        """What people do by now, then one step of the clock."""
        while self._coming and self.began + self._coming[0].at <= self.now:
            self._create(self._coming.pop(0))
        for item in [item for item in self._to_stop if item[0] <= self.now]:
            self._to_stop.remove(item)
            with suppress(ClientError):  # it has just ended by itself
                self._sagemaker.stop_training_job(TrainingJobName=item[1])
        began = time.time()
        self.now = self._control.advance(step)
        self.steps.append(Step(self.now.timestamp(), began))

    def over(self) -> bool:
        """Whether every job has been created and has ended."""
        return not self._coming and len(self.ends()) == len(self._jobs)

    @property
    def finished(self) -> datetime:
        """When the last job ended."""
        return datetime.fromtimestamp(max(end for _, end in self.ends().values()), UTC)

    @property
    def created(self) -> int:
        """How many jobs there are so far."""
        return len(self._jobs) - len(self._coming)

    def ends(self) -> Mapping[str, tuple[str, float]]:
        """Status and simulated end of every job that has ended, from its genuine event, delivered or not."""
        found: dict[str, tuple[str, float]] = {}
        for event in self._control.sagemaker_events():
            detail = event["Detail"]
            if detail.get("TrainingJobStatus") in ENDED:
                found.setdefault(detail["TrainingJobName"], (detail["TrainingJobStatus"], float(event["Time"])))
        return found

    def pools(self, prices: Mapping[str, Decimal]) -> dict[str, Any]:
        """What warm pools cost while nobody used them, all of which are gone by now; and how many jobs started warm."""
        idle, usd, pools, warm = 0, Decimal(0), 0, 0
        for job in self._jobs:
            if not job.keep_alive:
                continue
            status = self._sagemaker.describe_training_job(TrainingJobName=job.name).get("WarmPoolStatus", {})
            seconds = status.get("ResourceRetainedBillableTimeInSeconds")
            if seconds is None:
                continue
            pools, idle, usd = pools + 1, idle + seconds, usd + prices[job.instance_type] * seconds / 3600
            warm += status["Status"] == "Reused"
        return {"pools": pools, "idle_seconds": idle, "idle_usd": f"{usd:.2f}", "reused": warm}

    def calls(self) -> dict[str, dict[str, int]]:
        """SageMaker's operations that were called under a role: how often let through and how often throttled."""
        return {
            entry["operation"]: {"allowed": entry["allowed"], "throttled": entry["throttled"]}
            for entry in self._control.limits()["operations"]
            if entry["service"] == "sagemaker"
        }

    def _create(self, job: Arrival) -> None:
        self._control.plan(job.name, **job.plan)
        self._sagemaker.create_training_job(**_request(self.laptop, job))
        if job.stop_after:
            self._to_stop.append((self.now + job.stop_after, job.name))


def _role(team: str) -> str:
    return f"training-{team}"


def _request(laptop: Laptop, job: Arrival) -> dict[str, Any]:
    resources: dict[str, Any] = {"InstanceType": job.instance_type, "InstanceCount": 1, "VolumeSizeInGB": 30}
    stopping = {"MaxRuntimeInSeconds": 86_400}
    request: dict[str, Any] = {
        "TrainingJobName": job.name,
        "RoleArn": f"arn:aws:iam::{laptop.account}:role/{_role(job.team)}",
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "OutputDataConfig": {"S3OutputPath": "s3://example-artifacts/"},
        "ResourceConfig": resources,
        "StoppingCondition": stopping,
        "Tags": [{"Key": "team", "Value": job.team}],
    }
    if job.keep_alive:
        resources["KeepAlivePeriodInSeconds"] = job.keep_alive
    if job.spot:
        stopping["MaxWaitTimeInSeconds"] = 172_800
        request |= {
            "EnableManagedSpotTraining": True,
            "CheckpointConfig": {"S3Uri": f"s3://example-artifacts/checkpoints/{job.name}/"},
        }
    return request
