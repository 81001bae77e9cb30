"""What a hyperparameter tuning job tries: the request of its n-th training job and the result that it measures.

Values are spread over their ranges by a digest of the job's number, so a run is the same every time; no strategy is
imitated but Grid, which goes through the combinations of its categories.
"""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from local.sagemaker.errors import validation

Json = dict[str, Any]
SAME = (
    "RoleArn",
    "AlgorithmSpecification",
    "InputDataConfig",
    "OutputDataConfig",
    "VpcConfig",
    "StoppingCondition",
    "EnableNetworkIsolation",
    "EnableInterContainerTrafficEncryption",
    "EnableManagedSpotTraining",
    "CheckpointConfig",
    "RetryStrategy",
    "Environment",
)


def definitions(request: Mapping[str, Any]) -> list[Json]:
    """The definitions of training jobs; one of the two members must be there, and not both."""
    single: Any = request.get("TrainingJobDefinition")
    several = request.get("TrainingJobDefinitions")
    if (single is None) == (several is None):
        raise validation("Exactly one of TrainingJobDefinition and TrainingJobDefinitions is required")
    found: list[Json] = [single] if several is None else list(several)
    return found


def definition_of(request: Mapping[str, Any], number: int) -> Json:
    """The definition that the n-th training job (from 1) follows: in turn when there are several."""
    found = definitions(request)
    return found[(number - 1) % len(found)]


def training_request(request: Mapping[str, Any], name: str, arn: str, number: int) -> Json:
    """CreateTrainingJob as the tuning job sends it; a keep-alive period is never passed on."""
    definition = definition_of(request, number)
    objective = objective_of(request, definition)
    told = {"_tuning_objective_metric": objective["MetricName"]} if objective else {}
    static = {**definition.get("StaticHyperParameters", {}), **told}
    return {
        "TrainingJobName": name,
        "TuningJobArn": arn,
        **{member: definition[member] for member in SAME if member in definition},
        "ResourceConfig": _resources(definition),
        "HyperParameters": {**static, **tuned(request, definition, number)},
    }


def objective_of(request: Mapping[str, Any], definition: Mapping[str, Any]) -> Json | None:
    """The metric that is improved: the definition's own, else the tuning job's."""
    config = request["HyperParameterTuningJobConfig"]
    found: Json | None = definition.get("TuningObjective") or config.get("HyperParameterTuningJobObjective")
    return found


def tuned(request: Mapping[str, Any], definition: Mapping[str, Any], number: int) -> dict[str, str]:
    """TunedHyperParameters of the n-th training job."""
    config = request["HyperParameterTuningJobConfig"]
    ranges = definition.get("HyperParameterRanges") or config.get("ParameterRanges", {})
    categories = ranges.get("CategoricalParameterRanges", [])
    if config["Strategy"] == "Grid":
        combinations = list(product(*(one["Values"] for one in categories)))
        chosen = combinations[(number - 1) % len(combinations)]
        return {one["Name"]: value for one, value in zip(categories, chosen, strict=True)}
    values = {one["Name"]: _category(one["Values"], _share(one["Name"], number)) for one in categories}
    for one in ranges.get("IntegerParameterRanges", []):
        low, high = _bounds(one, int)
        values[one["Name"]] = str(low + int(_share(one["Name"], number) * (high - low + 1)))
    for one in ranges.get("ContinuousParameterRanges", []):
        low, high = _bounds(one, float)
        values[one["Name"]] = str(low + _share(one["Name"], number) * (high - low))
    return values


def how_many(request: Mapping[str, Any]) -> int:
    """MaxNumberOfTrainingJobs; for Grid, where it may be absent, the combinations of the categories."""
    config = request["HyperParameterTuningJobConfig"]
    limit: int | None = config["ResourceLimits"].get("MaxNumberOfTrainingJobs")
    if config["Strategy"] == "Grid":
        sizes = [len(one["Values"]) for one in config.get("ParameterRanges", {}).get("CategoricalParameterRanges", [])]
        return min(prod(sizes), limit or prod(sizes))
    if limit is None:
        raise validation("MaxNumberOfTrainingJobs is required unless the strategy is Grid")
    return limit


def measured(name: str) -> float:
    """The objective that a completed training job reports: any number from 0 to 1, the same for the same name."""
    return round(_share(name, 0), 6)


def _resources(definition: Mapping[str, Any]) -> Json:
    """ResourceConfig from either member of the definition; of several instance configurations the first."""
    resources = definition.get("HyperParameterTuningResourceConfig") or definition.get("ResourceConfig", {})
    first = (resources.get("InstanceConfigs") or [{}])[0]
    dropped = {"InstanceConfigs", "AllocationStrategy", "KeepAlivePeriodInSeconds"}
    return {**{member: value for member, value in resources.items() if member not in dropped}, **first}


def _bounds(one: Mapping[str, str], number: type) -> tuple[Any, Any]:
    try:
        low, high = number(one["MinValue"]), number(one["MaxValue"])
    except ValueError as error:
        raise validation(f"The range of {one['Name']} is not in numbers: {error}") from error
    if low > high:
        raise validation(f"The range of {one['Name']} is empty: {low} is greater than {high}")
    return low, high


def _category(values: Sequence[str], share: float) -> str:
    return values[int(share * len(values))]


def _share(name: str, number: int) -> float:
    """A number in [0, 1) that looks random and is not."""
    return int(hashlib.sha256(f"{name} {number}".encode()).hexdigest()[:12], 16) / 16**12
