"""When a weekly report is due, and for which days. Used by `weekly_report`; times are UTC, days are local ones."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

WEEK = timedelta(days=7)
LATE = timedelta(days=1)
"""How long after its hour a report is made up for, when ticks failed."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When reports are due: `day` from Monday (0) to Sunday (6), `hour` of the clock in `zone`."""

    day: int
    hour: int
    zone: tzinfo


@dataclass(frozen=True, slots=True)
class Week:
    """Seven whole local days; `until` is the midnight before the day of the report."""

    since: datetime
    until: datetime


def due_week(now: datetime, rhythm: Rhythm) -> Week | None:
    """The week whose report is due; None when the last due moment is more than `LATE` ago."""
    local = now.astimezone(rhythm.zone)
    day = local.date() - timedelta(days=(local.weekday() - rhythm.day) % 7)
    if _at(day, rhythm.hour, rhythm.zone) > now:
        day -= WEEK
    if now - _at(day, rhythm.hour, rhythm.zone) >= LATE:
        return None
    return Week(_at(day - WEEK, 0, rhythm.zone), _at(day, 0, rhythm.zone))


def _at(day: date, hour: int, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(hour), tzinfo=zone).astimezone(UTC)
