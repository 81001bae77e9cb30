"""From a card on a channel's queue to the channel, once.

A passing fault leaves the card on the queue. A channel that will never take it, or to which a person has to repair the
access first, hands it to the other channel, with the reason in its small print, and that one is the last: a card that
it refuses too is parked, and one for which it lacks access as well waits for the repair.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.routes import Place
from trainops.domain.self_checks import TEAM
from trainops.errors import NotConfigured, PoisonMessage, Refused
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
        """Deliver the card. Raises PoisonMessage, TryLater, and NotConfigured when no other channel is left."""
        with reading("not a card"):
            card = Card.from_message(message)
        other = None if message.get(FALLBACK) else self.fallback
        try:
            counts = self.channel.deliver(card, Place.from_message(message))
        except Refused as refusal:
            if other is None:
                raise PoisonMessage(f"{self.name} refused it and no other channel is left: {refusal}") from refusal
            return _hand_over(card, other, f"{self.name} refused it: {refusal}", Metric.DELIVERY_FAILED)
        except NotConfigured as fault:
            if other is None:
                raise
            return _hand_over(card, other, f"{self.name} needs a repair: {fault}", Metric.NOT_CONFIGURED)
        arrived = Metric.SELF_CHECKED if card.team == TEAM else Metric.DELIVERED
        return Outcome(f"{self.name} took {card.key}", {arrived: 1, **counts}, card.job_name)


def _hand_over(card: Card, other: Queue, why: str, counted: Metric) -> Outcome:
    moved = replace(card, context=(*card.context, f"Sent here because {why}"))
    other.send([{**moved.to_message(), FALLBACK: True}])
    return Outcome(f"{card.key} was handed to the other channel: {why}", {counted: 1}, card.job_name, HANDED_OVER)
