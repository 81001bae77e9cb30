"""IAM condition keys of the SageMaker actions, filled from the request as the Service Authorization Reference says.

There is no key for managed spot, maximum wait, checkpoints or the instance count.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from local.sagemaker.jobs import TrainingJob


def tag_keys(tags: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    """aws:RequestTag/<key> and aws:TagKeys for the tags in a request; nothing when there are none."""
    pairs = {tag["Key"]: tag["Value"] for tag in tags}
    if not pairs:
        return {}
    return {**{f"aws:RequestTag/{key}": value for key, value in pairs.items()}, "aws:TagKeys": list(pairs)}


def resource_tags(job: TrainingJob | None) -> dict[str, Any]:
    """aws:ResourceTag/<key> and its SageMaker twin for an existing job."""
    tags = {} if job is None else job.tags
    return {f"{prefix}:ResourceTag/{key}": value for key, value in tags.items() for prefix in ("aws", "sagemaker")}


def create_keys(request: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of CreateTrainingJob; a key whose member is absent is absent."""
    resources = request.get("ResourceConfig", {})
    network = request.get("VpcConfig", {})
    output = request.get("OutputDataConfig", {})
    found: dict[str, Any] = {
        "sagemaker:InstanceTypes": _instance_types(resources),
        "sagemaker:KeepAlivePeriod": _text(resources.get("KeepAlivePeriodInSeconds")),
        "sagemaker:MaxRuntimeInSeconds": _text(request.get("StoppingCondition", {}).get("MaxRuntimeInSeconds")),
        "sagemaker:NetworkIsolation": _boolean(request.get("EnableNetworkIsolation", False)),
        "sagemaker:InterContainerTrafficEncryption": _boolean(
            request.get("EnableInterContainerTrafficEncryption", False)
        ),
        "sagemaker:VpcSubnets": network.get("Subnets"),
        "sagemaker:VpcSecurityGroupIds": network.get("SecurityGroupIds"),
        "sagemaker:VolumeKmsKey": resources.get("VolumeKmsKeyId"),
        "sagemaker:OutputKmsKey": output.get("KmsKeyId"),
        "sagemaker:EnableRemoteDebug": _boolean(request.get("RemoteDebugConfig", {}).get("EnableRemoteDebug")),
    }
    return {**tag_keys(request.get("Tags", [])), **{key: value for key, value in found.items() if value}}


def update_keys(request: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of UpdateTrainingJob."""
    found = {
        "sagemaker:KeepAlivePeriod": _text(request.get("ResourceConfig", {}).get("KeepAlivePeriodInSeconds")),
        "sagemaker:EnableRemoteDebug": _boolean(request.get("RemoteDebugConfig", {}).get("EnableRemoteDebug")),
    }
    return {key: value for key, value in found.items() if value}


def _instance_types(resources: Mapping[str, Any]) -> list[str]:
    groups = resources.get("InstanceGroups", [])
    types = [resources.get("InstanceType"), *(group.get("InstanceType") for group in groups)]
    return [name for name in types if name]


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)


def _boolean(value: bool | None) -> str | None:
    return None if value is None else str(value).lower()
