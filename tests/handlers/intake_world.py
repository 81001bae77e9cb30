"""An intake with everything around it in memory."""

from dataclasses import dataclass, field
from typing import Any

from tests.builders import CREATED, arn, at, event
from tests.fakes import FakeBus, FakeLedger, FakePrices, FakeQuotas, FakeTrainingJobs, Fuse
from tests.pool_fakes import FakePoolLedger
from tests.quiet_fakes import FakeFamilies
from tests.run_fakes import FakeRunNotes
from trainops.domain.job_records import JobRecord
from trainops.domain.training_jobs import JobKey, from_description
from trainops.workflows.job_intake import JobIntake
from trainops.workflows.ownership import Ownership
from trainops.workflows.pool_misses import PoolAnswers, PoolMisses
from trainops.workflows.run_history import RunHistory


@dataclass
class World:
    """An intake and everything around it; `consumed` is what a consumer that commits by key ends up with."""

    fuse: Fuse = field(default_factory=Fuse)
    scope: dict[str, str] = field(default_factory=dict)
    team_owners: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ledger = FakeLedger(self.fuse)
        self.api = FakeTrainingJobs(fuse=self.fuse)
        self.bus = FakeBus(self.fuse)
        self.pools, self.quotas = FakePoolLedger(), FakeQuotas()
        self.families, self.notes = FakeFamilies(self.ledger), FakeRunNotes()
        self.intake = JobIntake(
            self.ledger,
            self.api,
            self.bus,
            FakePrices(),
            PoolMisses(PoolAnswers(self.pools, self.quotas), self.api),
            Ownership(self.notes, self.team_owners),
            RunHistory(self.notes, self.quotas),
            self.families,
            self.scope,
        )

    def knows(self, answer: dict[str, Any]) -> None:
        self.api.jobs[answer["TrainingJobName"]] = from_description(answer, {})

    @property
    def item(self) -> JobRecord:
        return self.ledger.items[JobKey.of(arn(), CREATED)]

    @property
    def consumed(self) -> set[str]:
        return set(self.bus.said)


STARTED = event(status="InProgress", secondary="Starting", when=at(0))
