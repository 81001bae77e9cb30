"""How many instances the training jobs of one account and Region hold, by type; kept up to date job by job."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from local.sagemaker.jobs import TrainingJob


def instances(request: Mapping[str, Any]) -> Counter[str]:
    """How many instances of which type a request asks for; one with InstancePreferences names none yet."""
    resources = request.get("ResourceConfig", {})
    groups = resources.get("InstanceGroups") or [resources]
    found: Counter[str] = Counter()
    for group in groups:
        if kind := group.get("InstanceType"):
            found[kind] += group.get("InstanceCount", 1)
    return found


@dataclass
class Usage:
    """What runs or waits for reuse: `training` and `spot`; `pools`, a part of `training`, is what only waits.

    `idle` holds the ended jobs to whose names those pools belong.
    """

    training: Counter[str] = field(default_factory=Counter)
    spot: Counter[str] = field(default_factory=Counter)
    pools: Counter[str] = field(default_factory=Counter)
    idle: dict[str, TrainingJob] = field(default_factory=dict)
    _held: set[str] = field(default_factory=set)

    def note(self, job: TrainingJob) -> None:
        """Count the job as it is now, which may be as before."""
        held = self.spot if job.is_spot else self.training
        holds, waits = job.holds_cluster, job.holds_cluster and job.ended is not None
        more, more_waiting = holds - (job.name in self._held), waits - (job.name in self.idle)
        if not more and not more_waiting:
            return
        for kind, count in instances(job.request).items():
            held[kind] += more * count
            self.pools[kind] += more_waiting * count
        (self._held.add if holds else self._held.discard)(job.name)
        if waits:
            self.idle[job.name] = job
        else:
            self.idle.pop(job.name, None)
