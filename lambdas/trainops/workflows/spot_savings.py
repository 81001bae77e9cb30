"""From an event that a job finished to its figures, published once: read, note that it is counted, publish.

The note in the ledger is written first and on condition that there is none, so that duplicates and replays count
nothing twice. A crash between the note and the metric line loses one job's figures; the weekly recount tells.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from trainops.counting_ports import JobCounts
from trainops.domain.announcements import AnnouncementType
from trainops.domain.job_events import trigger_of
from trainops.domain.job_figures import figures_of, start_of
from trainops.domain.self_checks import is_self_check
from trainops.outcomes import Outcome
from trainops.ports import Ledger
from trainops.telemetry import Field, Metric, counted_team
from trainops.workflows.reading import reading


@dataclass(frozen=True, slots=True)
class SpotSavings:
    """Handles one event. `teams` are the configured ones; jobs of all others are counted as one."""

    ledger: Ledger
    counts: JobCounts
    teams: Collection[str]

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Publish a finished job's figures. Raises PoisonMessage when the event is not one of ours in form."""
        with reading():
            trigger = trigger_of(event)
        record = self.ledger.job(trigger.key)
        announced = record.announcements.get(trigger.announcement) if record else None
        if record is None or announced is None or announced.type is not AnnouncementType.FINISHED:
            reason = f"the ledger never announced {trigger.announcement} of {trigger.key.arn} as an end"
            return Outcome(reason, {Field.IGNORED: 1}, trigger.key.arn)
        if is_self_check(record.job):
            return Outcome("a self-check: no job, and counted nowhere", job=record.job.name)
        start = start_of(record.job, warm=record.took_pool)
        figures = figures_of(record, start)
        if not self.counts.count_once(record.job.key, announced.at, start):
            return Outcome("counted before", job=record.job.name)
        missing = figures.get(Field.UNKNOWN)
        reason = f"counted as {record.job.status}" + (f"; in no sum, for want of {missing}" if missing else "")
        by_team = {counted_team(record.team, self.teams): figures}
        return Outcome(reason, {Metric.UNKNOWN: 1} if missing else {}, record.job.name, figures=by_team)
