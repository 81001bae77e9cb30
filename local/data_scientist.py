"""A data scientist of a team on the local AWS: a role with the team's two policies and nothing else, and a session."""

import json

from local.laptop import Laptop

ROLE = "data-scientist"
PERSON = "vision-oncall"
"""The session's name, as single sign-on would give the person's."""


def sign_on(laptop: Laptop, deployment: str, team: str) -> dict[str, str]:
    """Make the role as the platform team would, and take it; the credentials as environment variables."""
    iam = laptop.client("iam")
    trust = {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{laptop.account}:root"}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    arn = iam.create_role(RoleName=ROLE, AssumeRolePolicyDocument=document)["Role"]["Arn"]
    for policy in _policies(laptop, deployment, team):
        iam.attach_role_policy(RoleName=ROLE, PolicyArn=policy)
    session = laptop.client("sts").assume_role(RoleArn=arn, RoleSessionName=PERSON)["Credentials"]
    return {
        "AWS_ACCESS_KEY_ID": session["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": session["SecretAccessKey"],
        "AWS_SESSION_TOKEN": session["SessionToken"],
    }


def _policies(laptop: Laptop, deployment: str, team: str) -> list[str]:
    """The access stack says in its outputs which they are."""
    [stack] = laptop.client("cloudformation").describe_stacks(StackName=f"{deployment}-access")["Stacks"]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
    return [outputs[f"{team.capitalize()}{kind}PolicyArn"] for kind in ("Jobs", "Files")]
