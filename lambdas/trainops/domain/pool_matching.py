"""What two jobs must have in common for one to take the other's warm pool (developer guide, warm pools)."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

MATCH_FIELDS = ("InstanceCount", "InstanceType", "VolumeKmsKeyId", "VolumeSizeInGB")
"""The members of ResourceConfig that must be equal for a warm pool to be reused."""
MATCH_FLAGS = ("EnableInterContainerTrafficEncryption", "EnableNetworkIsolation")


def match_fingerprint(answer: Mapping[str, Any]) -> str:
    """Equal for two jobs exactly when one could take the other's warm pool: 16 hex digits over the documented match
    fields. Subnets and security groups are sorted, since whether their order matters is not documented.
    """
    return hashlib.sha256(json.dumps(list(_match(answer).items())).encode()).hexdigest()[:16]


def match_fields(answer: Mapping[str, Any]) -> dict[str, str]:
    """The documented match fields as text, without those that are not set."""
    return {
        name: ", ".join(value) if isinstance(value, list) else str(value)
        for name, value in _match(answer).items()
        if value
    }


def _match(answer: Mapping[str, Any]) -> dict[str, Any]:
    resources = answer.get("ResourceConfig") or {}
    network = answer.get("VpcConfig") or {}
    return {
        "RoleArn": answer.get("RoleArn"),
        **{name: resources.get(name) for name in MATCH_FIELDS},
        "SecurityGroupIds": sorted(network.get("SecurityGroupIds") or ()),
        "Subnets": sorted(network.get("Subnets") or ()),
        **{name: bool(answer.get(name)) for name in MATCH_FLAGS},
        "EnableSessionTagChaining": bool((answer.get("SessionChainingConfig") or {}).get("EnableSessionTagChaining")),
    }
