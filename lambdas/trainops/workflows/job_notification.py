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
from trainops.domain.job_cards import card_for
from trainops.domain.job_events import failure_class_of, trigger_of
from trainops.domain.job_records import JobRecord
from trainops.ports import Ledger
from trainops.telemetry import Field, Outcome
from trainops.workflows.failure_storms import FailureStorms
from trainops.workflows.job_families import JobFamilies
from trainops.workflows.telling import Desk, reading


@dataclass(frozen=True, slots=True)
class JobNotification:
    """Handles one event. Without `families` the jobs of tuning jobs, AutoML jobs and pipelines are told one by one."""

    ledger: Ledger
    desk: Desk
    time_zone: tzinfo
    storms: FailureStorms
    families: JobFamilies | None

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Hand the card in at the desk. Raises PoisonMessage when the event is not one of ours in form."""
        with reading():
            trigger = trigger_of(event)
        record = self.ledger.job(trigger.key)
        announcement = record.announcements.get(trigger.announcement) if record else None
        if record is None or announcement is None:
            reason = f"the ledger never announced {trigger.announcement} of {trigger.key.arn}"
            return Outcome(reason, {Field.IGNORED: 1}, trigger.key.arn)
        if self.families and (folded := self.families.fold(record, announcement)):
            return folded
        return self._tell(record, trigger.announcement, announcement, trigger.at or announcement.at)

    def _tell(self, record: JobRecord, key: str, announcement: Announcement, at: datetime) -> Outcome:
        word, about = spoken_status(record, announcement), record.job.key.arn

        def card() -> Card:
            return card_for(record, key, announcement, at, self.time_zone)

        failure = failure_class_of(record.job) if announcement.type is AnnouncementType.FINISHED else None
        if failure:
            return self.storms.tell(card(), failure, word=word, about=about, at=at)
        return self.desk.tell(card, word=word, about=about, at=at)


def spoken_status(record: JobRecord, announcement: Announcement) -> str:
    """The word a person chooses by in `notifications.statuses`: Started, Interrupted, or how the job ended."""
    if announcement.type is AnnouncementType.FINISHED:
        return record.job.status
    return announcement.type.value
