"""On a schedule: follows requests to their end, files what was carried over, tells each change once, counts usage.

Only quotas that some deployment wants are read. A quota that cannot be read now is left as it was and said so; the
others are still looked at.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from trainops.domain.quota_events import change_events
from trainops.domain.quota_records import QuotaRecord, QuotaState
from trainops.domain.quota_usage import Usage, usage
from trainops.domain.state_changes import parse_time
from trainops.errors import TryLater
from trainops.ports import Bus
from trainops.quota_ports import LiveJobs, QuotaLedger
from trainops.telemetry import Metric, Outcome
from trainops.workflows.quota_request import Turn


@dataclass(frozen=True, slots=True)
class QuotaTracker:
    """Handles one tick of the schedule."""

    ledger: QuotaLedger
    turn: Turn
    jobs: LiveJobs
    bus: Bus

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Look at every wish and publish what changed. Raises ValueError when the event has no time."""
        now = parse_time(event.get("time"))
        if now is None:
            raise ValueError(f"the schedule's event has no ISO-8601 time, but {event.get('time')!r}")
        wanted = [record for record in self.ledger.quotas() if record.wishes]
        left: list[str] = []
        used = self._usage(now, left) if wanted else Usage()
        done: list[QuotaRecord] = []
        for record in wanted:
            if not has_time():
                left.append(f"{record.name}: time ran out")
                continue
            try:
                done.append(self._followed(record, used, now))
            except TryLater as error:
                left.append(f"{record.name}: {error}")
        return _outcome(done, left)

    def _usage(self, now: datetime, left: list[str]) -> Usage | None:
        """None is unknown: a Search that failed is no account without jobs."""
        try:
            return usage(self.jobs.held(now))
        except TryLater as error:
            left.append(f"usage: {error}")
            return None

    def _followed(self, record: QuotaRecord, used: Usage | None, now: datetime) -> QuotaRecord:
        current = self.turn(record, now)
        current = self.ledger.put_quota(replace(current, used=used.of(current.name) if used else None))
        if current.pending:
            self.bus.publish(change_events(current, now))
            current = self.ledger.put_quota(current.all_said())
        return current


def _outcome(done: Sequence[QuotaRecord], left: Sequence[str]) -> Outcome:
    percents = [percent for record in done if (percent := record.used_percent) is not None]
    counts = {
        Metric.SWEPT: int(not left),
        Metric.WALK_CUT_SHORT: int(bool(left)),
        Metric.POSTPONED: sum(record.state is QuotaState.DEFERRED for record in done),
    }
    if percents:
        counts[Metric.QUOTA_USED_PERCENT] = max(percents)
    lines = "; ".join([_line(record) for record in done] + [f"left for later: {item}" for item in left])
    return Outcome(lines or "no deployment wants any quota", counts)


def _line(record: QuotaRecord) -> str:
    value = record.seen.value if record.seen else "none"
    used = "use unknown" if record.used is None else f"{record.used} used, counted from jobs"
    return f"{record.name}: {value} ({used}), {record.state}: {record.reason}"
