"""What a team must know to run training jobs: role, places, network, keys and limits, as one document.

Its shape is version 1 of the contract with people's programs; whoever changes it raises the version.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from stacks.building_blocks.storage import Storage
from stacks.capabilities.team_prefixes import RECOMMENDATIONS
from stacks.team_settings import Team

VERSION = 1
REQUIRED_TAGS = ("team", "owner")


def team_facts(
    team: Team, *, name: str, deployment: str, account: str, region: str, role_arn: str, storage: Storage
) -> Mapping[str, Any]:
    """The document. ARNs, bucket names, account and Region may be tokens that only CloudFormation knows.

    A keep-alive of 0 seconds is recommended until something was learned of the team's jobs; by match fingerprint it is
    in the object at `recommendations_uri`, since fingerprints have no bound and a parameter has 4 KB.
    """
    return {
        "version": VERSION,
        "deployment": deployment,
        "team": name,
        "account": account,
        "region": region,
        "role_arn": role_arn,
        "checkpoint_uri": storage.checkpoint_uri(name),
        "output_uri": storage.output_uri(name),
        "data_uris": list(team.data),
        "network": {"subnets": list(team.network.subnets), "security_groups": list(team.network.security_groups)}
        if team.network
        else None,
        "keys": {"volume": team.keys.volume, "output": team.keys.output},
        "limits": _limits(team),
        "remote_access": team.remote_access,
        "tags": {"team": name},
        "required_tags": list(REQUIRED_TAGS),
        "recommended_keep_alive_seconds": 0,
        "recommendations_uri": f"{storage.output_uri(name)}{RECOMMENDATIONS}",
    }


def first_recommendations(name: str) -> Mapping[str, Any]:
    """What is recommended before anything is known: no warm pool."""
    return {"version": VERSION, "team": name, "generated_at": None, "default_seconds": 0, "by_fingerprint": {}}


def _limits(team: Team) -> Mapping[str, Any]:
    return {
        "keep_alive_seconds": _seconds(team.limits.keep_alive),
        "runtime_seconds": _seconds(team.limits.runtime),
        "instance_types": list(team.limits.instance_types),
        "network_isolation": team.limits.network_isolation,
        "encrypt_between_containers": team.limits.encrypt_between_containers,
    }


def _seconds(value: timedelta) -> int:
    return value // timedelta(seconds=1)
