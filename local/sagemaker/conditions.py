"""IAM condition keys of the SageMaker actions, filled from the request as the Service Authorization Reference says.

There is no key for managed spot, maximum wait, checkpoints or the instance count. Keys of the tags of an existing
resource come from `resource_tags`, keys of tags in a request from `tag_keys`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from local.sagemaker.model import partition_of
from local.sagemaker.simulator import Scope

FILE_SYSTEM_KEYS = {
    "sagemaker:FileSystemId": "FileSystemId",
    "sagemaker:FileSystemAccessMode": "FileSystemAccessMode",
    "sagemaker:FileSystemType": "FileSystemType",
    "sagemaker:FileSystemDirectoryPath": "DirectoryPath",
}


class HasTags(Protocol):
    """A resource whose tags a policy may ask for."""

    tags: dict[str, str]


def tag_keys(tags: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    """aws:RequestTag/<key> and aws:TagKeys for the tags in a request; nothing when there are none."""
    pairs = {tag["Key"]: tag["Value"] for tag in tags}
    if not pairs:
        return {}
    return {**{f"aws:RequestTag/{key}": value for key, value in pairs.items()}, "aws:TagKeys": list(pairs)}


def tagging_keys(tags: Iterable[Mapping[str, str]], action: str) -> dict[str, Any]:
    """AddTags as a dependent action of a creation, which sagemaker:TaggingAction names."""
    return {**tag_keys(tags), "sagemaker:TaggingAction": action}


def resource_tags(resource: HasTags | None) -> dict[str, Any]:
    """aws:ResourceTag/<key> and its SageMaker twin for an existing resource."""
    tags = {} if resource is None else resource.tags
    return {f"{prefix}:ResourceTag/{key}": value for key, value in tags.items() for prefix in ("aws", "sagemaker")}


def create_keys(request: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
    """The keys of CreateTrainingJob, also for the definition of a tuning job's children.

    A key whose member is absent is absent; the two isolation switches are `false` when absent.
    """
    resources = request.get("ResourceConfig") or request.get("HyperParameterTuningResourceConfig", {})
    network = request.get("VpcConfig", {})
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
        "sagemaker:EnableRemoteDebug": _boolean(request.get("RemoteDebugConfig", {}).get("EnableRemoteDebug")),
        **_key_keys("VolumeKmsKey", resources.get("VolumeKmsKeyId"), scope),
        **_key_keys("OutputKmsKey", request.get("OutputDataConfig", {}).get("KmsKeyId"), scope),
        **_file_systems(request.get("InputDataConfig", [])),
    }
    return {**tag_keys(request.get("Tags", [])), **{key: value for key, value in found.items() if value}}


def update_keys(request: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of UpdateTrainingJob; its request names no instance type, so sagemaker:InstanceTypes is absent."""
    found = {
        "sagemaker:KeepAlivePeriod": _text(request.get("ResourceConfig", {}).get("KeepAlivePeriodInSeconds")),
        "sagemaker:EnableRemoteDebug": _boolean(request.get("RemoteDebugConfig", {}).get("EnableRemoteDebug")),
    }
    return {key: value for key, value in found.items() if value}


def _key_keys(name: str, key: str | None, scope: Scope) -> dict[str, Any]:
    """Both spellings of a KMS key's condition key, always as an ARN: policies compare it with ArnEquals."""
    if not key:
        return {}
    if not key.startswith("arn:"):
        kind = key if key.startswith("alias/") else f"key/{key}"
        key = f"arn:{partition_of(scope.region)}:kms:{scope.region}:{scope.account}:{kind}"
    return {f"sagemaker:{name}": key, f"sagemaker:{name}Arn": key}


def _file_systems(channels: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The file systems that the channels read; a list when there are several."""
    sources = [channel.get("DataSource", {}).get("FileSystemDataSource") for channel in channels]
    found: dict[str, Any] = {}
    for key, member in FILE_SYSTEM_KEYS.items():
        values = [source[member] for source in sources if source]
        found[key] = values[0] if len(values) == 1 else values
    return found


def _instance_types(resources: Mapping[str, Any]) -> list[str]:
    nested = [*resources.get("InstanceGroups", []), *resources.get("InstanceConfigs", [])]
    types = [resources.get("InstanceType"), *(part.get("InstanceType") for part in nested)]
    return [name for name in types if name]


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)


def _boolean(value: bool | None) -> str | None:
    return None if value is None else str(value).lower()
