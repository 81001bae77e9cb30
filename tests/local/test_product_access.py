"""The life of a deployment with teams: one is removed while its job runs, then everything is destroyed."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from botocore.exceptions import ClientError

from local.laptop import Laptop
from local.reading import slack_text
from local.waiting import until
from tests.local.teams import CONFIG, REFUSED, Teams

pytestmark = pytest.mark.local
STACKS = ("trainops-foundation", "trainops-operations", "trainops-access")


@dataclass(frozen=True)
class Resource:
    kind: str
    name: str
    retained: bool


@pytest.fixture(scope="module")
def alone() -> Iterator[Teams]:
    """An account of its own, since everything in it is destroyed."""
    with Laptop() as running:
        running.bootstrap()
        yield Teams.deployed(running)


def without(team: str, folder: Path) -> Path:
    """The settings without one team."""
    settings = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
    del settings["teams"][team]
    file = folder / "fewer.yaml"
    file.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return file


def detach(teams: Teams, *people: str) -> None:
    """IAM deletes no policy that is attached (docs/runbook.md, Remove a team)."""
    iam = teams.laptop.client("iam")
    for name in people:
        for kind in ("Jobs", "Files"):
            iam.detach_role_policy(RoleName=f"people-{name}", PolicyArn=teams.policy(name, kind))


def inline_policies(laptop: Laptop, role: str) -> list[str]:
    return list(laptop.client("iam").list_role_policies(RoleName=role)["PolicyNames"])


def test_a_team_is_removed_while_its_job_runs_and_the_job_ends_well(alone: Teams, tmp_path: Path) -> None:
    laptop, role = alone.laptop, alone.role("language").rpartition("/")[2]
    laptop.control.plan("last-job", training_seconds=3000)
    job = alone.job("language", "last-job")
    assert alone.attempt("language", "sagemaker", "create_training_job", **job) == "OK"
    laptop.control.advance(timedelta(minutes=10))
    detach(alone, "language")
    laptop.deploy(config=without("language", tmp_path))

    [access] = laptop.client("cloudformation").describe_stacks(StackName="trainops-access")["Stacks"]
    outputs = {item["OutputKey"] for item in access["Outputs"]}
    assert not [name for name in outputs if name.startswith("Language")]
    assert len(inline_policies(laptop, role)) == 1, "SageMaker still needs the role to write the result"
    stop = {"TrainingJobName": "last-job"}
    assert alone.attempt("language", "sagemaker", "stop_training_job", **stop) in REFUSED
    assert alone.attempt("vision", "sagemaker", "create_training_job", **alone.job("vision", "goes-on")) == "OK"

    laptop.control.advance(timedelta(hours=2))
    assert laptop.client("sagemaker").describe_training_job(**stop)["TrainingJobStatus"] == "Completed"
    until(lambda: [m for m in laptop.slack.messages if "last-job completed" in slack_text(m.body)], "its message")


def test_what_is_retained_outlives_the_deployment_and_nothing_else_does(alone: Teams) -> None:
    laptop = alone.laptop
    every = [resource for stack in STACKS for resource in resources(laptop, stack)]
    exists = existing(laptop)
    looked_at = [resource for resource in every if resource.kind in exists]
    assert {resource.kind for resource in looked_at} == set(exists)
    assert [resource for resource in looked_at if not exists[resource.kind](resource.name)] == []
    detach(alone, "vision", "robotics")
    laptop.destroy()

    live = [stack["StackName"] for stack in laptop.client("cloudformation").describe_stacks()["Stacks"]]
    assert live == ["CDKToolkit"]
    assert [one for one in looked_at if exists[one.kind](one.name) is not one.retained] == []
    assert inline_policies(laptop, alone.role("vision").rpartition("/")[2])
    kept = {resource.kind for resource in looked_at if resource.retained}
    assert kept == {f"AWS::{kind}" for kind in ("DynamoDB::Table", "IAM::Role", "S3::Bucket", "SQS::Queue")}


def resources(laptop: Laptop, stack: str) -> list[Resource]:
    """What a stack has made, and whether its template says that it is kept."""
    cloudformation = laptop.client("cloudformation")
    body = cloudformation.get_template(StackName=stack)["TemplateBody"]
    template: Mapping[str, Any] = body if isinstance(body, dict) else json.loads(body)
    return [
        Resource(
            item["ResourceType"],
            item["PhysicalResourceId"],
            template["Resources"][item["LogicalResourceId"]].get("DeletionPolicy") == "Retain",
        )
        for item in cloudformation.describe_stack_resources(StackName=stack)["StackResources"]
    ]


def existing(laptop: Laptop) -> dict[str, Callable[[str], bool]]:
    """How to see whether a resource of a type is there."""

    def found(service: str, operation: str, member: str) -> Callable[[str], bool]:
        def look(name: str) -> bool:
            try:
                getattr(laptop.client(service), operation)(**{member: name})
            except ClientError:
                return False
            return True

        return look

    def log_group(name: str) -> bool:
        groups = laptop.client("logs").describe_log_groups(logGroupNamePrefix=name)["logGroups"]
        return name in [group["logGroupName"] for group in groups]

    return {
        "AWS::DynamoDB::Table": found("dynamodb", "describe_table", "TableName"),
        "AWS::Events::EventBus": found("events", "describe_event_bus", "Name"),
        "AWS::IAM::ManagedPolicy": found("iam", "get_policy", "PolicyArn"),
        "AWS::IAM::Role": found("iam", "get_role", "RoleName"),
        "AWS::Lambda::Function": found("lambda", "get_function", "FunctionName"),
        "AWS::Logs::LogGroup": log_group,
        "AWS::S3::Bucket": found("s3", "head_bucket", "Bucket"),
        "AWS::SNS::Topic": found("sns", "get_topic_attributes", "TopicArn"),
        "AWS::SQS::Queue": found("sqs", "get_queue_attributes", "QueueUrl"),
        "AWS::SSM::Parameter": found("ssm", "get_parameter", "Name"),
    }
