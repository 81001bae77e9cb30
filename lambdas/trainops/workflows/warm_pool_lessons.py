"""The sweep's other half: learns from the job starts and ends that `warm_pool_control` noted, and recommends."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from trainops.domain.keep_alive_history import History, learn
from trainops.history_ports import Histories
from trainops.workflows.keep_alive_recommendations import Recommendations

LATE = timedelta(minutes=15)
"""How long an event may take to arrive: what is learned up to a moment cannot be learned later."""
FIRST = timedelta(days=7)
"""How far back the first lesson reaches; so long notes are kept."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """The only writer of histories; a sweep's lease keeps it alone."""

    histories: Histories
    recommendations: Recommendations

    def __call__(self, now: datetime, longest: timedelta) -> str:
        """Learn what was noted up to a quarter of an hour ago, and publish what follows; in words. `longest` is the
        longest keep-alive that can be given. A repetition learns nothing twice, and publishes what a crash left.
        """
        until, told = now - LATE, list[str]()
        since = self.histories.learned_until() or until - FIRST
        notes = self.histories.lessons(since, until)
        # Whose time is over since the last lesson: pools that nobody came for teach too, though nothing new is noted.
        outlasted = self.histories.lessons(since - longest, until - longest)
        if taught := (*notes, *outlasted):
            before = self._known({n.fingerprint for n in taught}, {n.team for n in taught})
            self.histories.put_history(before, learn(before, notes, until, longest))
            told = self.recommendations({note.team for note in taught}, now)
        self.histories.put_learned(until)
        learned = f"learned from {len(notes)} notes"
        return f"{learned}, recommended anew to {', '.join(told)}" if told else learned

    def _known(self, fingerprints: set[str], teams: set[str]) -> History:
        """What is known so far, of the teams too that a kind of pool belonged to before: what it teaches is theirs."""
        found = self.histories.history(fingerprints, teams)
        owners = {key.team for key in found.keys.values()} - teams
        return self.histories.history(fingerprints, teams | owners) if owners else found
