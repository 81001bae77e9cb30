"""What the notifications of jobs, warm pools and quotas have in common: reading an event, and telling of it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from trainops.domain.cards import Card
from trainops.errors import PoisonMessage
from trainops.ports import Queue
from trainops.telemetry import Outcome


@contextmanager
def reading(otherwise: str = "not a trainops event of version 1") -> Iterator[None]:
    """A message that cannot be read for want of its form is a PoisonMessage, and what it is not is said."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise PoisonMessage(f"{otherwise}: {error!r}") from error


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a notification hands in its cards; `told` holds the words that people want to hear of."""

    channels: Sequence[Queue]
    told: Collection[str]

    def wants(self, card: Card, word: str, at: datetime) -> bool:  # noqa: ARG002 where it goes may depend on all three
        """Whether anybody hears of a card with this word at this time."""
        return word in self.told

    def tell(
        self,
        card: Callable[[], Card],
        *,
        word: str,
        about: str | None,
        at: datetime,  # noqa: ARG002 as above
    ) -> Outcome:
        """Put the card on the queue of each channel it goes to."""
        return tell(card, word=word, about=about, told=self.told, channels=self.channels)


def tell(
    card: Callable[[], Card], *, word: str, about: str | None, told: Collection[str], channels: Iterable[Queue]
) -> Outcome:
    """Put the card on every channel's queue, if `word` is among those that people want to hear of."""
    if word not in told:
        return Outcome(f"{word} is not among notifications.statuses", job=about)
    made = replace(card(), word=word)
    for channel in channels:
        channel.send([made.to_message()])
    return Outcome(f"{word}: {made.title}", job=about)
