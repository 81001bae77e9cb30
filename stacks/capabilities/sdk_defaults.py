"""A team's facts as the SageMaker Python SDK's own configuration file, so that an estimator or a model trainer takes
role, network, keys and tags from it without a package of ours.

Source: SageMaker Python SDK, "Configuring and using defaults", schema version 1.0; tried with sagemaker 2.257.7 (SDK 2)
and sagemaker-train 1.27.0 (SDK 3).
"""

from collections.abc import Mapping
from typing import Any

import yaml

from stacks.capabilities.instance_storage import EBS_ONLY

HEADING = """\
# Defaults of the SageMaker Python SDK for the team {team}. To use them:
#   export SAGEMAKER_ADMIN_CONFIG_OVERRIDE={uri}
# Yours to add to every job: the tag owner. SDK 3 takes role, network and bucket from here, but neither tags nor keys:
# give a ModelTrainer the tag team, and OutputDataConfig and Compute the keys below. If it says that the role lacks
# permissions: it asks for more than a job needs. export SAGEMAKER_VALIDATE_ROLE=false
"""


def sdk_defaults(facts: Mapping[str, Any], *, bucket: str, prefix: str, uri: str) -> str:
    """The file as YAML. `bucket` and `prefix` (without "/" at its end: SDK 3 would write two) are where the SDK puts
    code and artifacts when a job names nothing else; `uri` is the file's own place.
    """
    modules: dict[str, Any] = {"Session": {"DefaultS3Bucket": bucket, "DefaultS3ObjectKeyPrefix": prefix}}
    if networking := _networking(facts):
        modules["ModelTrainer"] = {"networking": networking}
    document = {
        "SchemaVersion": "1.0",
        "SageMaker": {"PythonSDK": {"Modules": modules}, "TrainingJob": _training_job(facts)},
    }
    # A line that is folded inside a token would not be one any more for CloudFormation to fill in.
    text = yaml.safe_dump(document, sort_keys=False, width=2**16)
    return HEADING.format(team=facts["team"], uri=uri) + text


def _training_job(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    job: dict[str, Any] = {
        "RoleArn": facts["role_arn"],
        "EnableNetworkIsolation": facts["limits"]["network_isolation"],
        "EnableInterContainerTrafficEncryption": facts["limits"]["encrypt_between_containers"],
        "Tags": [{"Key": key, "Value": value} for key, value in facts["tags"].items()],
    }
    if network := facts["network"]:
        job["VpcConfig"] = {"SecurityGroupIds": network["security_groups"], "Subnets": network["subnets"]}
    if facts["keys"]["output"]:
        job["OutputDataConfig"] = {"KmsKeyId": facts["keys"]["output"]}
    if facts["keys"]["volume"] and _all_take_a_volume_key(facts["limits"]["instance_types"]):
        job["ResourceConfig"] = {"VolumeKmsKeyId": facts["keys"]["volume"]}
    return job


def _networking(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """The network once more, in the terms of SDK 3, which does not take all of it from `TrainingJob`. It names only
    what the team asks for, since releases of SDK 2 from before ModelTrainer refuse a file that has this part.
    """
    networking: dict[str, Any] = {}
    if network := facts["network"]:
        networking |= {"security_group_ids": [*network["security_groups"]], "subnets": [*network["subnets"]]}
    if facts["limits"]["network_isolation"]:
        networking["enable_network_isolation"] = True
    if facts["limits"]["encrypt_between_containers"]:
        networking["enable_inter_container_traffic_encryption"] = True
    return networking


def _all_take_a_volume_key(patterns: list[str]) -> bool:
    """SageMaker refuses VolumeKmsKeyId for a type with storage of its own, and a default cannot be taken back in a
    job's own code. So it is a default only where no allowed type is of that kind; elsewhere the job names the key.
    """
    return bool(patterns) and all(pattern.split(".")[1] in EBS_ONLY for pattern in patterns)
