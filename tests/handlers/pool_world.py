"""The warm-pool functions with all around them in memory: simulator, events, intake, bus, queues; time is stepped."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from local.sagemaker.plans import Plan
from tests.builders import price
from tests.fakes import FakeBus, FakeDocuments, FakeKillSwitch, FakeLedger, FakePrices, FakeQuotas
from tests.history_fakes import FakeHistories
from tests.local.simulator.bench import Bench, create_request, pool_request
from tests.pool_fakes import BenchClient, DelayQueue, FakePoolLedger, FakeSettings, delivered, settings
from tests.quiet_fakes import FakeFamilies
from tests.run_fakes import FakeRunNotes, past
from trainops.adapters.pace import Pace
from trainops.adapters.training_jobs import SageMakerTrainingJobs
from trainops.adapters.warm_pools import SageMakerWarmPools
from trainops.domain.job_records import Price
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pools import PoolRecord
from trainops.errors import TryLater
from trainops.outcomes import Outcome
from trainops.ports import Prices
from trainops.telemetry import Field, TeamMetric
from trainops.workflows.job_intake import JobIntake
from trainops.workflows.keep_alive_recommendations import Recommendations
from trainops.workflows.pool_misses import PoolAnswers, PoolMisses
from trainops.workflows.warm_pool_control import WarmPoolControl
from trainops.workflows.warm_pool_discovery import PoolDiscovery
from trainops.workflows.warm_pool_lessons import Lessons
from trainops.workflows.warm_pool_plans import PoolPlans
from trainops.workflows.warm_pool_release import PoolRelease
from trainops.workflows.warm_pool_reuse import PoolReuse
from trainops.workflows.warm_pool_sweep import WarmPoolSweep
from trainops.workflows.warm_pool_turn import PoolTurn

MINUTE = timedelta(minutes=1)
NO_PACE = Pace(timedelta(0), lambda: 0.0, lambda _seconds: None)


@dataclass
class PoolWorld:
    """`plans` say what becomes of a job; `price` is of one instance-hour of every type, unless there are `prices`."""

    settings: FakeSettings = field(default_factory=FakeSettings)
    price: Price | None = None
    prices: Prices | None = None
    scope: dict[str, str] = field(default_factory=dict)
    quotas: FakeQuotas = field(default_factory=FakeQuotas)
    bench: Bench = field(default_factory=Bench)
    outcomes: list[Outcome] = field(default_factory=list)
    swept: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = BenchClient(self.bench)
        self.ledger, self.pools, self.histories = FakeLedger(), FakePoolLedger(), FakeHistories()
        self.bus, self.kill_switch, self.documents = FakeBus(), FakeKillSwitch(), FakeDocuments()
        self.events, self.queue = DelayQueue(self.bench.clock.now), DelayQueue(self.bench.clock.now)
        prices = self.prices or FakePrices(self.price)
        jobs, warm = SageMakerTrainingJobs(self.client, NO_PACE), SageMakerWarmPools(self.client, NO_PACE)
        turn = PoolTurn(
            pools=self.pools,
            histories=self.histories,
            settings=self.settings,
            release=PoolRelease(jobs, warm),
            kill_switch=self.kill_switch,
            bus=self.bus,
            looks=self.queue,
        )
        misses = PoolMisses(PoolAnswers(self.pools, self.quotas), jobs)
        known = misses, *past(FakeRunNotes(), self.quotas, {}), FakeFamilies()
        self.intake = JobIntake(self.ledger, jobs, self.bus, prices, *known, self.scope)
        self.control = WarmPoolControl(
            ledger=self.ledger,
            pools=self.pools,
            histories=self.histories,
            looks=self.queue,
            turn=turn,
            reuse=PoolReuse(self.pools, self.histories, turn),
            discovery=PoolDiscovery(self.ledger, jobs, prices, self.scope),
        )
        self.sweep = WarmPoolSweep(
            pools=self.pools,
            warm_pools=warm,
            plans=PoolPlans(self.settings, self.histories),
            lessons=Lessons(
                self.histories,
                Recommendations(self.histories, self.settings, self.documents, "{team}/trainops/recommendations.json"),
            ),
            control=self.queue,
            bus=self.bus,
            log_group="/sweep",
        )
        self._seen = self._told = 0

    @property
    def now(self) -> datetime:
        return self.bench.clock.now()

    def run(self, name: str = "job-1", *, plan: Plan | None = None, **request: Any) -> None:
        """Create a job that leaves a pool."""
        if plan:
            self.bench.simulator.plans[name] = plan
        made = create_request if "ResourceConfig" in request else pool_request
        self.bench.call("CreateTrainingJob", **made(name, **request))

    def lose_events(self) -> None:
        """What SageMaker has told since the last delivery never arrives."""
        self._news()

    def pass_time(self, step: float = 60, **duration: float) -> None:
        """Let time pass in steps of so many seconds, with everything that is due in between."""
        until = self.now + timedelta(**duration)
        while self.now < until:
            self.bench.pass_time(min(step, (until - self.now).total_seconds()))
            self.settle()

    def settle(self) -> None:
        """Deliver events and messages until nothing is left to do at this moment."""
        while True:
            events, messages = [*self._news(), *self.events.due()], self.queue.due()
            for event in events:
                self._handled(self.intake, event, self.events)
            announced = self._announced()
            for message in [*announced, *messages]:
                self._handled(self.control, message, self.queue)
            if not (events or announced or messages):
                return

    def tick(self, *, has_time: bool = True) -> Outcome:
        """One sweep, and what it asked for."""
        outcome = self.sweep({"time": self.now.isoformat()}, lambda: has_time)
        self.swept.append(outcome)
        self.settle()
        return outcome

    def pool(self, name: str = "job-1") -> PoolRecord:
        """The ledger's item of the newest pool of that name."""
        [*_, found] = sorted((pool for pool in self.pools.items.values() if pool.name == name), key=lambda p: p.ended)
        return found

    def status(self, name: str = "job-1") -> str | None:
        """The pool's status at SageMaker."""
        pool: dict[str, str] | None = self.bench.describe(name).get("WarmPoolStatus")
        return pool["Status"] if pool else None

    def news(self) -> list[str]:
        """What was said of pools, in order."""
        told = [event for event in self.bus.published if event.detail_type.startswith("Warm Pool")]
        return [f"{event.detail_type} {event.resource.rpartition('/')[2]}" for event in told]

    def key(self, name: str = "job-1") -> JobKey:
        found = self.bench.describe(name)
        return JobKey.of(found["TrainingJobArn"], found["CreationTime"])

    def _news(self) -> list[dict[str, Any]]:
        fresh, self._seen = self.bench.events[self._seen :], len(self.bench.events)
        return delivered(fresh)

    def _announced(self) -> list[dict[str, Any]]:
        fresh, self._told = self.bus.published[self._told :], len(self.bus.published)
        return [
            {"detail-type": event.detail_type, "time": event.time.isoformat(), "detail": dict(event.detail)}
            for event in fresh
            if event.detail_type in {"Training Job Started", "Training Job Finished"}
        ]

    def _handled(self, handle: Callable[[Any], Outcome], message: Any, queue: DelayQueue) -> None:
        try:
            self.outcomes.append(handle(message))
        except TryLater as error:
            self.outcomes.append(Outcome(f"later: {error}"))
            queue.waiting.append((self.now + (error.after or timedelta(seconds=30)), message))


def world(**chosen: Any) -> PoolWorld:
    """A world whose one team made these choices, with a known price."""
    return PoolWorld(FakeSettings(settings(**chosen)), price=price())


def figures(w: PoolWorld) -> dict[TeamMetric | Field, Any]:
    """Everything that was published of team default; numbers are added up."""
    found: dict[TeamMetric | Field, Any] = {}
    for outcome in w.outcomes:
        for name, value in outcome.figures.get("default", {}).items():
            found[name] = value if isinstance(value, str) else found.get(name, 0) + value
    return found
