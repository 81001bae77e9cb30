"""A CreateTrainingJob request as the rules read it: any member may be missing or of the wrong kind.

What is of the wrong kind reads as missing, since whoever checks the shape of the request says so. Source:
CreateTrainingJobRequest and HyperParameterTrainingJobDefinition, which share these members (botocore 1.43.106).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trainops.domain.findings import Finding

DEFAULT_RUN = 86_400
"""Seconds that the API lets a job run which says nothing (StoppingCondition.MaxRuntimeInSeconds)."""


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """The members of one training job, or of one definition in a tuning job's request, found at `prefix`."""

    members: Mapping[str, Any]
    prefix: str = ""
    tuning: bool = False

    def get(self, path: str) -> Any:
        """The member at a path such as `ResourceConfig.InstanceType`, or None."""
        found: Any = self.members
        for name in path.split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        return found

    def text(self, path: str) -> str | None:
        """A string, or None."""
        found = self.get(path)
        return found if isinstance(found, str) else None

    def number(self, path: str) -> int | None:
        """A whole number, or None."""
        found = self.get(path)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def flag(self, path: str) -> bool:
        """True only for true, as the API's own default is false everywhere."""
        return self.get(path) is True

    def strings(self, path: str) -> frozenset[str]:
        """The strings of a list; an absent list is empty."""
        found = self.get(path)
        return frozenset(item for item in found if isinstance(item, str)) if isinstance(found, list) else frozenset()

    def mappings(self, path: str) -> list[Mapping[str, Any]]:
        """The structures of a list; an absent list is empty."""
        found = self.get(path)
        return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []

    def instance_types(self) -> list[tuple[str, str]]:
        """Every instance type that is named, with its path: the one, those of groups, those of preferences."""
        named = [("ResourceConfig.InstanceType", self.text("ResourceConfig.InstanceType"))]
        for listed in ("ResourceConfig.InstanceGroups", "ResourceConfig.InstancePreferences"):
            groups = enumerate(self.mappings(listed))
            named += [(f"{listed}[{place}].InstanceType", group.get("InstanceType")) for place, group in groups]
        return [(path, name) for path, name in named if isinstance(name, str)]

    def tags(self) -> dict[str, str]:
        """The tags by key; of a key that is there twice, the last."""
        return {tag["Key"]: tag.get("Value", "") for tag in self.mappings("Tags") if isinstance(tag.get("Key"), str)}

    def error(self, rule: str, path: str, problem: str, remedy: str) -> Finding:
        """What would be refused."""
        return Finding(rule, "error", self.prefix + path, self.get(path), problem, remedy)

    def warning(self, rule: str, path: str, problem: str, remedy: str) -> Finding:
        """What is accepted and surprises later."""
        return Finding(rule, "warning", self.prefix + path, self.get(path), problem, remedy)


def is_tuning(members: Mapping[str, Any]) -> bool:
    """Whether this is a request for a hyperparameter tuning job."""
    return "HyperParameterTuningJobName" in members or "HyperParameterTuningJobConfig" in members


def training_requests(members: Mapping[str, Any]) -> Iterator[TrainingRequest]:
    """The training jobs that a request describes: itself, or each definition of a tuning job."""
    if not is_tuning(members):
        yield TrainingRequest(members)
        return
    whole = TrainingRequest(members)
    if isinstance(one := whole.get("TrainingJobDefinition"), Mapping):
        yield TrainingRequest(one, "TrainingJobDefinition.", tuning=True)
    for place, definition in enumerate(whole.mappings("TrainingJobDefinitions")):
        yield TrainingRequest(definition, f"TrainingJobDefinitions[{place}].", tuning=True)
