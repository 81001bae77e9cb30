"""Posts cards as a Slack bot: one conversation, one thread; into teams' channels, and to people directly.

Used by `slack_delivery` when the settings name a channel for the bot. Whoever or whatever cannot be reached is not
lost: the card goes to the team's channel, then to the bot's default one, and says for whom it was meant.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from trainops.adapters.slack_api import SlackApi, SlackRefusal
from trainops.adapters.slack_blocks import blocks, fallback_text
from trainops.adapters.slack_memory import NOBODY, People, Threads
from trainops.domain.cards import Card, Tone
from trainops.domain.conversations import Root, Step, next_step
from trainops.domain.routes import ANYWHERE, Place
from trainops.errors import NotConfigured
from trainops.outcomes import Counts
from trainops.telemetry import Field, Metric

GONE = frozenset({"cant_update_message", "edit_window_closed", "message_not_found", "thread_not_found"})
"""A first message that somebody deleted, or that is too old to be changed."""

Render = Callable[[Card], Mapping[str, Any]]


def message(card: Card) -> Mapping[str, Any]:
    """What Slack shows of a card."""
    return {"text": fallback_text(card), "blocks": blocks(card)}


@dataclass(frozen=True, slots=True)
class SlackBot:
    """Implements `ports.Channel`; `default` is the channel of cards that name none."""

    api: SlackApi
    threads: Threads
    people: People
    default: str
    render: Render = message

    def deliver(self, card: Card, place: Place = ANYWHERE) -> Counts:
        """Post to the place, or to the next best one: an app that may look up nobody may still post. Raises what
        `SlackApi` does; SlackRefusal and NotConfigured when that is so of the bot's default channel too.
        """
        counts: Counter[Field | Metric] = Counter()
        for where in dict.fromkeys((place.to, place.otherwise)):
            if where is None or where == self.default:
                continue
            try:
                self._say(card, self._direct(where) if "@" in where else where)
            except (SlackRefusal, NotConfigured) as fault:
                if "@" in where:
                    counts[Field.OWNER_UNRESOLVED] += 1
                if isinstance(fault, NotConfigured):
                    counts[Metric.NOT_CONFIGURED] += 1
                elif "@" not in where:
                    counts[Metric.DELIVERY_FAILED] += 1
                card = replace(card, context=(*card.context, f"Meant for {where}, where it could not go: {fault}"))
            else:
                return counts
        self._say(card, self.default)
        return counts

    def _direct(self, email: str) -> str:
        channel = self.people.channel_of(email)
        if channel is None:
            try:
                channel = self.api.direct_channel(email)
            except SlackRefusal:
                self.people.remember(email, NOBODY)
                raise
            self.people.remember(email, channel)
        if channel == NOBODY:
            raise SlackRefusal("users_not_found")
        return channel

    def _say(self, card: Card, channel: str) -> None:
        if card.thread is None:
            self.api.post(channel, channel, self.render(card))
            return
        root = self.threads.root(channel, card.thread, card.key)
        try:
            self._go_on(card, channel, card.thread, root)
        except (SlackRefusal, NotConfigured) as fault:
            if root is None:
                self.threads.release(channel, card.thread, card.key)  # or the next card would wait for this one
                raise
            if not (isinstance(fault, SlackRefusal) and fault.code in GONE):
                raise
            self._go_on(card, channel, card.thread, None)

    def _go_on(self, card: Card, channel: str, thread: str, root: Root | None) -> None:
        """Take the conversation's next step. What is done twice after a crash is harmless but for the last post."""
        step, word = next_step(root, card), card.word or ""
        if root is None or step is Step.OPEN:
            self.threads.show(channel, thread, Root(*self.api.post(channel, channel, self.render(card)), word))
        elif step is Step.UPDATE:
            self.api.update(channel, root.channel, root.ts, self.render(card))
            # Changing a message notifies nobody; a failure is also shown in the channel.
            brief = {"text": fallback_text(card)}
            self.api.post(channel, root.channel, brief, root.ts, broadcast=card.tone is Tone.BAD)
            self.threads.show(channel, thread, replace(root, word=word))
        else:
            self.api.post(channel, root.channel, self.render(card), root.ts)
