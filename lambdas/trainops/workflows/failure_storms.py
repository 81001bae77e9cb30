"""Between a failure's card and the channels: a few of a kind pass, the rest are listed and told together.

Every decision is a conditional write in the ledger, so that of two functions at once only one takes the third place.
What is absorbed is listed before the decision is written, and a look at the window's end is asked for before, so that a
crash anywhere loses neither.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Any, TypeVar

from trainops.domain.cards import Card
from trainops.domain.failure_classes import FailureClass
from trainops.domain.storm_cards import ended_card, look_message, look_of, summary_card
from trainops.domain.storms import (
    SINGLES,
    Decision,
    Seen,
    Storm,
    Verdict,
    close,
    decide,
    storm_key,
    thread_of,
    unfinished,
)
from trainops.errors import LedgerConflict
from trainops.outcomes import Outcome
from trainops.ports import Queue
from trainops.quiet_ports import Storms
from trainops.telemetry import Field
from trainops.workflows.reading import reading
from trainops.workflows.telling import Desk

TRIES = 8
"""Two functions at most write at once, each for some milliseconds; the queue waits longer."""
NOTE = "More failures like this one within 10 min are told together."
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class FailureStorms:
    """`looks` is the notification's own queue; `log_group` its own, where a query lists what was absorbed."""

    storms: Storms
    looks: Queue
    desk: Desk
    time_zone: tzinfo
    log_group: str | None

    def tell(
        self,
        card: Card,
        failure: FailureClass,
        *,
        word: str,
        about: str,
        at: datetime,
        finished: Callable[[Card], Card] = lambda card: card,
    ) -> Outcome:
        """Hand in the card of a failure at the desk, or list it with its storm. What nobody wants to hear of counts for
        no storm. `finished` adds what is only worth asking for when the card is told.
        """
        if not self.desk.wants(card, word, at):
            return self.desk.tell(lambda: card, word=word, about=about, at=at)
        key = storm_key(card, failure)
        self._catch_up(key, at)
        mine = Seen(key=card.key, at=at, word=word, team=card.team, job=about, owner=card.owner, title=card.title)
        seen, last = contested(lambda: self._admit(key, mine))
        if seen.opened:
            thread = thread_of(key, seen.opened)
            note = {"storm": thread, "job": about, "title": card.title}
            return Outcome(f"absorbed by {thread}", {Field.ABSORBED: 1}, about, notes=(note,))
        noted = replace(card, context=(*card.context, NOTE)) if last else card
        return self.desk.tell(lambda: finished(noted), word=word, about=about, at=at)

    def _admit(self, key: str, mine: Seen) -> tuple[Seen, bool]:
        """What becomes of a failure, and whether it is the last that is told singly."""
        if before := self.storms.seen(key, mine.key):
            return before, False
        storm = self.storms.storm(key)
        decision = decide(storm, mine.key, key, mine.at)
        storm = decision.storm or storm
        opened = storm.opened if storm and decision.verdict is Verdict.ABSORBED else None
        fate = replace(mine, opened=opened)
        if storm and opened:
            self.storms.absorb(key, opened, fate)
            if decision.look:
                self._ask(storm, storm.windows + 1)
        if decision.storm:
            self.storms.put_storm(decision.storm)
        self.storms.put_seen(key, fate)
        return fate, not opened and storm is not None and len(storm.singles) == SINGLES

    def look(self, event: Mapping[str, Any]) -> Outcome:
        """What there is to tell at the end of a window. Raises PoisonMessage when the message is not one in form."""
        with reading("not a look at a storm"):
            key, opened, window = look_of(event)
        return self._finish(key, opened, window)

    def _catch_up(self, key: str, now: datetime) -> None:
        """Close what is over by now, should this failure have come before the look; or instead of it."""
        storm = self.storms.storm(key)
        while storm and storm.opened and (window := unfinished(storm, now)):
            self._finish(key, storm.opened, window)
            storm = self.storms.storm(key)

    def _finish(self, key: str, opened: datetime, window: int) -> Outcome:
        decision, absorbed = contested(lambda: self._close(key, opened, window))
        storm, outcome = decision.storm, Outcome(f"{key}: {decision.reason}")
        if storm is None:
            return outcome
        if absorbed:  # else the ledger has forgotten them, and there is nothing to say
            make = ended_card if decision.verdict is Verdict.ENDED else summary_card
            card = make(storm, absorbed, self.log_group, self.time_zone)
            told = self.desk.tell(lambda: card, word=absorbed[-1].word, about=None, at=storm.clock)
            outcome = replace(told, reason=f"{told.reason} ({decision.reason})")
        if decision.look:
            self._ask(storm, window + 1)
        contested(lambda: self._sent(key, opened, window))
        return outcome

    def _close(self, key: str, opened: datetime, window: int) -> tuple[Decision, Sequence[Seen]]:
        storm = self.storms.storm(key)
        absorbed = self.storms.absorbed(key, opened)
        decision = close(storm, opened, window, len(absorbed))
        if decision.storm and decision.storm != storm:
            self.storms.put_storm(decision.storm)
        return decision, absorbed

    def _sent(self, key: str, opened: datetime, window: int) -> None:
        storm = self.storms.storm(key)
        if storm and storm.opened == opened and storm.windows == window and storm.sent < window:
            self.storms.put_storm(replace(storm, sent=window))

    def _ask(self, storm: Storm, window: int) -> None:
        wait = max(storm.due - storm.clock, timedelta(0)) if storm.due else timedelta(0)
        self.looks.send([look_message(storm, window)], wait)


def contested(attempt: Callable[[], Answer]) -> Answer:
    """Read, decide and write again at once when another wrote in between. Raises LedgerConflict after some tries."""
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except LedgerConflict:
            continue
    return attempt()
