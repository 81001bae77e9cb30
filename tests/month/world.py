"""The month through the product's own workflows, on one stepped clock: simulator, intake, reconciler, control, sweep,
counting, telling, and what they publish, as CloudWatch gets it.
"""

import io
import random
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from local.metrics.embedded import Datum, data_of
from local.sagemaker.jobs import TrainingJob
from tests.counting_fakes import FakeJobCounts
from tests.desks import desk
from tests.fakes import FakeChannel, FakeQueue
from tests.handlers.pool_world import NO_PACE, PoolWorld
from tests.local.simulator.bench import START
from tests.month.jobs import MONTH, TEAMS, Arrival, ListPrices
from tests.pool_fakes import FakeSettings, settings
from tests.quiet_fakes import failure_storms
from trainops.adapters.signals import Signals
from trainops.adapters.training_jobs import SageMakerTrainingJobs
from trainops.domain.cards import Card
from trainops.domain.warm_pool_settings import Mode
from trainops.outcomes import Outcome
from trainops.workflows.delivery import Delivery
from trainops.workflows.job_notification import JobNotification
from trainops.workflows.job_reconcile import JobReconcile
from trainops.workflows.metrics_recount import MetricsRecount
from trainops.workflows.spot_savings import SpotSavings

IDLE_LIMIT = timedelta(minutes=10)
ENFORCES = "vision"
HOUR = timedelta(hours=1)
TOLD = ("Completed", "Stopped")
"""Not failures: many of them at once are one message."""
SERVICES = (
    *("job_intake", "warm_pool_control", "spot_savings", "job_notification", "slack_delivery"),
    *("warm_pool_sweep", "job_reconcile", "metrics_recount"),
)


@dataclass(frozen=True)
class Faults:
    """How likely an event is lost, comes twice, and how late it may come, in seconds."""

    lost: float = 0
    twice: float = 0
    late: int = 0


@dataclass
class Month(PoolWorld):
    """`data` is every metric value, at the simulated moment at which it was published."""

    faults: Faults = Faults()
    data: list[Datum] = field(default_factory=list)
    created: list[TrainingJob] = field(default_factory=list)
    lost: list[Mapping[str, Any]] = field(default_factory=list)
    heard: dict[str, datetime] = field(default_factory=dict)
    """When each job's end was announced."""

    @classmethod
    def of(cls, faults: Faults) -> "Month":
        """One team enforces a fixed idle limit, all others observe it."""
        watching = settings(mode=Mode.OBSERVE, idle_limit=IDLE_LIMIT)
        chosen = FakeSettings(watching, {ENFORCES: settings(idle_limit=IDLE_LIMIT)}, known=set(TEAMS))
        return cls(settings=chosen, prices=ListPrices(), faults=faults)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.counts, self.channel = FakeJobCounts(self.ledger), FakeChannel()
        self._dice, self._live = random.Random(1), list[TrainingJob]()
        self._cards, self._sent = FakeQueue(), set[str]()
        self._count = SpotSavings(self.ledger, self.counts, TEAMS)
        handed = desk(TOLD, self._cards)
        self._notify = JobNotification(self.ledger, handed, UTC, failure_storms(handed), None)
        self._deliver = Delivery("Slack", self.channel, None)
        jobs = SageMakerTrainingJobs(self.client, NO_PACE)
        self._reconcile = JobReconcile(self.ledger, jobs, self.events, timedelta(hours=6))
        self._signals = dict(_signals())
        self._next_tick = START + HOUR

    def live(self, jobs: Iterator[Arrival]) -> None:
        """The month, a day for everything to end, and a recount of each of its weeks."""
        self._say("job_reconcile", self._reconcile({"time": self.now.isoformat()}, lambda: True))
        for arrival in jobs:
            self._until(arrival.at)
            self._create(arrival)
        self._until(START + MONTH + timedelta(days=1))
        for week in range(5):
            tick = {"time": (START + timedelta(days=7 * (week + 1), hours=12)).isoformat()}
            self._say("metrics_recount", MetricsRecount(self.counts)(tick, lambda: True))

    def _create(self, arrival: Arrival) -> None:
        name = arrival.request["TrainingJobName"]
        self.bench.simulator.plans[name] = arrival.plan
        self.bench.call("CreateTrainingJob", **arrival.request)
        job = self.bench.simulator.get(self.bench.caller.scope, name)
        self.created.append(job)
        self._live.append(job)
        self.settle()

    def _until(self, at: datetime) -> None:
        """Go from one moment at which something happens to the next."""
        while self.now < at:
            self._live = [job for job in self._live if job.next_at]
            moments = [job.next_at for job in self._live if job.next_at]
            moments += [due for due, _ in (*self.queue.waiting, *self.events.waiting)]
            following = min([moment for moment in moments if moment > self.now] + [at, self._next_tick])
            self.bench.pass_time((following - self.now).total_seconds())
            self.settle()
            if self.now >= self._next_tick:
                self._next_tick += HOUR
                self._say("job_reconcile", self._reconcile({"time": self.now.isoformat()}, lambda: True))
                self._say("warm_pool_sweep", self.tick())

    def _news(self) -> list[dict[str, Any]]:
        """Events are lost, repeated and late; what is late overtakes what came before it."""
        for event in super()._news():
            if self._dice.random() < self.faults.lost:
                self.lost.append(event["detail"])
            else:
                for _ in range(1 + (self._dice.random() < self.faults.twice)):
                    late = self._dice.randint(0, self.faults.late)
                    self.events.waiting.append((self.now + timedelta(seconds=late), event))
        return []

    def _announced(self) -> list[dict[str, Any]]:
        """Each announcement goes to counting and telling too, and as often as the bus repeats it."""
        found = super()._announced()
        for event in found:
            for _ in range(1 + (self._dice.random() < self.faults.twice)):
                if event["detail-type"] == "Training Job Finished":
                    self.heard.setdefault(event["detail"]["job"]["arn"].rpartition("/")[2], self.now)
                    self._say("spot_savings", self._count(event))
                self._say("job_notification", self._notify(event))
        for card in self._cards.sent:
            if card["key"] not in self._sent:  # once-only delivery has tests of its own
                self._sent.add(card["key"])
                self._say("slack_delivery", self._deliver(Card.from_message(card).to_message()))
        self._cards.sent.clear()
        return found

    def _handled(self, handle: Any, message: Any, queue: Any) -> None:
        super()._handled(handle, message, queue)
        self._say("job_intake" if handle is self.intake else "warm_pool_control", self.outcomes.pop())

    def _say(self, service: str, outcome: Outcome) -> None:
        """What a function's log says of it, read as CloudWatch reads it."""
        written, signals = io.StringIO(), self._signals[service]
        with redirect_stdout(written):
            signals.outcome(outcome)
            signals.flush()
        for line in written.getvalue().splitlines():
            self.data += [replace(datum, timestamp=self.now.timestamp()) for datum in data_of(line)]


def _signals() -> Iterator[tuple[str, Signals]]:
    for name in SERVICES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("POWERTOOLS_SERVICE_NAME", name)
            signals = Signals()
        signals.logger.setLevel("CRITICAL")
        yield name, signals
