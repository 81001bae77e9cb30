"""SimulatePrincipalPolicy judges as real calls are judged: context, several resources and actions, boundaries."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.laptop import Laptop

pytestmark = pytest.mark.local
QUEUES = "arn:aws:sqs:us-east-1:000000000000:"


def document(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


@pytest.fixture(scope="module")
def role(laptop: Laptop) -> Iterator[str]:
    """May send to the queues that begin with `mine`, by TLS, on working days; one of them is denied."""
    iam, name = laptop.client("iam"), "simulated"
    trust = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}
    arn = iam.create_role(RoleName=name, AssumeRolePolicyDocument=document(trust))["Role"]["Arn"]
    mine = {"Sid": "Mine", "Effect": "Allow", "Action": "sqs:*", "Resource": f"{QUEUES}mine-*"}
    tls = {"Bool": {"aws:SecureTransport": "true"}, "ForAllValues:StringEquals": {"aws:TagKeys": ["a", "b"]}}
    never = {"Sid": "Never", "Effect": "Deny", "Action": "sqs:SendMessage", "Resource": f"{QUEUES}mine-2"}
    iam.put_role_policy(RoleName=name, PolicyName="p", PolicyDocument=document({**mine, "Condition": tls}, never))
    yield str(arn)
    iam.delete_role_policy(RoleName=name, PolicyName="p")
    iam.delete_role(RoleName=name)


def simulate(laptop: Laptop, role: str, *, tls: str = "true", tags: list[str] | None = None) -> dict[str, str]:
    entries = [{"ContextKeyName": "aws:SecureTransport", "ContextKeyValues": [tls], "ContextKeyType": "boolean"}]
    if tags:
        entries.append({"ContextKeyName": "aws:TagKeys", "ContextKeyValues": tags, "ContextKeyType": "stringList"})
    answer = laptop.client("iam").simulate_principal_policy(
        PolicySourceArn=role,
        ActionNames=["sqs:SendMessage", "sqs:DeleteQueue"],
        ResourceArns=[f"{QUEUES}mine-1", f"{QUEUES}mine-2", f"{QUEUES}other"],
        ContextEntries=entries,
    )
    return {
        f"{item['EvalActionName'].partition(':')[2]} {item['EvalResourceName'].rpartition(':')[2]}": item[
            "EvalDecision"
        ]
        for item in answer["EvaluationResults"]
    }


def test_every_action_is_judged_on_every_resource(laptop: Laptop, role: str) -> None:
    assert simulate(laptop, role) == {
        "SendMessage mine-1": "allowed",
        "SendMessage mine-2": "explicitDeny",
        "SendMessage other": "implicitDeny",
        "DeleteQueue mine-1": "allowed",
        "DeleteQueue mine-2": "allowed",
        "DeleteQueue other": "implicitDeny",
    }


def test_the_context_decides_one_value_or_many(laptop: Laptop, role: str) -> None:
    assert simulate(laptop, role, tags=["a", "b"])["SendMessage mine-1"] == "allowed"
    assert simulate(laptop, role, tags=["a", "c"])["SendMessage mine-1"] == "implicitDeny"
    assert simulate(laptop, role, tls="false")["SendMessage mine-1"] == "implicitDeny"


def test_a_boundary_narrows_what_is_allowed(laptop: Laptop, role: str) -> None:
    iam = laptop.client("iam")
    reads = {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": "*"}
    boundary = iam.create_policy(PolicyName="boundary", PolicyDocument=document(reads))["Policy"]["Arn"]
    iam.put_role_permissions_boundary(RoleName="simulated", PermissionsBoundary=boundary)
    try:
        found = simulate(laptop, role)
        assert (found["SendMessage mine-1"], found["DeleteQueue mine-1"]) == ("allowed", "implicitDeny")
    finally:
        iam.delete_role_permissions_boundary(RoleName="simulated")
        iam.delete_policy(PolicyArn=boundary)


def test_nobodys_policies_cannot_be_simulated(laptop: Laptop) -> None:
    with pytest.raises(ClientError, match="cannot be found"):
        simulate(laptop, "arn:aws:iam::000000000000:role/nobody")


def test_a_trust_policy_is_held_to_the_account_and_resource_that_sagemaker_acts_for(laptop: Laptop) -> None:
    iam, sagemaker = laptop.client("iam"), laptop.client("sagemaker")
    here = "arn:aws:sagemaker:us-east-1:000000000000:*"
    for number, (account, source) in enumerate(
        [("000000000000", here), ("111122223333", here), ("000000000000", here.replace("us-east-1", "eu-west-1"))]
    ):
        condition = {"StringEquals": {"aws:SourceAccount": account}, "ArnLike": {"aws:SourceArn": source}}
        trust = {"Effect": "Allow", "Principal": {"Service": "sagemaker.amazonaws.com"}, "Action": "sts:AssumeRole"}
        made = iam.create_role(
            RoleName=f"trusting-{number}", AssumeRolePolicyDocument=document({**trust, "Condition": condition})
        )
        request = {
            "TrainingJobName": f"trusted-{number}",
            "RoleArn": made["Role"]["Arn"],
            "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
            "OutputDataConfig": {"S3OutputPath": "s3://bucket/output"},
            "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1},
            "StoppingCondition": {"MaxRuntimeInSeconds": 60},
        }
        if number == 0:
            assert sagemaker.create_training_job(**request)["TrainingJobArn"]
        else:
            with pytest.raises(ClientError, match="Could not assume role"):
                sagemaker.create_training_job(**request)
