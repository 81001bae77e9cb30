"""From an event on the trainops bus to one card on the queue of each channel it is for.

The event only points; what the card says comes from the ledger. An event that points at nothing the ledger announced
(forged, or older than the ledger's memory) changes nothing and is counted.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any

from trainops.domain.announcements import Announcement, AnnouncementType
from trainops.domain.cards import Card
from trainops.domain.job_cards import card_for
from trainops.domain.job_events import trigger_of
from trainops.domain.job_records import JobRecord
from trainops.domain.pool_actions import actions_after
from trainops.ports import Ledger
from trainops.telemetry import Field, Outcome
from trainops.workflows.telling import Desk, reading


@dataclass(frozen=True, slots=True)
class JobNotification:
    """Handles one event. `acting` are the teams whose people may act on their pools."""

    ledger: Ledger
    desk: Desk
    time_zone: tzinfo
    acting: Collection[str] = ()

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
        ended = announcement.type is AnnouncementType.FINISHED
        return replace(card, actions=actions_after(record, at)) if ended and record.team in self.acting else card


def spoken_status(record: JobRecord, announcement: Announcement) -> str:
    """The word a person chooses by in `notifications.statuses`: Started, Interrupted, or how the job ended."""
    if announcement.type is AnnouncementType.FINISHED:
        return record.job.status
    return announcement.type.value
