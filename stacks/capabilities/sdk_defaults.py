"""A team's facts as the SageMaker Python SDK's own configuration file, so that an estimator or a model trainer takes
role, network, keys and tags from it without a package of ours.

Source: SageMaker Python SDK, "Configuring and using defaults", schema version 1.0. Versions 2 and 3 of the SDK read it.
"""

from collections.abc import Mapping
from typing import Any

import yaml

from stacks.capabilities.instance_storage import EBS_ONLY

HEADING = """\
# Defaults of the SageMaker Python SDK for the team {team}. To use them:
#   export SAGEMAKER_ADMIN_CONFIG_OVERRIDE={uri}
# The tag owner is yours to add: a job without it is refused.
"""


def sdk_defaults(facts: Mapping[str, Any], *, bucket: str, prefix: str, uri: str) -> str:
    """The file as YAML. `bucket` and `prefix` are where the SDK puts code and artifacts when a job names nothing else;
    the prefix keeps its "/", since the SDK lists it and people may list nothing wider. `uri` is the file's own place.
    """
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
    session = {"DefaultS3Bucket": bucket, "DefaultS3ObjectKeyPrefix": prefix}
    document = {
        "SchemaVersion": "1.0",
        "SageMaker": {"PythonSDK": {"Modules": {"Session": session}}, "TrainingJob": job},
    }
    # A line that is folded inside a token would not be one any more for CloudFormation to fill in.
    text = yaml.safe_dump(document, sort_keys=False, width=2**16)
    return HEADING.format(team=facts["team"], uri=uri) + text


def _all_take_a_volume_key(patterns: list[str]) -> bool:
    """SageMaker refuses VolumeKmsKeyId for a type with storage of its own, and a default cannot be taken back in a
    job's own code. So it is a default only where no allowed type is of that kind; elsewhere the job names the key.
    """
    return bool(patterns) and all(pattern.split(".")[1] in EBS_ONLY for pattern in patterns)
