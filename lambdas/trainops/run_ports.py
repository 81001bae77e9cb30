"""What workflows need to know of runs beside a run's own item, in the manner of `ports`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from trainops.domain.callers import Caller, WitnessedCall
from trainops.domain.log_excerpts import LogTail
from trainops.domain.past_runs import PastRun
from trainops.domain.training_jobs import TrainingJob


class Callers(Protocol):
    """Who created jobs and started pipelines, as far as a trail told."""

    def caller(self, arn: str, since: datetime, until: datetime) -> Caller | None:
        """Who made the call that this ARN came of within a time; None when no trail told of it."""

    def put_caller(self, call: WitnessedCall) -> None:
        """Remember a call; the same one twice is the same item."""


class PastRuns(Protocol):
    """How runs of one name ended."""

    def before(self, series: str, created: datetime, limit: int) -> Sequence[PastRun]:
        """Runs of a series that were created earlier, the newest first."""

    def put_run(self, series: str, run: PastRun) -> None:
        """Remember an ended run; the same one twice is the same item."""


class JobLogs(Protocol):
    """What jobs print."""

    def tail(self, job: TrainingJob, lines: int) -> LogTail:
        """The last lines of one host's log. Raises TryLater when throttled."""
