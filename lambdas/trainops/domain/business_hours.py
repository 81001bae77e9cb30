"""When people are at work, and when something that may idle longer at work has idled enough.

Days and times are of one time zone; hours lie within a day. Times that are compared are UTC, so that a change to summer
time inside an idle time counts as the hour it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessHours:
    """`days` are numbers from Monday (0) to Sunday (6), at least one; `opens` lies before `closes`."""

    days: tuple[int, ...]
    opens: time
    closes: time
    zone: tzinfo
    idle_limit_outside: timedelta

    def include(self, when: datetime) -> bool:
        """Whether people are at work; the closing moment itself is outside."""
        local = when.astimezone(self.zone)
        return local.weekday() in self.days and self.opens <= local.time() < self.closes

    def next_change(self, when: datetime) -> datetime:
        """The first moment after `when` at which hours begin or end."""
        return next(moment for moment in self._changes(when) if moment > when)

    def idle_enough(self, since: datetime, within: timedelta) -> datetime:
        """The first moment at which something idle since then has used up its limit: `within` the hours, or the
        shorter of that and `idle_limit_outside`.
        """
        when = since
        while True:
            limit = within if self.include(when) else min(within, self.idle_limit_outside)
            due, change = max(when, since + limit), self.next_change(when)
            if due < change:
                return due
            when = change

    def _changes(self, when: datetime) -> Iterator[datetime]:
        day = when.astimezone(self.zone).date()
        while True:
            if day.weekday() in self.days:
                for clock in (self.opens, self.closes):
                    yield datetime.combine(day, clock, tzinfo=self.zone).astimezone(UTC)
            day += timedelta(days=1)
