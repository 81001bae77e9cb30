"""Pools, economics and histories as the keep-alive tests need them."""

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from tests.builders import CREATED
from trainops.domain.job_records import Price
from trainops.domain.keep_alive_economics import Economics, Stakes
from trainops.domain.keep_alive_guard import Trial
from trainops.domain.keep_alive_history import History, learn
from trainops.domain.keep_alive_lessons import JobCreated, JobEnded
from trainops.domain.keep_alive_policies import IdlePool

LONGEST = timedelta(hours=1)
KEY, TEAM = "0123456789abcdef", "vision"


def economics(usd: str | None = "1.408", count: int | None = 1, **fields: Any) -> Economics:
    """One ml.g5.xlarge at $60 an hour of waiting."""
    price = None if usd is None else Price(Decimal(usd), "test")
    return Economics(price=price, instance_type="ml.g5.xlarge", instance_count=count, **fields)


def pool(asked: timedelta | None = LONGEST, **fields: Any) -> IdlePool:
    """A pool whose job was created half an hour before it ended."""
    known: dict[str, Any] = {
        "fingerprint": KEY,
        "team": TEAM,
        "idle_since": CREATED,
        "asked": asked,
        "last_created": CREATED - timedelta(minutes=30),
    }
    return IdlePool(**{**known, **fields})


def history_of(gaps: Iterable[float | None], key: str = KEY, team: str = TEAM) -> History:
    """What jobs of half an hour taught that followed each other after so many seconds; after None, only a day later."""
    events: list[JobCreated | JobEnded] = []
    now = CREATED - timedelta(days=300)
    for gap in gaps:
        events.append(JobCreated(key, team, now))
        now += timedelta(minutes=30)
        events.append(JobEnded(key, team, now))
        now += timedelta(days=1) if gap is None else timedelta(seconds=gap)
    return learn(History(), events, CREATED, LONGEST)


def trial(followed: str = "histogram", kept: float = 0, **fields: Any) -> Trial:
    """A decision with a break-even time of 100 s at a dollar a second, asked for 1,000 s."""
    known: dict[str, Any] = {"none": 0.0, "break_even": 100.0, "asked": 1000.0, "stakes": Stakes(100.0, 1.0)}
    return Trial(followed=followed, kept=kept, **{**known, **fields})
