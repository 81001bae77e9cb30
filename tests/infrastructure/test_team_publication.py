"""What each team finds in its parameter and in its part of the artifact bucket, and how it gets there."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, synthesise
from tests.infrastructure.test_permissions import as_list

ROLE = "arn:aws:iam::111122223333:role/vision-training"
KEY = "arn:aws:kms:eu-central-1:111122223333:key/00000000-0000-0000-0000-000000000003"


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    settings = Settings.model_validate({"name": "blue", "teams": {"vision": {}, "speech": {"role_arn": ROLE}}})
    return synthesise(settings, tmp_path_factory.mktemp("two"))


def published(deployment: Deployment) -> Mapping[str, Any]:
    (found,) = deployment.resources("Custom::TeamPublication").values()
    return found


def test_each_team_has_a_parameter_and_three_documents_in_its_own_prefix(two: Deployment) -> None:
    assert deployment_parameters(two) >= {"/blue/teams/vision", "/blue/teams/speech"}
    properties = published(two)["Properties"]
    assert set(properties["Kept"]) == {
        f"{team}/trainops/{name}" for team in ("vision", "speech") for name in ("team.json", "sagemaker-config.yaml")
    }
    assert set(properties["Begun"]) == {f"{team}/trainops/recommendations.json" for team in ("vision", "speech")}


def deployment_parameters(deployment: Deployment) -> set[str]:
    return {item["Name"] for item in deployment.properties("AWS::SSM::Parameter")}


@pytest.mark.case("NO-04")
def test_two_teams_share_one_set_of_rules_and_nothing_is_made_per_job(two: Deployment, empty: Deployment) -> None:
    for kind in ("AWS::Events::Rule", "AWS::SNS::Topic", "AWS::SNS::Subscription"):
        assert two.resources(kind).keys() == empty.resources(kind).keys()
    makes_rules = {"events:PutRule", "events:PutTargets", "sns:CreateTopic", "sns:Subscribe"}
    for function in two.functions():
        name = function["Handler"].split(".")[1]
        assert not makes_rules & {action for item in two.statements(name) for action in as_list(item["Action"])}


def test_a_role_that_exists_is_published_as_it_is_and_one_that_is_made_by_its_arn(two: Deployment) -> None:
    kept = published(two)["Properties"]["Kept"]
    assert ROLE in json.dumps(kept["speech/trainops/team.json"])
    assert "TrainingRolesvision" in json.dumps(kept["vision/trainops/team.json"])


@pytest.mark.case("CD-01")
def test_what_the_function_needs_outlives_the_resource_when_the_stack_goes(two: Deployment) -> None:
    """Everything it depends on is deleted after it: both functions with their roles, policies and logs."""
    waits_for = set(published(two)["DependsOn"])
    needed = {
        name: item["Type"]
        for name, item in two.resources().items()
        if name.startswith("TeamPublication")
        and item["Type"] in {"AWS::IAM::Policy", "AWS::IAM::Role", "AWS::Lambda::Function", "AWS::Logs::LogGroup"}
    }
    assert sorted(needed.values()) == sorted(
        ["AWS::IAM::Policy", "AWS::IAM::Role", "AWS::Lambda::Function", "AWS::Logs::LogGroup"] * 2
    )
    assert set(needed) <= waits_for


@pytest.mark.case("CD-16")
def test_cloudformation_waits_minutes_and_the_framework_answers_for_a_function_that_cannot(two: Deployment) -> None:
    resource = published(two)
    assert int(resource["Properties"]["ServiceTimeout"]) == 300
    assert two.function("team_publication")["Timeout"] == 60
    framework = two.resources()[two.target(resource["Properties"]["ServiceToken"])]["Properties"]
    assert framework["Handler"] == "framework.onEvent"
    assert list(framework["Environment"]["Variables"]) == ["USER_ON_EVENT_FUNCTION_ARN"]


def test_the_framework_may_call_this_function_and_nothing_else(two: Deployment) -> None:
    framework = next(item for item in two.properties("AWS::Lambda::Function") if item["Handler"] == "framework.onEvent")
    role = two.target(framework["Role"])
    [policy] = [
        item for item in two.properties("AWS::IAM::Policy") if role in {two.target(name) for name in item["Roles"]}
    ]
    logging, calling = policy["PolicyDocument"]["Statement"]
    assert calling["Action"] == ["lambda:GetFunction", "lambda:InvokeFunction"]
    assert calling["Resource"]["Fn::GetAtt"][1] == "Arn"
    assert logging["Action"] == ["logs:CreateLogStream", "logs:PutLogEvents"]


def test_with_a_key_of_the_bucket_the_function_may_use_that_key(tmp_path: Path) -> None:
    settings = {"teams": {"vision": {}}, "storage": {"artifacts": {"key_arn": KEY}}}
    deployment = synthesise(Settings.model_validate(settings), tmp_path)
    [statement] = [item for item in deployment.statements("team_publication") if "kms" in str(item["Action"])]
    assert (statement["Action"], statement["Resource"]) == ("kms:GenerateDataKey", KEY)


def test_facts_that_no_parameter_can_hold_are_refused_at_synthesis(tmp_path: Path) -> None:
    many = [f"s3://example-data/{number:060d}/" for number in range(60)]
    with pytest.raises(RuntimeError, match="an SSM parameter takes 4096"):
        synthesise(Settings.model_validate({"teams": {"vision": {"data": many}}}), tmp_path)
