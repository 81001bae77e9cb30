"""Past jobs as the replay's tests need them."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from trainops.domain.job_records import Price
from trainops_cli.replay.comparison import Assumptions
from trainops_cli.replay.jobs import PastJob
from trainops_cli.replay.simulation import Timing

START = datetime(2026, 3, 2, tzinfo=UTC)
HOURLY = Price(Decimal(3600), "test")
"""A dollar a second."""
AT_ONCE = Assumptions(timing=Timing(lag=timedelta(0), updates_per_second=1e6))


def past(created: float, ended: float, key: str = "a", *, asks: float = 3600, price: Price | None = HOURLY) -> PastJob:
    """A job by the seconds of its creation and end."""
    return PastJob(
        team="vision",
        fingerprint=key,
        created=START + timedelta(seconds=created),
        ended=START + timedelta(seconds=ended),
        instance_type="ml.g5.xlarge",
        instance_count=1,
        keep_alive=timedelta(seconds=asks),
        price=price,
    )


def in_a_row(gaps: list[float], key: str = "a") -> list[PastJob]:
    """Jobs of 100 s, each so many seconds after the one before."""
    jobs, now = [past(0, 100, key)], 100.0
    for gap in gaps:
        jobs.append(past(now + gap, now + gap + 100, key))
        now += gap + 100
    return jobs
