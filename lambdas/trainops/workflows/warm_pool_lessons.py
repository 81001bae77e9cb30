"""The sweep's other half: learns from the job starts and ends that `warm_pool_control` noted."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from trainops.domain.keep_alive_history import learn
from trainops.ports import Histories

LATE = timedelta(minutes=15)
"""How long an event may take to arrive: what is learned up to a moment cannot be learned later."""
FIRST = timedelta(days=7)
"""How far back the first lesson reaches; so long notes are kept."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """The only writer of histories; a sweep's lease keeps it alone."""

    histories: Histories

    def __call__(self, now: datetime, longest: timedelta) -> int:
        """Learn what was noted up to a quarter of an hour ago; how many notes there were comes back. `longest` is the
        longest keep-alive that can be given. A repetition learns nothing twice.
        """
        until = now - LATE
        since = self.histories.learned_until() or until - FIRST
        notes = self.histories.lessons(since, until)
        # Whose time is over since the last lesson: pools that nobody came for teach too, though nothing new is noted.
        outlasted = self.histories.lessons(since - longest, until - longest)
        if told := (*notes, *outlasted):
            before = self.histories.history({n.fingerprint for n in told}, {n.team for n in told})
            self.histories.put_history(before, learn(before, notes, until, longest))
        self.histories.put_learned(until)
        return len(notes)
