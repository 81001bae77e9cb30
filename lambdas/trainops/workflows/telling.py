"""What the notifications of jobs, pools, quotas and reports have in common: the desk they hand their cards in at."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from trainops.domain.cards import Card
from trainops.domain.recipients import RecipientSettings, recipient_of
from trainops.domain.routes import Channel, Routed, Routing, routed
from trainops.outcomes import Counts, Outcome
from trainops.ports import Queue
from trainops.telemetry import Field


@dataclass(frozen=True, slots=True)
class Desk:
    """Where every notification hands in its cards: `queues` by kind of channel, and the table that says which."""

    queues: Mapping[Channel, Queue]
    table: Routing
    recipients: RecipientSettings

    def wants(self, card: Card, word: str, at: datetime) -> bool:
        """Whether anybody hears of a card with this word at this time."""
        return bool(self._where(card, word, at).destinations)

    def tell(self, card: Callable[[], Card], *, word: str, about: str | None, at: datetime) -> Outcome:
        """Put the card on the queue of each channel it goes to at that time; `word` is what people choose by."""
        made = replace(card(), word=word)
        where = self._where(made, word, at)
        for channel, place in where.destinations:
            self.queues[channel].send([{**made.to_message(), **place.to_message()}])
        told = f"{word}: {made.title}; " if where.destinations else ""
        return Outcome(f"{told}{where.reason}", _counts(where), job=about)

    def _where(self, card: Card, word: str, at: datetime) -> Routed:
        owner = recipient_of(card.owner, card.team or "default", self.recipients)
        return routed(card, word, at, self.table, owner)


def _counts(where: Routed) -> Counts:
    found = {Field.MUTED: where.muted, Field.OWNER_UNRESOLVED: where.unresolved}
    return {field: 1 for field, so in found.items() if so}
