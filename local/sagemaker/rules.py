"""Rules between members of a CreateTrainingJob request, which the API describes in words and not in its model."""

from typing import Any

from local.sagemaker.builtin_algorithms import LONGEST_WAIT, lacks_checkpoints
from local.sagemaker.errors import constraint, validation
from local.sagemaker.switches import Switches

KEEP_ALIVE = "KeepAlivePeriodInSeconds"
LONGEST_RUN = 28 * 86_400
OWN_STORAGE = ("ml.g", "ml.p3dn.", "ml.p4", "ml.p5", "ml.p6", "ml.r5d.", "ml.trn")
"""How the names of instance types with local storage begin."""


def check_create(request: dict[str, Any]) -> None:
    """Raise the ValidationException that the request earns; the wordings are ours, the rules are documented."""
    _check_algorithm(request.get("AlgorithmSpecification", {}))
    if "ServerlessJobConfig" in request:
        raise validation("ServerlessJobConfig is not simulated on this machine")
    resources = request.get("ResourceConfig", {})
    if not resources:
        raise validation("ResourceConfig is required for a training job that runs on instances")
    spot = bool(request.get("EnableManagedSpotTraining"))
    _check_resources(resources, spot=spot)
    _check_volume_key(resources)
    _check_stopping(request.get("StoppingCondition", {}), spot=spot)
    if spot and lacks_checkpoints(request) and request["StoppingCondition"]["MaxWaitTimeInSeconds"] > LONGEST_WAIT:
        raise validation(f"MaxWaitTimeInSeconds must not exceed {LONGEST_WAIT} for an algorithm without checkpoints")
    check_tags(request.get("Tags", []))


def check_keep_alive(seconds: int | None, switches: Switches) -> None:
    """The longest keep-alive period: the API model's, or the shorter one of the guide's warm-pool page."""
    if seconds is not None and seconds > switches.keep_alive_cap:
        rule = f"have value less than or equal to {switches.keep_alive_cap}"
        raise constraint(seconds, f"resourceConfig.{KEEP_ALIVE[0].lower()}{KEEP_ALIVE[1:]}", rule)


def _check_algorithm(algorithm: dict[str, Any]) -> None:
    """StoppingCondition and AlgorithmSpecification are optional in the model only for serverless jobs."""
    named = [key for key in ("TrainingImage", "AlgorithmName") if algorithm.get(key)]
    if len(named) != 1:
        raise validation("AlgorithmSpecification needs exactly one of TrainingImage and AlgorithmName")


def _check_resources(resources: dict[str, Any], *, spot: bool) -> None:
    """Warm pools exclude managed spot training and heterogeneous clusters (guide, managed warm pools)."""
    if resources.get("InstancePreferences"):
        _check_preferences(resources, spot=spot)
    if not resources.get(KEEP_ALIVE):
        return
    if spot:
        raise validation("KeepAlivePeriodInSeconds is not supported with EnableManagedSpotTraining")
    if resources.get("InstanceGroups"):
        raise validation("KeepAlivePeriodInSeconds is not supported with InstanceGroups")


def _check_preferences(resources: dict[str, Any], *, spot: bool) -> None:
    """What InstancePreferences exclude, and where the number of instances must be given (their texts in the model)."""
    others: list[str] = [
        name for name in ("InstanceType", "InstanceGroups", "InstancePlacementConfig") if name in resources
    ]
    others += ["EnableManagedSpotTraining"] if spot else []
    if others:
        raise validation(f"InstancePreferences are not supported with {', '.join(others)}")
    counted = ["InstanceCount" in one for one in resources["InstancePreferences"]]
    if any(counted) == ("InstanceCount" in resources) or any(counted) != all(counted):
        raise validation("InstanceCount is needed either in ResourceConfig or in every one of InstancePreferences")


def _check_volume_key(resources: dict[str, Any]) -> None:
    """Types with local storage take no VolumeKmsKeyId (ResourceConfig)."""
    groups = resources.get("InstanceGroups", [])
    types = [part["InstanceType"] for part in (resources, *groups) if "InstanceType" in part]
    if resources.get("VolumeKmsKeyId") and any(name.startswith(OWN_STORAGE) for name in types):
        raise validation(f"VolumeKmsKeyId is not supported for instance types with local storage: {', '.join(types)}")


def _check_stopping(stopping: dict[str, Any], *, spot: bool) -> None:
    """MaxWaitTimeInSeconds belongs to managed spot training, and is no shorter than the run (StoppingCondition)."""
    wait = stopping.get("MaxWaitTimeInSeconds")
    run = stopping.get("MaxRuntimeInSeconds", 86_400)
    if run > LONGEST_RUN:
        raise validation(f"MaxRuntimeInSeconds must not exceed {LONGEST_RUN}")
    if spot and wait is None:
        raise validation("MaxWaitTimeInSeconds is required when EnableManagedSpotTraining is true")
    if wait is not None and not spot:
        raise validation("MaxWaitTimeInSeconds is only valid when EnableManagedSpotTraining is true")
    if wait is not None and wait < run:
        raise validation("MaxWaitTimeInSeconds must be equal to or greater than MaxRuntimeInSeconds")


def check_tags(tags: list[dict[str, str]]) -> None:
    keys = [tag["Key"] for tag in tags]
    if len(keys) != len(set(keys)):
        raise validation("Duplicate tag keys found")
    if any(key.lower().startswith("aws:") for key in keys):
        raise validation("aws: prefixed tag key names are not allowed for external use")
