"""How long a message waits before it is tried again."""

from datetime import timedelta

FIRST = timedelta(seconds=15)
LONGEST = timedelta(minutes=15)
"""With 40 receives the whole wait is about nine hours: an outage of a morning is waited out."""


def delay(receive_count: int, asked: timedelta | None, jitter: float) -> timedelta:
    """The wait after the `receive_count`-th try: what the other side asked for (Retry-After), else doubling from 15 s
    to 15 min. Up to a fifth is added by `jitter` (0 to 1), so that messages which failed together do not come back
    together.
    """
    wait = asked if asked is not None else min(FIRST * 2 ** min(receive_count - 1, 10), LONGEST)
    return min(wait, LONGEST) * (1 + 0.2 * jitter)
