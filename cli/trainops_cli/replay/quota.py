"""How many instances of warm pools a policy needs at once: what to ask of the warm-pool quota.

Only available pools count against the quota (developer guide, warm-pool resource limits). A time-weighted quantile
says what is enough for that share of the time in which any pool is there at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SHARE = 0.99
Spell = tuple[float, float, int]
"""From, to (seconds) and how many instances."""


@dataclass(frozen=True, slots=True)
class Quota:
    """Instances of one type: enough for 99 % of the time with pools, and the most there ever were."""

    instance_type: str
    enough: int
    most: int


def quotas(spells: Mapping[str, Sequence[Spell]]) -> tuple[Quota, ...]:
    """For each instance type with pools, by name."""
    return tuple(Quota(name, *_levels(spells[name])) for name in sorted(spells) if spells[name])


def _levels(spells: Sequence[Spell]) -> tuple[int, int]:
    changes = sorted([(begin, count) for begin, _, count in spells] + [(end, -count) for _, end, count in spells])
    time_at: dict[int, float] = {}
    level, before = 0, changes[0][0]
    for when, change in changes:
        time_at[level] = time_at.get(level, 0.0) + when - before
        level, before = level + change, when
    time_at.pop(0, None)
    return _quantile(time_at), max((level for level, time in time_at.items() if time), default=0)


def _quantile(time_at: Mapping[int, float]) -> int:
    wanted = SHARE * sum(time_at.values())
    passed = 0.0
    for level in sorted(time_at):
        passed += time_at[level]
        if passed >= wanted and wanted:
            return level
    return 0
