"""How many training jobs the simulator brings from creation to end in a second, by size of the fleet."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from local.sagemaker.clock import Clock
from local.sagemaker.plans import Plan
from local.sagemaker.quota_admission import admission_by
from local.sagemaker.scope import Scope
from local.sagemaker.simulator import Simulator

SIZES = (1_000, 10_000, 100_000)
BETWEEN = timedelta(seconds=20)
LONGEST = timedelta(days=2)
HOME = Scope("123456789012", "eu-central-1")
AMPLE = 1_000_000.0
"""Every quota: looked at for each job, refusing none."""
TEAMS = 5
"""As many roles, each of which has warm pools of its own."""


@dataclass
class Fleet:
    """A simulator on a stepped clock under quotas; what its jobs sent is counted and thrown away."""

    simulator: Simulator = field(init=False)
    events: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.simulator = Simulator(Clock.stepped(datetime(2026, 3, 1, tzinfo=UTC)), self._count)
        self.simulator.admission = admission_by(lambda _scope, _name: AMPLE)

    def run(self, jobs: int) -> None:
        """Create a job every `BETWEEN` and let all of them end, pools included."""
        for request, plan in mix(jobs):
            self.simulator.plans[request["TrainingJobName"]] = plan
            self.simulator.create(HOME, request)
            self.simulator.clock.advance(BETWEEN)
        self.simulator.clock.advance(LONGEST)
        self.simulator.tick()

    def _count(self, _scope: Scope, entry: dict[str, Any]) -> None:
        status = entry["Detail"]["SecondaryStatus"]
        self.events[status] = self.events.get(status, 0) + 1
        self.simulator.history.clear()


def measure_fleet(tell: Callable[[str], None]) -> dict[str, Any]:
    """Run a fleet of each size; each must end all its jobs."""
    return {"fleets": [_measured(size, tell) for size in SIZES]}


def _measured(jobs: int, tell: Callable[[str], None]) -> dict[str, Any]:
    tell(f"{jobs} simulated jobs")
    fleet = Fleet()
    began = time.perf_counter()
    fleet.run(jobs)
    seconds = time.perf_counter() - began
    described = fleet.simulator.jobs(HOME)
    assert len(described) == jobs
    assert all(job.ended is not None and not job.holds_cluster for job in described)
    events = sum(fleet.events.values())
    return {
        "jobs": jobs,
        "seconds": round(seconds, 3),
        "jobs_per_second": round(jobs / seconds),
        "events": events,
        "events_per_second": round(events / seconds),
        "interruptions": fleet.events.get("Interrupted", 0),
        "failures": fleet.events.get("Failed", 0),
        "pools_reused": sum(1 for job in described if job.retained is not None and job.retained.reused_by),
    }


def mix(jobs: int) -> Iterator[tuple[dict[str, Any], Plan]]:
    """The same requests and plans every time: on demand, for warm pools, managed spot; a tenth of them fail."""
    dice = random.Random(20260301)  # noqa: S311
    for number in range(jobs):
        kind = dice.choices(("on demand", "warm", "spot"), weights=(35, 35, 30))[0]
        interruptions = dice.randint(0, 3) if kind == "spot" else 0
        plan = Plan(
            outcome="Failed" if dice.random() < 0.1 else "Completed",
            training_seconds=dice.uniform(300, 5400),
            interruptions=interruptions,
        )
        yield _request(f"job-{number:06}", kind, dice.randrange(TEAMS)), plan


def _request(name: str, kind: str, team: int) -> dict[str, Any]:
    resources: dict[str, Any] = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 50}
    stopping = {"MaxRuntimeInSeconds": 86_400}
    request: dict[str, Any] = {
        "TrainingJobName": name,
        "RoleArn": f"arn:aws:iam::{HOME.account}:role/team-{team}",
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "OutputDataConfig": {"S3OutputPath": "s3://example-artifacts/"},
        "ResourceConfig": resources,
        "StoppingCondition": stopping,
        "CheckpointConfig": {"S3Uri": "s3://example-artifacts/checkpoints/"},
    }
    if kind == "warm":
        resources["KeepAlivePeriodInSeconds"] = 1800
    if kind == "spot":
        request["EnableManagedSpotTraining"] = True
        stopping["MaxWaitTimeInSeconds"] = 172_800
    return request
