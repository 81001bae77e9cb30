"""One message's way from the job's end to the receiver, cut into hops that add up to the whole.

A function's log gives its end and its duration, hence its start. The cuts are the starts, which follow each other
strictly; a function's hop ends with the function or, when that came first, with the start of the next one, since a
function still tidies up after it has handed on. What is left between two functions is waiting: rule, queue and poll.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

WAITING = "waiting before "


@dataclass(frozen=True)
class Invocation:
    """One run of a function: wall-clock start and end, in seconds."""

    function: str
    start: float
    end: float


@dataclass(frozen=True)
class Way:
    """From the job's end to the message: hop → milliseconds, in order, and the functions' whole durations."""

    hops: dict[str, float]
    durations: dict[str, float]

    @property
    def total(self) -> float:
        """Milliseconds from the job's end to the message at the receiver."""
        return sum(self.hops.values())

    @property
    def waiting(self) -> float:
        """Milliseconds in which no function of the way ran."""
        return sum(value for name, value in self.hops.items() if name.startswith(WAITING))


CLOCK_MS = 5
"""The log counts in whole milliseconds and is stamped just after the duration was taken; so much may be off."""


def way(ended: float, chain: Sequence[Invocation], received: float) -> Way:
    """The hops of a message that was received during the last invocation. Raises ValueError when time runs back."""
    hops: dict[str, float] = {}
    cuts = [ended, *(run.start for run in chain), received]
    if any((later - earlier) * 1000 < -CLOCK_MS for earlier, later in pairwise(cuts)):
        raise ValueError(f"the log contradicts itself: {', '.join(run.function for run in chain)} did not follow")
    at = ended
    for run, following in zip(chain, cuts[2:], strict=True):
        start = max(at, run.start)
        done = following if run is chain[-1] else max(start, min(run.end, following))
        hops[WAITING + run.function] = (start - at) * 1000
        hops[run.function] = (done - start) * 1000
        at = done
    return Way(hops, {run.function: (run.end - run.start) * 1000 for run in chain})
