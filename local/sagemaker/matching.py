"""Which warm pool a new training job takes, decided when it is created.

The warm-pool page of the guide lists the members that must be identical; what it does not list (image,
hyperparameters, tags, channels, limits) is free. Managed spot, heterogeneous clusters and the training jobs of tuning
jobs never use pools.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.switches import Switches

RESOURCES = ("InstanceType", "InstanceCount", "VolumeSizeInGB", "VolumeKmsKeyId")
FLAGS = ("EnableNetworkIsolation", "EnableInterContainerTrafficEncryption")


def pool_for(
    request: Mapping[str, Any], session_keys: frozenset[str], jobs: Iterable[TrainingJob], switches: Switches
) -> TrainingJob | None:
    """The one of `jobs` whose available pool the request takes; None when it starts cold."""
    if request.get("EnableManagedSpotTraining") or request.get("TuningJobArn"):
        return None
    if not request.get("ResourceConfig", {}).get("InstanceType"):
        return None
    wanted = match_key(request, switches)
    found = [
        job
        for job in jobs
        if job.pool is not None
        and job.pool.status == "Available"
        and match_key(job.request, switches) == wanted
        and _session_matches(job, request, session_keys)
    ]
    pick = max if switches.pool_pick == "lifo" else min
    return pick(found, key=_available_since, default=None)


def match_key(request: Mapping[str, Any], switches: Switches) -> tuple[Any, ...]:
    """The members that must be identical, with the API's defaults for those left out."""
    resources, network = request.get("ResourceConfig", {}), request.get("VpcConfig", {})
    return (
        request.get("RoleArn"),
        *(resources.get(name) or None for name in RESOURCES),
        *(_listed(network.get(name, []), switches) for name in ("SecurityGroupIds", "Subnets")),
        *(bool(request.get(name)) for name in FLAGS),
    )


def _listed(names: list[str], switches: Switches) -> tuple[str, ...]:
    return tuple(names if switches.subnet_order_matters else sorted(names))


def _session_matches(job: TrainingJob, request: Mapping[str, Any], session_keys: frozenset[str]) -> bool:
    """A pool of a job with session-tag chaining is for such jobs only, with the same session keys."""
    if not chains_sessions(job.request):
        return True
    return chains_sessions(request) and session_keys == job.session_keys


def chains_sessions(request: Mapping[str, Any]) -> bool:
    """SessionChainingConfig.EnableSessionTagChaining."""
    return bool(request.get("SessionChainingConfig", {}).get("EnableSessionTagChaining"))


def _available_since(job: TrainingJob) -> tuple[Any, str]:
    return job.ended, job.name
