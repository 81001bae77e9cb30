"""Adds the end of a failed job's log to its card, for teams that want it; read then, because it is kept nowhere."""

from collections.abc import Mapping
from dataclasses import dataclass

from trainops.domain.announcements import Announcement
from trainops.domain.cards import Card
from trainops.domain.job_records import JobRecord
from trainops.domain.log_excerpts import lines_wanted, with_log
from trainops.run_ports import JobLogs


@dataclass(frozen=True, slots=True)
class FailureLogs:
    """`lines`: team → how many of the last lines; of others nothing is read."""

    logs: JobLogs
    lines: Mapping[str, int]

    def __call__(self, card: Card, record: JobRecord, announcement: Announcement) -> Card:
        """The card with the lines, or with why there are none. Raises TryLater when CloudWatch Logs is throttled."""
        wanted = lines_wanted(record, announcement, self.lines)
        return with_log(card, self.logs.tail(record.job, wanted)) if wanted else card
