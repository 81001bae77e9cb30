"""A team on the local AWS as its data scientists meet it: a role, two buckets, and its facts in the parameter store.

Stands in for a deployment with a team in its settings, which makes and publishes the same.
"""

import json
from typing import Any

from local.account import TRUST
from local.laptop import Laptop

DEPLOYMENT, TEAM = "trainops", "vision"
CHECKPOINTS, ARTIFACTS = "trainops-checkpoints", "trainops-artifacts"


def publish_team(laptop: Laptop) -> None:
    """Make them."""
    document = {"Version": "2012-10-17", "Statement": [TRUST]}
    role = laptop.client("iam").create_role(RoleName=f"{TEAM}-training", AssumeRolePolicyDocument=json.dumps(document))
    for bucket in (CHECKPOINTS, ARTIFACTS):
        laptop.client("s3").create_bucket(Bucket=bucket)
    facts = json.dumps(team_document(laptop, role["Role"]["Arn"]))
    laptop.client("ssm").put_parameter(Name=f"/{DEPLOYMENT}/teams/{TEAM}", Value=facts, Type="String")


def team_document(laptop: Laptop, role_arn: str) -> dict[str, Any]:
    """The team facts document, version 1."""
    return {
        "version": 1,
        "deployment": DEPLOYMENT,
        "team": TEAM,
        "account": laptop.account,
        "region": laptop.region,
        "role_arn": role_arn,
        "checkpoint_uri": f"s3://{CHECKPOINTS}/{TEAM}/",
        "output_uri": f"s3://{ARTIFACTS}/{TEAM}/",
        "data_uris": [],
        "network": {"subnets": ["subnet-0123456789abcdef0"], "security_groups": ["sg-0123456789abcdef0"]},
        "keys": {"volume": None, "output": None},
        "limits": {
            "keep_alive_seconds": 3600,
            "runtime_seconds": 432_000,
            "instance_types": ["ml.g5.*"],
            "network_isolation": False,
            "encrypt_between_containers": True,
        },
        "remote_access": "none",
        "tags": {"team": TEAM},
        "required_tags": ["team", "owner"],
        "recommended_keep_alive_seconds": 1800,
        "recommendations_uri": f"s3://{ARTIFACTS}/{TEAM}/trainops/recommendations.json",
    }
