"""What a team chose for its warm pools, as the functions read it at run time.

Written by the stack into one parameter per team (`stacks.warm_pool_settings` says what each choice means to people).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from fnmatch import fnmatchcase

from trainops.domain.business_hours import BusinessHours
from trainops.domain.wording import duration_text

DEFAULT_TEAM = "default"
"""The settings of jobs whose team has none of its own."""


class Mode(StrEnum):
    """`observe` touches nothing and publishes what would have been saved; `enforce` ends pools."""

    OBSERVE = "observe"
    ENFORCE = "enforce"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRule:
    """An idle limit for the pools of some instance types (ml.p4d.* is a family) and tags; nothing named means any."""

    idle_limit: timedelta
    instance_types: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)

    def applies_to(self, instance_type: str | None, tags: Mapping[str, str]) -> bool:
        """Whether both the type and all tags fit; an unknown type fits no rule that names types."""
        typed = not self.instance_types or any(fnmatchcase(instance_type or "", item) for item in self.instance_types)
        return typed and all(tags.get(key) == value for key, value in self.tags.items())

    @property
    def name(self) -> str:
        """The rule as people recognise it."""
        tags = [f"{key}={value}" for key, value in self.tags.items()]
        return ", ".join([*self.instance_types, *tags]) or "any pool"


@dataclass(frozen=True, slots=True)
class IdleLimit:
    """When the hard limit is reached, and which one it is, in words."""

    due: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSettings:
    """One team's choices. `waiting_usd_per_hour` is what an hour of somebody's waiting is worth; 0 is allowed.
    `longest_keep_alive` is the longest period that one update may ask for, `longest_hold` how long after its job's end
    a pool may be held by the tag.
    """

    mode: Mode
    policy: str
    waiting_usd_per_hour: Decimal
    idle_limit: timedelta
    grace: timedelta
    longest_keep_alive: timedelta
    longest_hold: timedelta
    rules: tuple[PoolRule, ...] = ()
    business_hours: BusinessHours | None = None
    people: tuple[str, ...] = ()
    """Addresses of who may act on the team's pools from a chat; nobody where actions are off."""

    def limit(self, ended: datetime, instance_type: str | None, tags: Mapping[str, str]) -> IdleLimit:
        """The hard limit for a pool that is idle since its job ended; the first rule that fits counts."""
        rule = next((rule for rule in self.rules if rule.applies_to(instance_type, tags)), None)
        limit, where = (rule.idle_limit, f" for {rule.name}") if rule else (self.idle_limit, "")
        if self.business_hours is None:
            return IdleLimit(ended + limit, f"idle limit {duration_text(limit)}{where}")
        due = self.business_hours.idle_enough(ended, limit)
        if due == ended + limit:
            return IdleLimit(due, f"idle limit {duration_text(limit)}{where}")
        outside = duration_text(self.business_hours.idle_limit_outside)
        return IdleLimit(
            due, f"idle limit {outside} outside business hours (within them {duration_text(limit)}{where})"
        )
