"""On a schedule: follows requests to their end, files what was carried over, tells each change once, counts usage.

Only quotas that some deployment wants are read. A quota that cannot be read now is left as it was and said so; the
others are still looked at.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from trainops.domain.quota_digests import untold
from trainops.domain.quota_events import changes_event
from trainops.domain.quota_records import QuotaRecord
from trainops.domain.quota_usage import Usage, usage
from trainops.domain.quotas import kind_of
from trainops.domain.state_changes import needed_time
from trainops.errors import TryLater
from trainops.outcomes import Outcome
from trainops.ports import Bus
from trainops.quota_ports import LiveJobs, QuotaLedger
from trainops.telemetry import Field, Metric
from trainops.workflows.quota_turn import QuotaTurn


@dataclass(frozen=True, slots=True)
class QuotaTracker:
    """Handles one tick of the schedule."""

    ledger: QuotaLedger
    turn: QuotaTurn
    jobs: LiveJobs
    bus: Bus

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Look at every wish and publish what changed. Raises ValueError when the event has no time."""
        now = needed_time(event, "time")
        known = {record.name: record for record in self.ledger.quotas() if record.wishes}
        left: list[str] = []
        used = self._usage(now, left) if known else Usage()
        done: list[QuotaRecord] = []
        for record in list(known.values()):
            if not has_time():
                left.append(f"{record.name}: time ran out")
                continue
            try:
                done.append(self._followed(record, used, now))
            except TryLater as error:
                left.append(f"{record.name}: {error}")
        left += self._tell({**known, **{record.name: record for record in done}}, now)
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
        return self.ledger.put_quota(replace(current, used=used.of(current.name) if used else None))

    def _tell(self, records: Mapping[str, QuotaRecord], now: datetime) -> Iterator[str]:
        """Publish first and mark it then: what fails in between is published again, as the same message. Yields what
        did not come to its end.
        """
        turns = untold(list(records.values()))
        try:
            self.bus.publish([changes_event(changes, now) for changes in turns])
        except TryLater as error:
            yield f"news: {error}"
            return
        for record in records.values():
            if record.pending:
                try:
                    self.ledger.put_quota(record.all_said())
                except TryLater as error:
                    yield f"{record.name} is told and not noted: {error}"


def _outcome(done: Sequence[QuotaRecord], left: Sequence[str]) -> Outcome:
    percents = [percent for record in done if (percent := record.used_percent) is not None]
    counts: dict[Metric | Field, int] = {Metric.WALK_CUT_SHORT: int(bool(left))}
    if percents:
        counts[Metric.QUOTA_USED_PERCENT] = max(percents)
    states = Counter(str(record.state) for record in done)
    told = [f"{count} {state}" for state, count in sorted(states.items())] + [
        f"left for later: {item}" for item in left
    ]
    notes = tuple(map(_note, done))
    return Outcome("; ".join(told) or "no deployment wants any quota", counts, notes=notes)


def _note(record: QuotaRecord) -> Mapping[str, object]:
    """Use against limit, for the log; None is unknown."""
    kind = kind_of(record.name)
    return {
        Field.QUOTA: record.name,
        Field.INSTANCE_TYPE: kind[1] if kind else None,
        Field.VALUE: record.seen.value if record.seen else None,
        Field.WANTED: record.wanted,
        Field.USED: record.used,
        Field.USED_PERCENT: record.used_percent,
        Field.USED_FROM: "counted from jobs" if record.used is not None else "unknown",
        Field.USAGE_METRIC: record.seen.usage_metric if record.seen else None,
        Field.STATE: str(record.state),
        "reason": record.reason,
    }
