"""What is counted and reported, in memory, behind the same ports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from tests.fakes import FakeLedger
from trainops.domain.job_records import JobRecord
from trainops.domain.start_latency import Start
from trainops.domain.training_jobs import JobKey
from trainops.domain.weekly_reports import WeeklyReport


@dataclass
class FakeReports:
    items: dict[tuple[str, datetime], WeeklyReport] = field(default_factory=dict)

    def report(self, team: str, until: datetime) -> WeeklyReport | None:
        return self.items.get((team, until))

    def begin(self, report: WeeklyReport) -> WeeklyReport:
        return self.items.setdefault((report.team, report.until), report)

    def put_told(self, report: WeeklyReport) -> WeeklyReport:
        self.items[report.team, report.until] = report
        return report


@dataclass
class FakeJobCounts:
    """Which jobs are counted, beside a ledger in memory."""

    ledger: FakeLedger
    known: dict[JobKey, Start | None] = field(default_factory=dict)

    def count_once(self, key: JobKey, at: datetime, start: Start | None) -> bool:
        fresh = key not in self.known
        self.known.setdefault(key, start)
        return fresh

    def counted(self, keys: Sequence[JobKey]) -> Mapping[JobKey, Start | None]:
        return {key: self.known[key] for key in keys if key in self.known}

    def finished(self, since: datetime, until: datetime) -> Sequence[JobKey]:
        over = [(key, item.job.ended) for key, item in self.ledger.items.items() if item.end_announced]
        return [key for key, ended in over if ended and since <= ended <= until]

    def records(self, keys: Sequence[JobKey]) -> Sequence[JobRecord]:
        return [self.ledger.items[key] for key in keys if key in self.ledger.items]
