"""How long a message waits before it is tried again."""

from datetime import timedelta

FIRST = timedelta(seconds=15)
PATIENT = 5
"""Tries after which a short Retry-After is no longer taken at its word."""
LONGEST = timedelta(minutes=15)
"""With 40 receives the whole wait is about nine hours: an outage of a morning is waited out."""


def delay(receive_count: int, asked: timedelta | None, jitter: float) -> timedelta:
    """The wait after the `receive_count`-th try: doubling from 15 s to 15 min, or what the other side asked for
    (Retry-After) as long as few tries were spent; many short waits would use up the queue's patience. Up to a fifth is
    added by `jitter` (0 to 1), so that messages which failed together do not come back together.
    """
    grown = min(FIRST * 2 ** min(receive_count - 1, 10), LONGEST)
    wait = grown if asked is None else asked if receive_count <= PATIENT else max(asked, grown)
    return min(wait, LONGEST) * (1 + 0.2 * jitter)
