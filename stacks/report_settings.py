"""When teams get their weekly report, and what it may read."""

from typing import Annotated

from pydantic import Field, StrictBool

from stacks.setting_types import Choices, TimeZone
from stacks.warm_pool_settings import DAYS, Day

Hour = Annotated[int, Field(strict=True, ge=0, le=23)]


class ReportSettings(Choices):
    """The day and hour of the report on the seven days before; the time zone of the messages unless it has its own."""

    day: Day = "Mon"
    hour: Hour = 8
    time_zone: TimeZone | None = None
    read_logs: StrictBool = False

    @property
    def weekday(self) -> int:
        """From Monday (0) to Sunday (6)."""
        return DAYS.index(self.day)
