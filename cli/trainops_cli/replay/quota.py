"""How many instances of warm pools a policy needs at once: what to ask of the warm-pool quota.

Only available pools count against the quota (developer guide, warm-pool resource limits). A time-weighted quantile
says what is enough for that share of the time in which any pool is there at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

SHARE = 0.99


class Spell(NamedTuple):
    """When a pool was available, from and to in epoch seconds, with how many instances, and whether a job took it."""

    begin: float
    end: float
    instances: int
    taken: bool = False


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
    changes = sorted([(one.begin, one.instances) for one in spells] + [(one.end, -one.instances) for one in spells])
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


def warm_starts(spells: Sequence[Spell], quota: int) -> int:
    """How many of the warm starts are left when a pool that does not fit into the quota is not kept, first come first
    served, as SageMaker does. A job that finds its pool gone may take another one of its kind, which is not counted on.
    """
    kept, available = 0, 0
    over: list[tuple[float, int]] = []
    for spell in sorted(spells):
        while over and over[0][0] <= spell.begin:
            available -= heappop(over)[1]
        if available + spell.instances <= quota:
            available += spell.instances
            heappush(over, (spell.end, spell.instances))
            kept += spell.taken
    return kept


def smallest(spells: Sequence[Spell], share: float) -> int:
    """The smallest quota that keeps this share of the warm starts; 0 when there were none."""
    wanted = share * sum(spell.taken for spell in spells)
    _, most = _levels(spells) if spells else (0, 0)
    return next((quota for quota in range(most) if warm_starts(spells, quota) >= wanted), most)
