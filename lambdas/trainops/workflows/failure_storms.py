"""Between a failure's card and the channels: a few of a kind pass, the rest are listed and told together.

Every decision is a conditional write in the ledger, so that of two functions at once only one takes the third place.
What is absorbed is listed before the decision is written, and a look at the window's end is asked for before, so that a
crash anywhere loses neither.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Any, TypeVar

from trainops.domain.cards import Card
from trainops.domain.failure_classes import FailureClass
from trainops.domain.storm_cards import ended_card, look_message, look_of, summary_card
from trainops.domain.storms import SINGLES, Decision, Seen, Storm, Verdict, close, decide, storm_key, thread_of
from trainops.errors import LedgerConflict
from trainops.ports import Queue
from trainops.quiet_ports import Storms
from trainops.telemetry import Field, Outcome
from trainops.workflows.telling import reading, tell

TRIES = 8
"""Two functions at most write at once, each for some milliseconds; the queue waits longer."""
WORD = "Failed"
NOTE = "More failures like this one within 10 min are told together."
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class FailureStorms:
    """`looks` is the notification's own queue; `log_group` its own, where a query lists what was absorbed."""

    storms: Storms
    looks: Queue
    channels: Sequence[Queue]
    told: Collection[str]
    time_zone: tzinfo
    log_group: str | None

    def tell(self, card: Card, failure: FailureClass, *, word: str, about: str, at: datetime) -> Outcome:
        """Put the card of a failure on every channel's queue, or list it with its storm. What nobody wants to hear of
        counts for no storm.
        """
        if word not in self.told:
            return tell(lambda: card, word=word, about=about, told=self.told, channels=self.channels)
        key = storm_key(card, failure)
        mine = Seen(key=card.key, at=at, team=card.team, job=about, job_name=card.job_name, owner=card.owner)
        seen, last = contested(lambda: self._admit(key, replace(mine, title=card.title)))
        if seen.opened:
            thread = thread_of(key, seen.opened)
            note = {"storm": thread, "job": about, "title": card.title}
            return Outcome(f"absorbed by {thread}", {Field.ABSORBED: 1}, about, notes=(note,))
        noted = replace(card, context=(*card.context, NOTE)) if last else card
        return tell(lambda: noted, word=word, about=about, told=self.told, channels=self.channels)

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
                self._ask(storm, storm.windows + 1, mine.at)
        if decision.storm:
            self.storms.put_storm(decision.storm)
        self.storms.put_seen(key, fate)
        return fate, not opened and storm is not None and len(storm.singles) == SINGLES

    def look(self, event: Mapping[str, Any]) -> Outcome:
        """What there is to tell at the end of a window. Raises PoisonMessage when the message is not one in form."""
        with reading("not a look at a storm"):
            key, opened, window = look_of(event)
        decision, absorbed = contested(lambda: self._close(key, opened, window))
        storm = decision.storm
        if storm is None or not absorbed:
            return Outcome(f"{key}: {decision.reason}")
        make = ended_card if decision.verdict is Verdict.ENDED else summary_card
        card = make(storm, absorbed, self.log_group, self.time_zone)
        outcome = tell(lambda: card, word=WORD, about=None, told={WORD}, channels=self.channels)
        if decision.look:
            self._ask(storm, window + 1, storm.clock)
        contested(lambda: self._sent(key, opened, window))
        return replace(outcome, reason=f"{outcome.reason} ({decision.reason})")

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

    def _ask(self, storm: Storm, window: int, now: datetime) -> None:
        wait = max(storm.due - now, timedelta(0)) if storm.due else timedelta(0)
        self.looks.send([look_message(storm, window)], wait)


def contested(attempt: Callable[[], Answer]) -> Answer:
    """Read, decide and write again at once when another wrote in between. Raises LedgerConflict after some tries."""
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except LedgerConflict:
            continue
    return attempt()
