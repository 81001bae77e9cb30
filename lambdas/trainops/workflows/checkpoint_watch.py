"""On a schedule: looks how old the last checkpoint of each running spot job is, a bounded number of jobs a run.

Only jobs whose checkpoints lie in the deployment's bucket are looked at. No job is changed or stopped: its owner is
told, once for each checkpoint that grew old. As at the intake, what is pending in the ledger is published again by it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from trainops.counting_ports import Checkpoints, JobCounts
from trainops.domain.checkpoint_health import at_risk, bucket_and_prefix, stale, with_news
from trainops.domain.job_events import events_of
from trainops.domain.job_records import JobRecord
from trainops.domain.state_changes import needed_time
from trainops.errors import TryLater
from trainops.outcomes import Outcome
from trainops.ports import Bus, Ledger
from trainops.telemetry import Field, Metric

RUNNING = 1000
"""How many of the jobs that are not over are read, those first that the reconciler will look at first."""
LOOKS = 100
"""How many of them are looked up in S3."""
EVER = timedelta(days=60)
"""Later than any job's next look."""


@dataclass(frozen=True, slots=True)
class CheckpointWatch:
    """Handles one tick of the schedule."""

    ledger: Ledger
    counts: JobCounts
    checkpoints: Checkpoints
    bus: Bus
    bucket: str
    allowed: timedelta

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Look. Raises ValueError when the event has no time."""
        now = needed_time(event, "time")
        keys = self.ledger.due_jobs(now + EVER, RUNNING)
        watched = [item for item in self.counts.records(keys) if at_risk(item.job) and self._prefix(item) is not None]
        found: list[str] = []
        unknown: list[str] = []
        for record in watched[:LOOKS]:
            if not has_time():
                unknown.append("time ran out")
                break
            self._look(record, now, found, unknown)
        left = f", {len(watched) - LOOKS} more were not looked at" if len(watched) > LOOKS else ""
        told = f": {'; '.join(found)}" if found else ""
        not_known = f"; not known: {'; '.join(unknown)}" if unknown else ""
        reason = (
            f"{len(watched)} running spot jobs keep checkpoints here, {len(found)} of them old ones{told}{not_known}"
        )
        return Outcome(reason + left, {Metric.CHECKPOINTS_OLD: len(found), Field.CHECKPOINTS_WATCHED: len(watched)})

    def _look(self, record: JobRecord, now: datetime, found: list[str], unknown: list[str]) -> None:
        owner = f" ({record.owner.short})" if record.owner.name else ""
        try:
            newest = self.checkpoints.newest(self.bucket, self._prefix(record) or "")
        except TryLater as error:
            unknown.append(f"{record.job.name}: {error}")
            return
        if reason := stale(record.job, newest, now, self.allowed):
            found.append(f"{record.job.name}{owner}: {reason}")
            self._tell(with_news(record, newest, reason, now), now, unknown)

    def _tell(self, record: JobRecord | None, now: datetime, unknown: list[str]) -> None:
        """Somebody else may write the item at this moment; the next run tells it then."""
        if record is None:
            return
        try:
            written = self.ledger.put_job(record)
            self.bus.publish(events_of(written, now))
            self.ledger.put_job(written.with_published(now))
        except TryLater as error:
            unknown.append(f"{record.job.name} was not told of: {error}")

    def _prefix(self, record: JobRecord) -> str | None:
        place = bucket_and_prefix(record.job.checkpoint_uri)
        return place[1] if place and place[0] == self.bucket else None
