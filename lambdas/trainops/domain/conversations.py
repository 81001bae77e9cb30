"""What a card does to its conversation in Slack: opens it, brings its first message up to date, or answers in it."""

from dataclasses import dataclass
from enum import StrEnum

from trainops.domain.cards import Card

ENDS = frozenset({"Completed", "Failed", "Stopped"})
"""The words of cards that tell how a job ended."""


@dataclass(frozen=True, slots=True)
class Root:
    """The first message of a conversation, as Slack knows it, and the word of the card that it shows."""

    channel: str
    ts: str
    word: str


class Step(StrEnum):
    """`open` posts a first message; `update` changes it in place and answers briefly, because a change notifies nobody;
    `reply` answers with the card.
    """

    OPEN = "open"
    UPDATE = "update"
    REPLY = "reply"


def next_step(root: Root | None, card: Card) -> Step:
    """The first message shows a job from its start to its end, and never goes back: what comes late is an answer."""
    if root is None:
        return Step.OPEN
    return Step.UPDATE if card.word in ENDS and root.word not in ENDS else Step.REPLY
