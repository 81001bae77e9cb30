"""From an event on the trainops bus to one card on the queue of each channel it is for.

The event only points; what the card says comes from the ledger. An event that points at nothing the ledger announced
(forged, or older than the ledger's memory) changes nothing and is counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from trainops.domain.announcements import Announcement, AnnouncementType
from trainops.domain.cards import Card
from trainops.domain.job_cards import card_for, start_warnings
from trainops.domain.job_events import trigger_of
from trainops.domain.job_records import JobRecord
from trainops.ports import Ledger
from trainops.telemetry import Field, Outcome
from trainops.workflows.failure_logs import FailureLogs
from trainops.workflows.telling import Desk, reading


@dataclass(frozen=True, slots=True)
class JobNotification:
    """Handles one event. Without `logs` no card shows a job's log."""

    ledger: Ledger
    desk: Desk
    time_zone: tzinfo
    logs: FailureLogs | None = None

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Hand the card in at the desk. Raises PoisonMessage when the event is not one of ours in form."""
        with reading():
            trigger = trigger_of(event)
        record = self.ledger.job(trigger.key)
        announcement = record.announcements.get(trigger.announcement) if record else None
        if record is None or announcement is None:
            reason = f"the ledger never announced {trigger.announcement} of {trigger.key.arn}"
            return Outcome(reason, {Field.IGNORED: 1}, trigger.key.arn)
        at = trigger.at or announcement.at
        return self.desk.tell(
            lambda: self._card(record, trigger.announcement, announcement, at),
            word=spoken_status(record, announcement),
            about=trigger.key.arn,
            at=at,
        )

    def _card(self, record: JobRecord, key: str, announcement: Announcement, at: datetime) -> Card:
        card = card_for(record, key, announcement, at, self.time_zone)
        return self.logs(card, record, announcement) if self.logs else card


def spoken_status(record: JobRecord, announcement: Announcement) -> str:
    """The word a person chooses by in `notifications.statuses`: Started, StartWarning (a start with something to act
    on), Interrupted, Restarted, or how the job ended.
    """
    if announcement.type is AnnouncementType.FINISHED:
        return record.job.status
    if announcement.type is AnnouncementType.STARTED and start_warnings(record):
        return "StartWarning"
    return announcement.type.value
