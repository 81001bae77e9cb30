"""Teams on the local AWS: the people of each, under a role with their team's policies and nothing else."""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from local.account import furnish
from local.laptop import Laptop
from local.sagemaker.conditions import create_keys
from local.sagemaker.simulator import Scope

CONFIG = Path(__file__).with_name("teams.yaml")
FOUNDATION, ACCESS = "trainops-foundation", "trainops-access"
REFUSED = frozenset({"AccessDenied", "AccessDeniedException", "AuthorizationError", "UnauthorizedOperation", "403"})
KEYS = "arn:aws:kms:us-east-1:000000000000:key/00000000-0000-0000-0000-00000000000"
VISION: dict[str, Any] = {
    "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
    "VpcConfig": {"Subnets": ["subnet-0a", "subnet-0b"], "SecurityGroupIds": ["sg-0a"]},
    "OutputDataConfig": {"S3OutputPath": "s3://example-artifacts/vision/", "KmsKeyId": f"{KEYS}2"},
    "EnableInterContainerTrafficEncryption": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 86_400},
}
WITHIN: dict[str, dict[str, Any]] = {
    "vision": VISION,
    "language": {"StoppingCondition": {"MaxRuntimeInSeconds": 3_600}},
    "robotics": {"EnableNetworkIsolation": True},
}
"""What a job of each team needs to be within its limits."""


@dataclass(frozen=True)
class Teams:
    """The deployed access stack."""

    laptop: Laptop
    outputs: Mapping[str, str]
    physical: Mapping[str, str]

    @classmethod
    def deployed(cls, laptop: Laptop, config: Path = CONFIG) -> "Teams":
        """All stacks, and a role for the people of each team."""
        furnish(laptop)
        laptop.control.enforce_quotas(on=False)  # what IAM refuses is looked at, not what an account may use
        laptop.deploy(config=config)
        cloudformation = laptop.client("cloudformation")
        outputs, physical = dict[str, str](), dict[str, str]()
        for stack in (FOUNDATION, "trainops-operations", ACCESS):
            [found] = cloudformation.describe_stacks(StackName=stack)["Stacks"]
            outputs |= {item["OutputKey"]: item["OutputValue"] for item in found.get("Outputs", [])}
            resources = cloudformation.describe_stack_resources(StackName=stack)["StackResources"]
            physical |= {item["LogicalResourceId"]: item["PhysicalResourceId"] for item in resources}
        teams = cls(laptop, outputs, physical)
        for team in WITHIN:
            teams._people(team)
        return teams

    def _people(self, team: str) -> None:
        iam = self.laptop.client("iam")
        trust = {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{self.laptop.account}:root"}}
        document = {"Version": "2012-10-17", "Statement": [{**trust, "Action": "sts:AssumeRole"}]}
        iam.create_role(RoleName=f"people-{team}", AssumeRolePolicyDocument=json.dumps(document))
        for kind in ("Jobs", "Files"):
            iam.attach_role_policy(RoleName=f"people-{team}", PolicyArn=self.policy(team, kind))

    def policy(self, team: str, kind: str = "Jobs") -> str:
        """The ARN of one of a team's policies."""
        return self.outputs[f"{team.capitalize()}{kind}PolicyArn"]

    def role(self, team: str) -> str:
        """The ARN of the role of a team's jobs."""
        return self.outputs[f"{team.capitalize()}RoleArn"]

    def people(self, team: str) -> str:
        """The ARN of the role of a team's people."""
        return f"arn:aws:iam::{self.laptop.account}:role/people-{team}"

    def named(self, start: str) -> str:
        """The physical name of the one resource whose logical ID is `start` and CDK's hash of eight digits."""
        [found] = [value for key, value in self.physical.items() if key[:-8] == start]
        return found

    def job(self, team: str, name: str, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A request within the team's limits but for the changes; a dot leads into a member, None removes one."""
        request: dict[str, Any] = {
            "TrainingJobName": name,
            "RoleArn": self.role(team),
            "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
            "OutputDataConfig": {"S3OutputPath": f"s3://example-artifacts/{team}/"},
            "ResourceConfig": {"InstanceType": "ml.m5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
            "StoppingCondition": {"MaxRuntimeInSeconds": 3_600},
            "Tags": tags(team=team, owner="on-call"),
            **deepcopy(WITHIN[team]),
        }
        for path, value in (changes or {}).items():
            _change(request, path.split("."), value)
        return request

    def attempt(self, team: str, service: str, operation: str, **request: Any) -> str:
        """What a person of the team is answered: OK, or the error's code."""
        return answer(self.laptop.as_role(self.people(team), service), operation, **request)

    def simulated(
        self, team: str, action: str, resource: str, context: Mapping[str, Any], *, principal: str | None = None
    ) -> tuple[str, str]:
        """SimulatePrincipalPolicy's decision for the team's people, or another principal, and whose statement it is."""
        found = self.laptop.client("iam").simulate_principal_policy(
            PolicySourceArn=principal or self.people(team),
            ActionNames=[action],
            ResourceArns=[resource],
            ContextEntries=[_entry(key, value) for key, value in context.items()],
        )
        [result] = found["EvaluationResults"]
        matched = [item["SourcePolicyId"] for item in result["MatchedStatements"]]
        return result["EvalDecision"], "".join(matched)

    def simulated_creation(self, team: str, request: Mapping[str, Any]) -> tuple[str, str]:
        """SimulatePrincipalPolicy for what SageMaker asks about a request."""
        keys = create_keys(request, Scope(self.laptop.account, self.laptop.region))
        return self.simulated(team, "sagemaker:CreateTrainingJob", self.arn(request["TrainingJobName"]), keys)

    def arn(self, name: str) -> str:
        """A training job's ARN."""
        return f"arn:aws:sagemaker:{self.laptop.region}:{self.laptop.account}:training-job/{name}"


def tags(**pairs: str) -> list[dict[str, str]]:
    """A TagList."""
    return [{"Key": key, "Value": value} for key, value in pairs.items()]


def answer(client: Any, operation: str, **request: Any) -> str:
    """OK, or the code of the error."""
    try:
        getattr(client, operation)(**request)
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    return "OK"


def _change(request: dict[str, Any], path: list[str], value: Any) -> None:
    *inner, last = path
    for name in inner:
        request = request[name]
    if value is None:
        request.pop(last)
    else:
        request[last] = value


def _entry(key: str, value: Any) -> dict[str, Any]:
    several = isinstance(value, list)
    kind = "stringList" if several else "string"
    return {"ContextKeyName": key, "ContextKeyValues": value if several else [str(value)], "ContextKeyType": kind}
