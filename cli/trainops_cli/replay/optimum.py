"""The least that the pools of one key could have cost, had somebody known the future: exact, the replay's yardstick.

Jobs are fixed in time. A pool left at an end may wait for a later creation at most `longest`; waiting costs its
seconds, a creation without a pool costs `break_even` seconds. Which end serves which creation does not change the sum
of the gaps, so a solution is a set of ends and a set of creations of equal size, and pairing both in order of time
gives the shortest longest gap. Creations are added in order of time. By exchange, only the youngest free end can be
worth adding with a new creation; when it cannot be (too long ago to pay, or no pairing keeps all gaps within the
longest), no end before it will ever be again.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence


def least_cost(spans: Sequence[tuple[float, float | None]], break_even: float, longest: float) -> float:
    """Seconds of idling plus `break_even` for every cold start; `spans` are (creation, end) of a key's jobs, with
    None for the end of one that leaves no pool.
    """
    ends, used = sorted(end for _, end in spans if end is not None), 0
    free: list[float] = []
    kept: list[float] = []
    served: list[float] = []
    for created in sorted(created for created, _ in spans):
        while used < len(ends) and ends[used] <= created:
            free.append(ends[used])
            used += 1
        if not free:
            continue
        place = bisect_left(kept, free[-1])
        later = [free[-1], *kept[place:]]
        if created - free[-1] < break_even and _within(longest, later, [*served[place:], created]):
            kept.insert(place, free.pop())
            served.append(created)
        else:
            free.clear()
    return sum(served) - sum(kept) + break_even * (len(spans) - len(served))


def _within(longest: float, ends: Iterable[float], creations: Iterable[float]) -> bool:
    return all(created - end <= longest for end, created in zip(ends, creations, strict=True))
