"""Finds what events missed: walks the account's jobs by creation time and asks for a look at silent ones.

Nothing is decided here about a job; what looks missed is put on the queue of `job_intake`, which decides as for an
event. The walk saves its place after each page, so that a run that is out of time is continued by the next.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from trainops.domain.reconciliation import Watermark, look_message, missed
from trainops.domain.state_changes import needed_time
from trainops.domain.training_jobs import JobKey
from trainops.errors import TryLater
from trainops.outcomes import Outcome
from trainops.ports import Ledger, Queue, TrainingJobs
from trainops.telemetry import Field, Metric

DUE_PER_RUN = 100


@dataclass(frozen=True, slots=True)
class JobReconcile:
    """Handles one tick of the schedule; `has_time` says whether another page may be asked for."""

    ledger: Ledger
    training_jobs: TrainingJobs
    job_events: Queue
    overlap: timedelta

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Walk, then look at what is due. Raises ValueError when the event has no time."""
        now = needed_time(event, "time")
        due: Sequence[JobKey] = ()
        try:
            due = self.ledger.due_jobs(now, DUE_PER_RUN)
            self.job_events.send([look_message(key, now) for key in due])
            listed, found, stopped_by = self._walk(now, has_time)
        except TryLater as error:
            listed, found, stopped_by = 0, 0, str(error)
        end = f"until {stopped_by}; the next run goes on there" if stopped_by else "to the end"
        reason = f"walked {listed} jobs {end}; {found} missed by events, {len(due)} due for a look"
        return Outcome(reason, {Field.JOBS_FOUND: found, Metric.WALK_CUT_SHORT: int(stopped_by is not None)})

    def _walk(self, now: datetime, has_time: Callable[[], bool]) -> tuple[int, int, str | None]:
        watermark = self.ledger.watermark() or Watermark(now, complete=True, since=now)
        start = watermark.next_start(self.overlap)
        listed = found = 0
        try:
            for page in self.training_jobs.created_after(start):
                known = self.ledger.statuses([job.key for job in page])
                looks = missed(page, known, now)
                self.job_events.send([look_message(job.key, now, name=job.name, status=job.status) for job in looks])
                listed, found = listed + len(page), found + len(looks)
                if page:
                    start = max(start, page[-1].key.created)
                    self.ledger.put_watermark(replace(watermark, created=start, complete=False))
                if not has_time():
                    return listed, found, "time ran out"
        except TryLater as error:
            return listed, found, str(error)
        self.ledger.put_watermark(replace(watermark, created=now, complete=True))
        return listed, found, None
