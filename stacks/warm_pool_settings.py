"""What a team chooses for its warm pools, and how the functions read it; `settings` puts it together.

A section at the top is for jobs whose team has none of its own; a team's own section stands alone, so that what holds
for a team is read in one place.
"""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from stacks.setting_types import (
    Choices,
    Duration,
    InstancePattern,
    Tags,
    Text,
    TimeZone,
    between,
    form,
    refusal,
    section,
    unique,
)

LONGEST_KEEP_ALIVE = timedelta(hours=6)
"""ResourceConfig.KeepAlivePeriodInSeconds."""
CHAIN = timedelta(days=28)
"""How long one cluster may live (developer guide, warm pools)."""
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

Day = Literal["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
Clock = Annotated[Text, form(r"([01][0-9]|2[0-3]):[0-5][0-9]", 'a time of day in quotes, such as "08:00"')]


def _usd(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise refusal("US dollars an hour, 0 or more")
    return value


IdleLimit = Annotated[
    Duration,
    between(
        timedelta(0), LONGEST_KEEP_ALIVE, "from PT0S (end at once) to PT6H, the longest keep-alive period of the API"
    ),
]
LongestHold = Annotated[
    Duration, between(timedelta(0), CHAIN, "from PT0S (no holds) to P28D, the longest that a cluster lives")
]
Grace = Annotated[
    Duration,
    between(
        timedelta(0),
        timedelta(minutes=15),
        "from PT0S (nobody is told before) to PT15M; the pool is billed meanwhile",
    ),
]


class Rule(Choices):
    """An idle limit for some pools; without types and tags it is for all that no rule before it is for."""

    idle_limit: IdleLimit
    instance_types: Annotated[tuple[InstancePattern, ...], AfterValidator(unique)] = ()
    tags: Annotated[Tags, BeforeValidator(section)] = Field(default_factory=dict)


class BusinessHours(Choices):
    """Outside of these hours a pool may not idle longer than `idle_limit_outside`."""

    days: Annotated[tuple[Day, ...], Field(min_length=1), AfterValidator(unique)] = ("Mon", "Tue", "Wed", "Thu", "Fri")
    opens: Clock = "08:00"
    closes: Clock = "18:00"
    time_zone: TimeZone = "UTC"
    idle_limit_outside: IdleLimit = timedelta(minutes=5)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.opens >= self.closes:
            raise refusal("opens before closes; hours over midnight cannot be said")
        return self


class HoldLimits(Choices):
    """How far the tag trainops:hold-until reaches."""

    longest: LongestHold = timedelta(days=1)


class WarmPoolChoices(Choices):
    """One team's choices, or everybody's."""

    mode: Literal["observe", "enforce"] = "observe"
    policy: Literal["fixed", "break-even", "histogram"] = "histogram"
    waiting_usd_per_hour: Annotated[Decimal, BeforeValidator(_usd), Field(ge=0, le=10_000)] = Decimal(60)
    idle_limit: IdleLimit = timedelta(minutes=30)
    rules: tuple[Rule, ...] = ()
    business_hours: BusinessHours | None = None
    grace: Grace = timedelta(minutes=2)
    holds: Annotated[HoldLimits, BeforeValidator(section)] = HoldLimits()

    def as_parameter(self, longest_keep_alive: timedelta) -> dict[str, Any]:
        """The JSON that `trainops.adapters.pool_settings` reads: durations in seconds, money as text, days counted.
        `longest_keep_alive` is the longest period that people of the team may ask for.
        """
        values = self.model_dump(exclude={"holds", "business_hours", "sweep_every"})
        values |= {"longest_hold": self.holds.longest, "longest_keep_alive": longest_keep_alive}
        if self.business_hours:
            hours = self.business_hours.model_dump(exclude={"time_zone", "days"})
            days = sorted(DAYS.index(day) for day in self.business_hours.days)
            values["business_hours"] = hours | {"zone": self.business_hours.time_zone, "days": days}
        written: dict[str, Any] = json.loads(json.dumps(values, default=_plain))
        return written


def _plain(value: object) -> object:
    return value.total_seconds() if isinstance(value, timedelta) else str(value)
