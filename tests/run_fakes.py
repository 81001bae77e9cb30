"""The ledger's notes about runs, and their logs, in memory, behind the same ports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from tests.fakes import FakeQuotas
from trainops.domain.callers import Caller, WitnessedCall
from trainops.domain.log_excerpts import LogTail
from trainops.domain.past_runs import PastRun
from trainops.domain.training_jobs import TrainingJob
from trainops.workflows.ownership import Ownership
from trainops.workflows.run_history import RunHistory


@dataclass
class FakeRunNotes:
    calls: list[WitnessedCall] = field(default_factory=list)
    runs: dict[tuple[str, str, datetime], PastRun] = field(default_factory=dict)
    reads: int = 0

    def caller(self, arn: str, since: datetime, until: datetime) -> Caller | None:
        self.reads += 1
        found = [call for call in self.calls if call.arn == arn.lower() and since <= call.at <= until]
        return max(found, key=lambda call: call.at).caller if found else None

    def put_caller(self, call: WitnessedCall) -> None:
        self.calls.append(call)

    def before(self, series: str, created: datetime, limit: int) -> Sequence[PastRun]:
        self.reads += 1
        known = [run for (of, _, when), run in self.runs.items() if of == series and when < created]
        return sorted(known, key=lambda run: run.created, reverse=True)[:limit]

    def put_run(self, series: str, run: PastRun) -> None:
        self.runs[series, run.arn, run.created] = run


def past(notes: FakeRunNotes, quotas: FakeQuotas, team_owners: Mapping[str, str]) -> tuple[Ownership, RunHistory]:
    """What an intake asks the notes."""
    return Ownership(notes, team_owners), RunHistory(notes, quotas)


@dataclass
class FakeJobLogs:
    found: LogTail = field(default_factory=lambda: LogTail(None))
    asked: list[tuple[str, int]] = field(default_factory=list)

    def tail(self, job: TrainingJob, lines: int) -> LogTail:
        self.asked.append((job.name, lines))
        return self.found
