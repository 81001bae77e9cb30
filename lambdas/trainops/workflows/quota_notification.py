"""From an event about quotas to one card for each channel it goes to; what it says comes from the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.quota_cards import change_card, refusal_card
from trainops.domain.quota_events import REFUSAL, QuotaTrigger, quota_trigger
from trainops.quota_ports import QuotaLedger
from trainops.telemetry import Field, Outcome
from trainops.workflows.telling import Desk, reading


@dataclass(frozen=True, slots=True)
class QuotaNotification:
    """Handles one event; the words people choose by are QuotaChanged and QuotaRefusal."""

    ledger: QuotaLedger
    desk: Desk
    time_zone: tzinfo

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Hand the card in at the desk. Raises PoisonMessage when the event is not one of ours in form."""
        with reading():
            trigger = quota_trigger(event)
        word = trigger.kind.replace(" ", "")
        found = self._card(trigger)
        if found is None:
            return Outcome(f"the ledger has no such news: {word} of {trigger.subject}", {Field.IGNORED: 1})
        card, at = found
        return self.desk.tell(lambda: card, word=word, about=card.job_name, at=at)

    def _card(self, trigger: QuotaTrigger) -> tuple[Card, datetime] | None:
        if trigger.kind == REFUSAL:
            refused = self.ledger.refusal(trigger.news)
            return (refusal_card(refused, refused.at, self.time_zone), refused.at) if refused else None
        record = self.ledger.quota(trigger.subject)
        item = record.news.get(trigger.news) if record else None
        if record is None or item is None:
            return None
        return change_card(record, trigger.news, item, item.at, self.time_zone), item.at
