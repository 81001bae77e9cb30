"""Business hours: inside, outside, over weekends and over the change of the clock."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainops.domain.business_hours import BusinessHours

HALF_AN_HOUR, FIVE = timedelta(minutes=30), timedelta(minutes=5)


def hours(**changes: Any) -> BusinessHours:
    known: dict[str, Any] = {
        "days": (0, 1, 2, 3, 4),
        "opens": time(8),
        "closes": time(18),
        "zone": UTC,
        "idle_limit_outside": FIVE,
    }
    return BusinessHours(**{**known, **changes})


def utc(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


@pytest.mark.parametrize(
    ("since", "due"),
    [
        ("2026-03-02T10:00", "2026-03-02T10:30"),  # a Monday, well inside
        ("2026-03-02T17:29:59", "2026-03-02T17:59:59"),
        ("2026-03-02T17:40", "2026-03-02T18:00"),  # closing makes it ten minutes too many
        ("2026-03-02T17:58", "2026-03-02T18:03"),
        ("2026-03-02T20:00", "2026-03-02T20:05"),
        ("2026-03-02T07:57", "2026-03-02T08:27"),  # opening gives it the rest of its half hour
        ("2026-03-07T12:00", "2026-03-07T12:05"),  # a Saturday
        ("2026-03-06T17:59", "2026-03-06T18:04"),
    ],
)
def test_a_pool_is_due_by_the_limit_of_the_hour(since: str, due: str) -> None:
    assert hours().idle_enough(utc(since), HALF_AN_HOUR) == utc(due)


def test_hours_are_those_of_the_teams_own_clock() -> None:
    berlin = hours(zone=ZoneInfo("Europe/Berlin"))
    assert berlin.include(utc("2026-03-02T07:00"))
    assert not berlin.include(utc("2026-03-02T17:00"))
    assert berlin.include(utc("2026-03-30T06:00")), "summer time"


def test_the_limit_outside_never_lengthens_one() -> None:
    assert hours(idle_limit_outside=timedelta(hours=6)).idle_enough(utc("2026-03-02T20:00"), FIVE) == utc(
        "2026-03-02T20:05"
    )


@given(
    minute=st.integers(0, 60 * 24 * 30),
    limit=st.integers(0, 360),
    outside=st.integers(0, 360),
    days=st.sets(st.integers(0, 6), min_size=1),
)
def test_a_due_time_lies_between_the_shorter_and_the_longer_limit(
    minute: int, limit: int, outside: int, days: set[int]
) -> None:
    since = utc("2026-03-14T00:00") + timedelta(minutes=minute)
    within = timedelta(minutes=limit)
    chosen = hours(days=tuple(days), zone=ZoneInfo("Europe/Berlin"), idle_limit_outside=timedelta(minutes=outside))
    due = chosen.idle_enough(since, within)
    assert min(within, timedelta(minutes=outside)) <= due - since <= within
    if chosen.include(due):
        assert due - since >= within
