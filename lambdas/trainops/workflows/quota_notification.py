"""From an event about quotas to one card for each channel it goes to; what it says comes from the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.quota_cards import refusal_card
from trainops.domain.quota_digests import QuotaChange, changes_card
from trainops.domain.quota_events import CHANGED, REFUSAL, QuotaTrigger, quota_trigger
from trainops.outcomes import Outcome
from trainops.quota_ports import QuotaLedger
from trainops.telemetry import Field
from trainops.workflows.reading import reading
from trainops.workflows.telling import Desk


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
        word = (REFUSAL if trigger.kind == REFUSAL else CHANGED).replace(" ", "")
        found = self._card(trigger)
        if found is None:
            subjects = ", ".join(sorted({name for name, _ in trigger.news}))
            return Outcome(f"the ledger has no such news: {trigger.kind} of {subjects}", {Field.IGNORED: 1})
        card, at = found
        return self.desk.tell(lambda: card, word=word, about=card.job_name, at=at)

    def _card(self, trigger: QuotaTrigger) -> tuple[Card, datetime] | None:
        if trigger.kind == REFUSAL:
            refused = self.ledger.refusal(trigger.news[0][1])
            return (refusal_card(refused, refused.at, self.time_zone), refused.at) if refused else None
        records = [(self.ledger.quota(name), key) for name, key in trigger.news]
        changes = [QuotaChange(record, key) for record, key in records if record and key in record.news]
        if not changes:
            return None
        return changes_card(changes, self.time_zone), max(change.record.news[change.key].at for change in changes)
