"""From an event about quotas to one card on each channel's queue; what it says comes from the ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.quota_cards import refusal_card
from trainops.domain.quota_digests import QuotaChange, changes_card
from trainops.domain.quota_events import CHANGED, REFUSAL, QuotaTrigger, quota_trigger
from trainops.ports import Queue
from trainops.quota_ports import QuotaLedger
from trainops.telemetry import Field, Outcome
from trainops.workflows.telling import reading, tell


@dataclass(frozen=True, slots=True)
class QuotaNotification:
    """Handles one event. `told` holds the words people choose by, QuotaChanged and QuotaRefusal."""

    ledger: QuotaLedger
    channels: Sequence[Queue]
    told: Sequence[str]
    time_zone: tzinfo

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Put the card on every channel's queue. Raises PoisonMessage when the event is not one of ours in form."""
        with reading():
            trigger = quota_trigger(event)
        word = (REFUSAL if trigger.kind == REFUSAL else CHANGED).replace(" ", "")
        card = self._card(trigger)
        if card is None:
            subjects = ", ".join(sorted({name for name, _ in trigger.news}))
            return Outcome(f"the ledger has no such news: {trigger.kind} of {subjects}", {Field.IGNORED: 1})
        return tell(lambda: card, word=word, about=card.job_name, told=self.told, channels=self.channels)

    def _card(self, trigger: QuotaTrigger) -> Card | None:
        if trigger.kind == REFUSAL:
            refused = self.ledger.refusal(trigger.news[0][1])
            return refusal_card(refused, refused.at, self.time_zone) if refused else None
        records = [(self.ledger.quota(name), key) for name, key in trigger.news]
        changes = [QuotaChange(record, key) for record, key in records if record and key in record.news]
        return changes_card(changes, self.time_zone) if changes else None
