"""Roles and policies of the teams: trust, what is optional, sizes, warnings and outputs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aws_cdk.assertions import Annotations, Match

from stacks.building_blocks.policy_text import size_of
from stacks.deployment import add_stacks
from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, Resource, new_app, synthesise

HERE = {"Ref": "AWS::AccountId"}
KEY = "arn:aws:kms:eu-central-1:111122223333:key/00000000-0000-0000-0000-000000000009"
NETWORK = {"subnets": ["subnet-1"], "security_groups": ["sg-1"]}


def team_of(tmp_path: Path, **team: Any) -> Deployment:
    return synthesise(Settings.model_validate({"teams": {"vision": team}}), tmp_path)


def made(deployment: Deployment, part: str, kind: str) -> list[Resource]:
    """Resources of one type in a part of the access stack."""
    every = deployment.access["Resources"].items()
    return [item for name, item in every if name.startswith(part) and item["Type"] == kind]


def statements(policies: list[Resource]) -> dict[str, Mapping[str, Any]]:
    """The statements of policies, by name."""
    return {item["Sid"]: item for one in policies for item in one["Properties"]["PolicyDocument"]["Statement"]}


def role_statements(deployment: Deployment) -> dict[str, Mapping[str, Any]]:
    return statements(made(deployment, "TrainingRoles", "AWS::IAM::Policy"))


def people_statements(deployment: Deployment) -> dict[str, Mapping[str, Any]]:
    return statements(made(deployment, "DataScientistPolicies", "AWS::IAM::ManagedPolicy"))


def roles(deployment: Deployment) -> list[Resource]:
    return made(deployment, "TrainingRoles", "AWS::IAM::Role")


def test_without_teams_there_is_no_access_stack(tmp_path: Path) -> None:
    assert add_stacks(new_app(tmp_path), Settings()).access is None


@pytest.mark.case("WP-17")
def test_each_team_has_a_role_of_its_own_which_its_people_alone_may_pass(many_teams: Deployment) -> None:
    passed = [
        statement["Resource"]
        for policy in many_teams.properties("AWS::IAM::ManagedPolicy")
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Action"] == "iam:PassRole"
    ]
    assert len(passed) == len({json.dumps(resource) for resource in passed}) == 4
    assert len(roles(many_teams)) == 3


def test_a_training_role_lets_in_sagemaker_for_this_account_and_region_only(many_teams: Deployment) -> None:
    for role in roles(many_teams):
        trust = role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        for statement in trust:
            service = statement["Principal"]["Service"]
            assert statement["Condition"]["StringEquals"] == {"aws:SourceAccount": HERE}
            source = statement["Condition"]["ArnLike"]["aws:SourceArn"]["Fn::Join"][1]
            assert source[2] == f":{service.partition('.')[0]}:"
            assert source[3:] == [{"Ref": "AWS::Region"}, ":", HERE, ":*"]
    services = [{item["Principal"]["Service"] for item in role["Properties"]["AssumeRolePolicyDocument"]["Statement"]}
                for role in roles(many_teams)]  # fmt: skip
    assert sorted(map(len, services)) == [1, 1, 2]
    assert {"sagemaker.amazonaws.com", "ssm.amazonaws.com"} in services


def test_a_role_outlives_its_team_with_its_permissions(many_teams: Deployment) -> None:
    for name, item in many_teams.access["Resources"].items():
        assert (item.get("DeletionPolicy") == "Retain") is name.startswith("TrainingRoles")


def test_a_plain_team_has_only_what_every_job_needs(tmp_path: Path) -> None:
    needed = {"Logs", "Metrics", "ImageLogin", "Images", "ListOwn", "Checkpoints", "Artifacts", "Published"}
    assert set(role_statements(team_of(tmp_path))) == needed


@pytest.mark.parametrize(
    ("team", "added"),
    [
        ({"network": NETWORK}, {"AttachNetwork", "NetworkInterfaces", "NetworkReads"}),
        ({"keys": {"output": KEY}}, {"StorageKeys"}),
        ({"keys": {"data": [KEY]}}, {"DataKeys"}),
        ({"keys": {"volume": KEY}}, {"VolumeKey"}),
        ({"data": ["s3://example-data/images/"]}, {"Data1", "ListData1"}),
        ({"remote_access": "remote-debug"}, {"SsmChannels"}),
        ({"remote_access": "ssh-helper"}, {"PassToSsm", "TagActivation", "SsmAgent", "SsmInstance"}),
    ],
)
def test_each_choice_adds_its_own_permissions_and_no_others(
    tmp_path: Path, team: dict[str, Any], added: set[str]
) -> None:
    plain = set(role_statements(team_of(tmp_path / "plain")))
    assert set(role_statements(team_of(tmp_path / "chosen", **team))) - plain == added


@pytest.mark.case("IA-07")
def test_no_condition_stands_between_sagemaker_and_its_own_grant(tmp_path: Path) -> None:
    found = role_statements(team_of(tmp_path, keys={"volume": KEY, "output": KEY}))
    assert found["VolumeKey"] == {
        "Action": "kms:CreateGrant", "Effect": "Allow", "Resource": KEY, "Sid": "VolumeKey"
    }  # fmt: skip
    assert found["StorageKeys"]["Action"] == ["kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey"]
    assert "Condition" not in found["StorageKeys"]
    assert "GrantIsForAWSResource" not in json.dumps(found)


def test_data_is_read_under_its_prefix_and_nowhere_else(tmp_path: Path) -> None:
    found = role_statements(team_of(tmp_path, data=["s3://example-data/images/"]))
    assert found["Data1"]["Action"] == "s3:GetObject"
    assert found["Data1"]["Resource"]["Fn::Join"][1][-1] == ":s3:::example-data/images/*"
    assert found["ListData1"]["Condition"] == {"StringLike": {"s3:prefix": "images/*"}}


def test_a_whole_bucket_of_data_is_listed_without_naming_a_prefix(tmp_path: Path) -> None:
    assert "Condition" not in role_statements(team_of(tmp_path, data=["s3://example-data/"]))["ListData1"]


def test_a_role_that_exists_is_passed_and_left_alone(tmp_path: Path) -> None:
    arn = "arn:aws:iam::111122223333:role/train"
    deployment = team_of(tmp_path, role_arn=arn)
    assert roles(deployment) == []
    assert people_statements(deployment)["PassRole"]["Resource"] == arn


def test_the_bucket_default_keys_are_open_to_the_team_too(tmp_path: Path) -> None:
    settings = {"teams": {"vision": {}}, "storage": {"checkpoints": {"key_arn": KEY}}}
    deployment = synthesise(Settings.model_validate(settings), tmp_path)
    assert role_statements(deployment)["StorageKeys"]["Resource"] == KEY
    through = people_statements(deployment)["StorageKeys"]["Condition"]["StringEquals"]
    assert list(through) == ["kms:ViaService"]


@pytest.mark.case("WP-12")
@pytest.mark.parametrize(("longest", "warnings"), [("PT1H", 0), ("PT1H1S", 1), ("PT2H", 1)])
def test_a_keep_alive_limit_above_the_guides_hour_is_warned_of_and_taken(
    tmp_path: Path, longest: str, warnings: int
) -> None:
    app = new_app(tmp_path)
    access = add_stacks(app, Settings.model_validate({"teams": {"vision": {"limits": {"keep_alive": longest}}}})).access
    app.synth()
    assert access is not None
    found = Annotations.from_stack(access).find_warning("*", Match.string_like_regexp("teams.vision.limits.keep_alive"))
    assert len(found) == warnings


def test_a_policys_description_stays_since_another_one_would_be_a_policy_that_nobody_has(tmp_path: Path) -> None:
    found = made(team_of(tmp_path), "DataScientistPolicies", "AWS::IAM::ManagedPolicy")
    assert {item["Properties"]["Description"] for item in found} == {
        "What people of the team vision may do with training jobs, and within which limits",
        "Logs, checkpoints and artifacts of the team vision",
    }


def test_every_policy_fits_into_iams_limit_with_every_choice_made(many_teams: Deployment) -> None:
    sizes = [size_of(item["PolicyDocument"]) for item in many_teams.properties("AWS::IAM::ManagedPolicy")]
    assert len(sizes) == 8
    assert max(sizes) <= 6144


def test_a_policy_that_iam_would_refuse_is_an_error_at_synthesis(tmp_path: Path) -> None:
    types = [f"ml.g{number}.48xlarge" for number in range(150)]
    with pytest.raises(RuntimeError, match=r"the policy Jobs would have up to 6[0-9]{3} characters, IAM takes 6144"):
        team_of(tmp_path, limits={"instance_types": types})


def test_a_team_can_be_removed_since_nothing_of_it_is_exported(many_teams: Deployment, full: Deployment) -> None:
    for deployment in (many_teams, full):
        assert not [item for item in deployment.access["Outputs"].values() if "Export" in item]
        assert "access" not in json.dumps([deployment.foundation, deployment.operations]).replace("AccessLog", "")
    exports = [{item["Export"]["Name"] for item in one.foundation["Outputs"].values() if "Export" in item}
               for one in (many_teams, full)]  # fmt: skip
    assert exports[0] == exports[1]


def test_the_outputs_name_role_and_policies_of_each_team(full: Deployment) -> None:
    assert set(full.access["Outputs"]) == {"VisionRoleArn", "VisionJobsPolicyArn", "VisionFilesPolicyArn"}
