"""From a card on a channel's queue to the channel, once.

A passing fault leaves the card on the queue; a channel that will never take it hands it to the other channel, with the
reason in its small print, and that one is the last: a card that both refuse is parked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.routes import Place
from trainops.domain.self_checks import TEAM
from trainops.errors import PoisonMessage, Refused
from trainops.outcomes import HANDED_OVER, Outcome
from trainops.ports import Channel, Queue
from trainops.telemetry import Metric
from trainops.workflows.reading import reading

FALLBACK = "fallback"
"""Marks a copy that comes from the other channel."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Handles one card. `name` is the channel's name as people know it."""

    name: str
    channel: Channel
    fallback: Queue | None

    def __call__(self, message: Mapping[str, Any]) -> Outcome:
        """Deliver the card. Raises PoisonMessage, TryLater or NotConfigured."""
        with reading("not a card"):
            card = Card.from_message(message)
        try:
            counts = self.channel.deliver(card, Place.from_message(message))
        except Refused as refusal:
            return self._hand_over(card, message, refusal)
        arrived = Metric.SELF_CHECKED if card.team == TEAM else Metric.DELIVERED
        return Outcome(f"{self.name} took {card.key}", {arrived: 1, **counts}, card.job_name)

    def _hand_over(self, card: Card, message: Mapping[str, Any], refusal: Refused) -> Outcome:
        if self.fallback is None or message.get(FALLBACK):
            raise PoisonMessage(f"{self.name} refused it and no other channel is left: {refusal}") from refusal
        note = f"Sent here because {self.name} refused it: {refusal}"
        moved = replace(card, context=(*card.context, note))
        self.fallback.send([{**moved.to_message(), FALLBACK: True}])
        reason = f"{self.name} refused {card.key} ({refusal}); handed to the other channel"
        return Outcome(reason, {Metric.DELIVERY_FAILED: 1}, card.job_name, HANDED_OVER)
