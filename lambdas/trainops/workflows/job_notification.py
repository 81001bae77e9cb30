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
from trainops.domain.job_cards import card_for, start_warnings
from trainops.domain.job_events import failure_class_of, trigger_of
from trainops.domain.job_records import JobRecord
from trainops.domain.pool_actions import actions_after
from trainops.outcomes import Outcome
from trainops.ports import Ledger
from trainops.telemetry import Field
from trainops.workflows.failure_logs import FailureLogs
from trainops.workflows.failure_storms import FailureStorms
from trainops.workflows.job_families import JobFamilies
from trainops.workflows.reading import reading
from trainops.workflows.telling import Desk


@dataclass(frozen=True, slots=True)
class JobNotification:
    """Handles one event. Without `families` the jobs of tuning jobs, AutoML jobs and pipelines are told one by one;
    without `logs` no card shows a job's log; `acting` are the teams whose people may act on their pools.
    """

    ledger: Ledger
    desk: Desk
    time_zone: tzinfo
    storms: FailureStorms
    families: JobFamilies | None = None
    logs: FailureLogs | None = None
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
        if self.families and (folded := self.families.fold(record, announcement)):
            return folded
        return self._tell(record, trigger.announcement, announcement, trigger.at or announcement.at)

    def _tell(self, record: JobRecord, key: str, announcement: Announcement, at: datetime) -> Outcome:
        word, about = spoken_status(record, announcement), record.job.key.arn

        def card() -> Card:
            return self._card(record, key, announcement, at)

        def with_log(told: Card) -> Card:
            return self.logs(told, record, announcement) if self.logs else told

        failure = failure_class_of(record.job) if announcement.type is AnnouncementType.FINISHED else None
        if failure:
            return self.storms.tell(card(), failure, word=word, about=about, at=at, finished=with_log)
        return self.desk.tell(lambda: with_log(card()), word=word, about=about, at=at)

    def _card(self, record: JobRecord, key: str, announcement: Announcement, at: datetime) -> Card:
        card = card_for(record, key, announcement, at, self.time_zone)
        ended = announcement.type is AnnouncementType.FINISHED
        return replace(card, actions=actions_after(record, at)) if ended and record.team in self.acting else card


def spoken_status(record: JobRecord, announcement: Announcement) -> str:
    """The word a person chooses by in `notifications.statuses`: Started, StartWarning (a start with something to act
    on), Interrupted, Restarted, or how the job ended.
    """
    if announcement.type is AnnouncementType.FINISHED:
        return record.job.status
    if announcement.type is AnnouncementType.STARTED and start_warnings(record):
        return "StartWarning"
    return announcement.type.value
