"""What the members of ResourceConfig exclude, whoever's request it is: warm pools, volume keys, preferred types.

Sources: ResourceConfig and HyperParameterTuningResourceConfig of the API reference; the guide's page on warm pools.
"""

from trainops.domain.findings import Finding
from trainops.domain.instance_storage import has_instance_storage
from trainops.domain.training_requests import TrainingRequest

KEEP_ALIVE = "ResourceConfig.KeepAlivePeriodInSeconds"
VOLUME_KEY = "ResourceConfig.VolumeKmsKeyId"
PREFERENCES = "ResourceConfig.InstancePreferences"
GUIDE_KEEP_ALIVE = 3600
LONGEST_KEEP_ALIVE = 21_600
EXCLUDED = (
    "ResourceConfig.InstanceType",
    "ResourceConfig.InstanceGroups",
    "ResourceConfig.InstancePlacementConfig",
    "EnableManagedSpotTraining",
)


def pool_with_spot(request: TrainingRequest) -> Finding | None:
    """Warm pools are kept on demand only."""
    if not request.number(KEEP_ALIVE) or not request.flag("EnableManagedSpotTraining"):
        return None
    return request.error(
        "keep-alive-with-spot",
        KEEP_ALIVE,
        "SageMaker keeps no warm pool for managed spot training.",
        "Choose one: a pool for many short runs (no spot), or spot for a long run (no keep-alive period).",
    )


def pool_with_groups(request: TrainingRequest) -> Finding | None:
    """Warm pools are of one type."""
    if not request.number(KEEP_ALIVE) or not request.get("ResourceConfig.InstanceGroups"):
        return None
    return request.error(
        "keep-alive-with-instance-groups",
        KEEP_ALIVE,
        "SageMaker keeps no warm pool for clusters of several instance groups.",
        "Use one InstanceType with InstanceCount, or remove the keep-alive period.",
    )


def pool_in_tuning(request: TrainingRequest) -> Finding | None:
    """Tuning manages its instances itself."""
    if not request.tuning or not request.number(KEEP_ALIVE):
        return None
    return request.error(
        "keep-alive-in-tuning",
        KEEP_ALIVE,
        "a tuning job keeps no warm pools of yours; the period would have no effect.",
        "Remove it.",
    )


def pool_too_long(request: TrainingRequest) -> Finding | None:
    """The API's model takes six hours; the guide says one."""
    period = request.number(KEEP_ALIVE) or 0
    if period > LONGEST_KEEP_ALIVE:
        problem = f"a keep-alive period is {LONGEST_KEEP_ALIVE} s (6 h) at most."
        return request.error("keep-alive-over-api", KEEP_ALIVE, problem, f"Set it to {GUIDE_KEEP_ALIVE} or less.")
    if period > GUIDE_KEEP_ALIVE:
        problem = f"the developer guide says {GUIDE_KEEP_ALIVE} s at most, the API 6 h; SageMaker may refuse it."
        return request.warning("keep-alive-over-guide", KEEP_ALIVE, problem, f"Set it to {GUIDE_KEEP_ALIVE} or less.")
    return None


def volume_key(request: TrainingRequest) -> Finding | None:
    """Storage that comes with the instance is encrypted by its hardware."""
    own = [name for _, name in request.instance_types() if has_instance_storage(name)]
    if request.get(VOLUME_KEY) is None or not own:
        return None
    return request.error(
        "volume-key-with-instance-storage",
        VOLUME_KEY,
        f"{own[0]} brings storage of its own, which its hardware encrypts; SageMaker refuses a key for it.",
        "Remove VolumeKmsKeyId (volume_kms_key in the SDK v2) for this type.",
    )


def preferences(request: TrainingRequest) -> Finding | None:
    """A list of preferred types stands in place of whatever else names types, and excludes spot."""
    beside = [path for path in EXCLUDED if request.get(path)]
    if not request.get(PREFERENCES) or not beside:
        return None
    return request.error(
        "instance-preferences-exclude",
        beside[0],
        "InstancePreferences excludes " + ", ".join(path.rpartition(".")[2] for path in beside) + ".",
        "Remove one of the two.",
    )


RULES = (pool_with_spot, pool_with_groups, pool_in_tuning, pool_too_long, volume_key, preferences)
