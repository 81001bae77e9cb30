"""Families of jobs and storms of failures in memory, behind the same ports; and their parts put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from tests.fakes import FakeLedger, FakeQueue, Fuse
from trainops.domain.job_families import Family, Members, Step
from trainops.domain.storms import Seen, Storm
from trainops.domain.training_jobs import JobKey
from trainops.errors import LedgerConflict
from trainops.ports import Queue
from trainops.workflows.failure_storms import FailureStorms
from trainops.workflows.job_families import JobFamilies
from trainops.workflows.telling import Desk


@dataclass
class FakeFamilies:
    """Its members' records are those of `ledger`."""

    ledger: FakeLedger = field(default_factory=FakeLedger)
    items: dict[str, Family] = field(default_factory=dict)
    jobs: dict[str, dict[JobKey, str | None]] = field(default_factory=dict)
    steps: dict[str, dict[str, Step]] = field(default_factory=dict)

    def join(self, family: str, job: JobKey, outer: str | None) -> None:
        self.jobs.setdefault(family, {})[job] = outer

    def family(self, arn: str) -> Family | None:
        return self.items.get(arn)

    def put_family(self, family: Family) -> None:
        stored = self.items.get(family.arn)
        if (stored.version if stored else 0) != family.version:
            raise LedgerConflict("written by another")
        self.items[family.arn] = replace(family, version=family.version + 1)

    def put_step(self, family: str, step: Step) -> None:
        known = self.steps.setdefault(family, {}).get(step.name)
        if known is None or (known.seen, known.over) < (step.seen, step.over):
            self.steps[family][step.name] = step

    def members(self, arn: str) -> Members:
        joined = self.jobs.get(arn, {})
        records = [self.ledger.items[key] for key in joined if key in self.ledger.items]
        outer = next((outer for outer in joined.values() if outer), None)
        steps = list(self.steps.get(arn, {}).values())
        return Members(sorted(records, key=lambda record: record.job.key.created), steps, outer)


@dataclass
class FakeStorms:
    """Every call that writes burns the fuse, so that a workflow can be killed before or after it."""

    fuse: Fuse = field(default_factory=Fuse)
    items: dict[str, Storm] = field(default_factory=dict)
    fates: dict[tuple[str, str], Seen] = field(default_factory=dict)
    lists: dict[tuple[str, datetime], dict[str, Seen]] = field(default_factory=dict)

    def storm(self, key: str) -> Storm | None:
        return self.items.get(key)

    def put_storm(self, storm: Storm) -> Storm:
        self.fuse.burn("put_storm")
        stored = self.items.get(storm.key)
        if (stored.version if stored else 0) != storm.version:
            raise LedgerConflict("written by another")
        written = self.items[storm.key] = replace(storm, version=storm.version + 1)
        self.fuse.burnt()
        return written

    def seen(self, storm: str, key: str) -> Seen | None:
        return self.fates.get((storm, key))

    def put_seen(self, storm: str, seen: Seen) -> None:
        self.fuse.burn("put_seen")
        self.fates[storm, seen.key] = seen
        self.fuse.burnt()

    def absorb(self, storm: str, opened: datetime, seen: Seen) -> None:
        self.fuse.burn("absorb")
        self.lists.setdefault((storm, opened), {})[seen.key] = seen
        self.fuse.burnt()

    def absorbed(self, storm: str, opened: datetime) -> Sequence[Seen]:
        return sorted(self.lists.get((storm, opened), {}).values(), key=lambda seen: seen.at)


def failure_storms(
    desk: Desk,
    storms: FakeStorms | None = None,
    looks: Queue | None = None,
) -> FailureStorms:
    """What stands between failures and the channels, with its ledger in memory."""
    return FailureStorms(storms or FakeStorms(), looks or FakeQueue(), desk, UTC, "/aws/lambda/notification")


def job_families(
    storms: FailureStorms, families: FakeFamilies | None = None, scope: Mapping[str, str] | None = None
) -> JobFamilies:
    """What folds jobs into families, with its ledger in memory and the looks of `storms`."""
    return JobFamilies(families or FakeFamilies(), storms.looks, storms, scope or {}, UTC)
