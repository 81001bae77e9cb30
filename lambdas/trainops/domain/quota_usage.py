"""How much of SageMaker's training quotas is used, counted from the jobs themselves.

Not every quota has a usage metric, and the metric comes late, so instances are counted: of jobs in progress, of jobs
that are stopping, which hold theirs for minutes, and of warm pools, which count towards the training quota of their
type as well (developer guide, warm pool resource limits). What cannot be counted so is unknown, never zero.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trainops.domain.quotas import ALL_SPOT, ALL_TRAINING, QuotaKind, kind_of, quota_key, quota_name

LIVE = frozenset({"InProgress", "Stopping"})


@dataclass(frozen=True, slots=True)
class HeldInstances:
    """The instances that one job holds, by type."""

    instances: Mapping[str, int]
    status: str
    """TrainingJobStatus."""
    spot: bool = False
    idle: bool = False
    """Whether only its warm pool is left."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Instances by quota, and how many of them are on their way out or only wait for reuse."""

    used: Mapping[str, int] = field(default_factory=dict)
    stopping: Mapping[str, int] = field(default_factory=dict)
    idle: Mapping[str, int] = field(default_factory=dict)

    def of(self, name: str) -> int | None:
        """What is used of the quota of that name; None when it is not counted here."""
        kind = kind_of(name)
        counted = quota_key(name) in AGGREGATES or (kind is not None and kind[0] is not QuotaKind.PROCESSING)
        return self.used.get(quota_key(name), 0) if counted else None


AGGREGATES = frozenset({ALL_TRAINING.key, ALL_SPOT.key})


def held(job: Mapping[str, Any]) -> HeldInstances | None:
    """What a job of a Search answer holds; None when it holds nothing any more."""
    status = str(job.get("TrainingJobStatus", ""))
    idle = (job.get("WarmPoolStatus") or {}).get("Status") == "Available"
    if status not in LIVE and not idle:
        return None
    return HeldInstances(instances(job), status, bool(job.get("EnableManagedSpotTraining")), idle)


def instances(job: Mapping[str, Any]) -> Counter[str]:
    """How many instances of which type a request or a description names; groups are added up. Upper and lower case at
    a member's beginning are both read: CloudTrail's records begin in lower case.
    """
    resources = _member(job, "ResourceConfig") or {}
    found: Counter[str] = Counter()
    for group in _member(resources, "InstanceGroups") or [resources]:
        if kind := _member(group, "InstanceType"):
            found[str(kind)] += int(_member(group, "InstanceCount") or 1)
    return found


def usage(jobs: Iterable[HeldInstances]) -> Usage:
    """Adds up what all jobs of the account hold."""
    used: Counter[str] = Counter()
    stopping: Counter[str] = Counter()
    idle: Counter[str] = Counter()
    for job in jobs:
        for instance_type, count in job.instances.items():
            for key in _quotas(job, instance_type):
                used[key] += count
                stopping[key] += count * (job.status == "Stopping")
                idle[key] += count * job.idle
    return Usage(used, stopping, idle)


def _quotas(job: HeldInstances, instance_type: str) -> list[str]:
    if job.spot:
        return [quota_key(quota_name(QuotaKind.SPOT, instance_type)), ALL_SPOT.key]
    keys = [quota_key(quota_name(QuotaKind.TRAINING, instance_type)), ALL_TRAINING.key]
    return [*keys, quota_key(quota_name(QuotaKind.WARM_POOL, instance_type))] if job.idle else keys


def _member(shape: Mapping[str, Any], name: str) -> Any:
    return shape.get(name, shape.get(f"{name[:1].lower()}{name[1:]}"))
