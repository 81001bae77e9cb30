"""How long idle pools waited for their next job: counts per stretch of idle time, and what they advise.

A gap is the time from a job's end to the next matching job's creation. Each counts as "still waiting" in every stretch
it outlasted and as "taken" in the one where it ended; a gap that nobody ended counts for the stretches it outlasted
(right-censored, as in a life table). Counts fade, so that about the last 500 gaps of a kind matter. Gaps are told apart
by how recently before the end a matching job was created, since jobs come in bursts.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

EDGES = (0, 5, 10, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 2400, 3600, 5400, 7200, 10800,
         14400, 21600)  # fmt: skip
"""Where the stretches of idle time begin and end, in seconds; the last is the API model's longest keep-alive."""
STRETCHES = len(EDGES) - 1
RECENT = (60, 600, 3600)
KINDS = ("within a minute", "1 to 10 minutes before", "10 minutes to an hour before", "over an hour before")
"""When the last matching job was created, seen from the end that leaves a pool."""
FADE = 0.998
PRIOR_WEIGHT = 8.0
"""So many gaps' worth of the wider group's experience stand in for what a narrower one has not seen."""
FIRST_GUESS = 0.02
"""The chance of being taken within a stretch that nobody has ever waited through."""
NOTHING = (0.0,) * STRETCHES


@dataclass(frozen=True, slots=True)
class Counts:
    """For each stretch: how many gaps reached it while waiting, and how many of these ended in it."""

    waiting: tuple[float, ...] = NOTHING
    taken: tuple[float, ...] = NOTHING

    def with_gap(self, outlasted: int, ended: bool) -> "Counts":
        """One more gap, which outlasted so many stretches and ended in the next one or was lost sight of."""
        reached = outlasted + ended
        waiting = [count * FADE + 1 for count in self.waiting[:reached]]
        waiting += [count * FADE for count in self.waiting[reached:]]
        taken = [count * FADE for count in self.taken]
        if ended:
            taken[outlasted] += 1
        return Counts(tuple(waiting), tuple(taken))


@dataclass(frozen=True, slots=True)
class Gaps:
    """What one group of pools has shown: counts per kind and of `all`, and `resolved`, how many gaps are in them."""

    kinds: tuple[Counts, ...] = (Counts(),) * len(KINDS)
    all: Counts = Counts()
    resolved: int = 0

    def of(self, kind: int | None) -> Counts:
        """The counts of one kind, or of all while it is not known."""
        return self.all if kind is None else self.kinds[kind]

    def with_gap(self, kind: int, lasted: float, ended: bool) -> "Gaps":
        """One more gap of so many seconds. What lasted beyond the last stretch ended in none."""
        outlasted = bisect_right(EDGES, lasted) - 1
        if outlasted >= STRETCHES:
            outlasted, ended = STRETCHES, False
        counts = self.kinds[kind].with_gap(outlasted, ended)
        kinds = (*self.kinds[:kind], counts, *self.kinds[kind + 1 :])
        return Gaps(kinds, self.all.with_gap(outlasted, ended), self.resolved + 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """`keep`: seconds of idle time after which to release. `cost`: what is then to be expected from now on, in seconds
    of idling. `reuse`: the chance that a job comes first.
    """

    keep: float
    cost: float
    reuse: float


def kind_of(since_last_creation: timedelta) -> int:
    """The index in `KINDS` for the time between the last matching job's creation and the end."""
    return bisect_right(RECENT, since_last_creation.total_seconds())


def chances(team: Gaps, key: Gaps | None, kind: int | None) -> tuple[float, ...]:
    """For each stretch the chance that a pool which reached it is taken in it: the team's gaps of all kinds, corrected
    by the team's of this kind, corrected by the key's own, each as far as it has seen anything. Before a job is
    submitted its kind is None: nobody knows yet how recently one like it will then have been created.
    """
    found: Sequence[float] = (FIRST_GUESS,) * STRETCHES
    groups = (team.all, *(() if kind is None else (team.of(kind),)), *((key.of(kind),) if key else ()))
    for counts in groups:
        found = [
            (taken + PRIOR_WEIGHT * before) / (waiting + PRIOR_WEIGHT)
            for waiting, taken, before in zip(counts.waiting, counts.taken, found, strict=True)
        ]
    return tuple(found)


def cheapest_plan(chance: Sequence[float], break_even: float, limit: float, idle: float = 0.0) -> Plan:
    """The idle time that costs least in expectation, for a pool that has been idle for `idle` seconds already and may
    be kept for `limit` at most. Candidates are the ends of stretches; of equal ones the shortest. Costs are in seconds
    of idling, a cold start counts `break_even` of them.
    """
    best = Plan(idle, break_even, 0.0)
    left, spent = 1.0, 0.0
    for stretch in range(bisect_right(EDGES, idle) - 1, STRETCHES):
        start, end = max(float(EDGES[stretch]), idle), min(float(EDGES[stretch + 1]), limit)
        if end <= start or spent >= best.cost:
            break
        width = EDGES[stretch + 1] - EDGES[stretch]
        stays = (1 - chance[stretch]) ** ((end - start) / width)
        spent += left * (end - start) * (1 + stays) / 2
        left *= stays
        if spent + left * break_even < best.cost:
            best = Plan(end, spent + left * break_even, 1 - left)
    return best
