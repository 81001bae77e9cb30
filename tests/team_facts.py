"""The facts document of one team, as a deployment publishes it."""

from typing import Any

from trainops.domain.team_facts import TeamFacts

ROLE = "arn:aws:iam::111122223333:role/vision-training"
KEY = "arn:aws:kms:eu-central-1:111122223333:key/00000000-0000-0000-0000-000000000001"


def document(**changes: Any) -> dict[str, Any]:
    """A strict team: its own network, keys and limits."""
    return {
        "version": 1,
        "deployment": "trainops",
        "team": "vision",
        "account": "111122223333",
        "region": "eu-central-1",
        "role_arn": ROLE,
        "checkpoint_uri": "s3://checkpoints/vision/",
        "output_uri": "s3://artifacts/vision/",
        "data_uris": ["s3://example-data/images/"],
        "network": {"subnets": ["subnet-1", "subnet-2"], "security_groups": ["sg-1"]},
        "keys": {"volume": KEY, "output": KEY},
        "limits": {
            "keep_alive_seconds": 1800,
            "runtime_seconds": 172_800,
            "instance_types": ["ml.g5.*", "ml.m5.xlarge"],
            "network_isolation": False,
            "encrypt_between_containers": True,
        },
        "remote_access": "none",
        "tags": {"team": "vision"},
        "required_tags": ["team", "owner"],
        "recommended_keep_alive_seconds": 900,
        "recommendations_uri": "s3://artifacts/vision/trainops/recommendations.json",
        **changes,
    }


def facts(**changes: Any) -> TeamFacts:
    """The same, read."""
    return TeamFacts.from_document(document(**changes))
