"""Random days of an account: jobs in bursts, events lost and repeated, names used again, pools held and taken."""

import random
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

from local.sagemaker.plans import Plan
from local.sagemaker.switches import Switches
from tests.builders import price
from tests.handlers.pool_world import PoolWorld
from tests.local.simulator.bench import START, create_request
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.warm_pool_settings import Mode

DAY = timedelta(days=1)
SWEEP = timedelta(minutes=15)
JOBS = 16


@dataclass
class Day:
    """One seeded day; `updates` are the jobs whose pools were asked to end, as they were at that moment."""

    seed: int
    switches: Switches
    world: PoolWorld = field(init=False)
    updates: list[tuple[str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        chosen = settings(
            mode=Mode.ENFORCE,
            policy=self.dice.choice(["fixed", "break-even", "histogram"]),
            waiting_usd_per_hour=Decimal(self.dice.choice([0, 10, 60])),
            idle_limit=timedelta(minutes=self.dice.choice([0, 5, 20])),
            grace=timedelta(minutes=self.dice.choice([0, 2])),
        )
        self.world = PoolWorld(FakeSettings(chosen), price=price())
        self.world.bench.simulator.switches = self.switches
        self.world.client.before = self._noted

    def live(self) -> None:
        """A day with its jobs, and six hours for everything to end."""
        arrivals = sorted(self._arrivals())
        sweep = START + SWEEP
        for number, at in enumerate(arrivals):
            while sweep <= at:
                self._swept(sweep)
                sweep += SWEEP
            self._until(at)
            self._arrives(number)
        while sweep <= START + DAY + timedelta(hours=6):
            self._swept(sweep)
            sweep += SWEEP

    def _arrivals(self) -> list[Any]:
        """Half of the jobs follow shortly after another, so that pools are taken."""
        at, found = START, []
        for _ in range(JOBS):
            far = self.dice.random() < 0.3
            at += timedelta(seconds=self.dice.randint(0, 4 * 3600) if far else self.dice.randint(0, 2400))
            found.append(min(at, START + DAY))
        return found

    def _arrives(self, number: int) -> None:
        w, dice = self.world, self.dice
        name = f"job-{number}"
        if number and dice.random() < 0.2:
            name = self._used_again(f"job-{number - 1}") or name
        w.bench.simulator.emit = dice.random() > 0.15
        w.bench.simulator.plans[name] = Plan(
            outcome=dice.choice(["Completed", "Completed", "Failed"]),
            starting_seconds=dice.choice([20, 140]),
            training_seconds=dice.randint(1, 1800),
            pool_patched_after_seconds=dice.choice([None, None, None, 200]),
            pool_ends_after_seconds=dice.choice([0, 0, 90]),
        )
        hold = w.now + timedelta(minutes=dice.randint(-30, 180))
        tags = [{"Key": "trainops:hold-until", "Value": dice.choice([f"{hold:%Y-%m-%dT%H:%MZ}", "later"])}]
        resources = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": dice.choice([50, 60])}
        keep_alive = dice.choice([0, 300, 1800, 3600])
        request = create_request(
            name,
            ResourceConfig={**resources, **({"KeepAlivePeriodInSeconds": keep_alive} if keep_alive else {})},
            Tags=tags if dice.random() < 0.2 else [],
        )
        w.bench.call("CreateTrainingJob", **request)
        w.settle()

    def _used_again(self, name: str) -> str | None:
        """The name of a job that can be deleted, which it then is."""
        jobs = {job.name: job for job in self.world.bench.simulator.jobs(self.world.bench.caller.scope)}
        if name not in jobs or jobs[name].holds_cluster:
            return None
        self.world.bench.call("DeleteTrainingJob", TrainingJobName=name)
        return name

    def _swept(self, at: Any) -> None:
        self._until(at)
        self.world.tick()

    def _until(self, at: Any) -> None:
        """Go from one moment at which something happens to the next; messages are now and then repeated."""
        w = self.world
        while w.now < at:
            jobs = w.bench.simulator.jobs(w.bench.caller.scope)
            moments = [moment for job in jobs if (moment := job.next_at)] + [
                due for due, _ in (*w.queue.waiting, *w.events.waiting)
            ]
            following = min([moment for moment in moments if moment > w.now] + [at])
            w.bench.pass_time((min(following, at) - w.now).total_seconds())
            if w.queue.waiting and self.dice.random() < 0.1:
                w.queue.waiting.append(self.dice.choice(w.queue.waiting))
            w.settle()

    def _noted(self, operation: str) -> None:
        if operation != "UpdateTrainingJob":
            return
        name = self.world.client.asked[-1][1]["TrainingJobName"]
        job = self.world.bench.simulator.get(self.world.bench.caller.scope, name)
        self.updates.append((name, job.status, job.retained.status if job.retained else "none"))
