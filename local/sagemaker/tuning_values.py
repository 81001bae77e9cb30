"""What a hyperparameter tuning job tries: the request of its n-th training job and the result that it measures.

Values are spread over their ranges by a digest of the job's number, so a run is the same every time; no strategy is
imitated but Grid, which goes through the combinations of its categories; every scale counts as linear.
"""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from local.sagemaker.errors import validation
from local.sagemaker.jobs import TrainingJob

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
AUTOTUNED_JOBS = 10  # where Autotune leaves MaxNumberOfTrainingJobs to the service; our choice


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
    ranges = ranges_of(request, definition)
    categories = ranges.get("CategoricalParameterRanges", [])
    if config["Strategy"] == "Grid":
        combinations = list(product(*(one["Values"] for one in categories)))
        chosen = combinations[(number - 1) % len(combinations)]
        return {one["Name"]: value for one, value in zip(categories, chosen, strict=True)}
    seed = config.get("RandomSeed", "")
    values = {one["Name"]: one["ValueHint"] for one in ranges.get("AutoParameters", [])}
    values |= {one["Name"]: _category(one["Values"], _share(one["Name"], number, seed)) for one in categories}
    for one in ranges.get("IntegerParameterRanges", []):
        low, high = _bounds(one, int)
        values[one["Name"]] = str(low + int(_share(one["Name"], number, seed) * (high - low + 1)))
    for one in ranges.get("ContinuousParameterRanges", []):
        low, high = _bounds(one, float)
        values[one["Name"]] = str(low + _share(one["Name"], number, seed) * (high - low))
    return values


def ranges_of(request: Mapping[str, Any], definition: Mapping[str, Any]) -> Json:
    """ParameterRanges of a definition: its own, else the tuning job's."""
    found: Json = definition.get("HyperParameterRanges") or request["HyperParameterTuningJobConfig"].get(
        "ParameterRanges", {}
    )
    return found


def autotuned(request: Mapping[str, Any]) -> bool:
    """Whether Autotune is enabled."""
    return bool(request.get("Autotune", {}).get("Mode") == "Enabled")


def how_many(request: Mapping[str, Any]) -> int:
    """MaxNumberOfTrainingJobs; for Grid, where it may be absent, the combinations of the categories."""
    config = request["HyperParameterTuningJobConfig"]
    limit: int | None = config["ResourceLimits"].get("MaxNumberOfTrainingJobs")
    if config["Strategy"] == "Grid":
        sizes = [len(one["Values"]) for one in config.get("ParameterRanges", {}).get("CategoricalParameterRanges", [])]
        return min(prod(sizes), limit or prod(sizes))
    if limit is None and not autotuned(request):
        raise validation("MaxNumberOfTrainingJobs is required unless the strategy is Grid")
    return limit or AUTOTUNED_JOBS


def measured(child: TrainingJob) -> float:
    """The objective of a training job: as scripted, else a number from 0 to 1, the same for the same name."""
    return round(_share(child.name, 0), 6) if child.plan.objective is None else child.plan.objective


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


def _share(name: str, number: int, seed: object = "") -> float:
    """A number in [0, 1) that looks random and is not."""
    return int(hashlib.sha256(f"{name} {number} {seed}".rstrip().encode()).hexdigest()[:12], 16) / 16**12
