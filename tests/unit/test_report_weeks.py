"""When a report is due, and for which days."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from trainops.domain.report_weeks import Rhythm, Week, due_week

RHYTHM = Rhythm(0, 8, ZoneInfo("Europe/Berlin"))
MONDAY = datetime(2026, 3, 9, 7, 0, tzinfo=UTC)
"""Eight o'clock in Berlin."""
UNTIL = datetime(2026, 3, 8, 23, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (MONDAY - timedelta(seconds=1), False),
        (MONDAY, True),
        (MONDAY + timedelta(hours=23, minutes=59), True),
        (MONDAY + timedelta(days=1), False),
        (datetime(2026, 3, 30, 6, 0, tzinfo=UTC), True),
    ],
)
def test_a_report_is_due_for_a_day_from_its_hour_on_the_clock_of_its_zone(now: datetime, due: bool) -> None:
    assert (due_week(now, RHYTHM) is not None) is due
    assert due_week(MONDAY, RHYTHM) == Week(datetime(2026, 3, 1, 23, 0, tzinfo=UTC), UNTIL)


def test_a_week_with_a_change_to_summer_time_has_seven_local_days() -> None:
    week = due_week(datetime(2026, 3, 30, 6, 0, tzinfo=UTC), RHYTHM)
    assert week is not None
    assert week.until - week.since == timedelta(days=7) - timedelta(hours=1)
