"""A team's own limits, read from what its deployment publishes."""

from typing import Any

import pytest

from tests.team_facts import KEY, ROLE, document, facts
from trainops.domain.request_checks import check_request
from trainops.domain.team_facts import TeamFacts, UnreadableFacts


def request(*, resources: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A request that the team may make, with changes; None removes a member."""
    whole = {
        "TrainingJobName": "detector-1",
        "RoleArn": ROLE,
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "OutputDataConfig": {"S3OutputPath": "s3://artifacts/vision/detector/", "KmsKeyId": KEY},
        "CheckpointConfig": {"S3Uri": "s3://checkpoints/vision/detector/"},
        "ResourceConfig": {
            "InstanceType": "ml.m5.xlarge",
            "InstanceCount": 1,
            "VolumeSizeInGB": 30,
            "VolumeKmsKeyId": KEY,
            **(resources or {}),
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": 7200},
        "VpcConfig": {"Subnets": ["subnet-2", "subnet-1"], "SecurityGroupIds": ["sg-1"]},
        "EnableInterContainerTrafficEncryption": True,
        "Tags": [{"Key": "team", "Value": "vision"}, {"Key": "owner", "Value": "vision-oncall"}],
        **changes,
    }
    return {name: value for name, value in whole.items() if value is not None}


def rules(members: dict[str, Any], **changed_facts: Any) -> list[str]:
    """The rules that have something to say."""
    return [finding.rule for finding in check_request(members, facts(**changed_facts))]


def test_a_request_within_the_limits_has_no_findings() -> None:
    assert rules(request()) == []


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"resources": {"KeepAlivePeriodInSeconds": 1801}}, "keep-alive-over-team-limit"),
        ({"StoppingCondition": {"MaxRuntimeInSeconds": 172_801}}, "max-run-over-team-limit"),
        ({"resources": {"InstanceType": "ml.m5.2xlarge"}}, "instance-type-not-allowed"),
        ({"RoleArn": "arn:aws:iam::111122223333:role/other"}, "role-of-another-team"),
        ({"CheckpointConfig": {"S3Uri": "s3://checkpoints/speech/x/"}}, "place-outside-team"),
        ({"CheckpointConfig": {"S3Uri": "s3://checkpoints/vision/"}}, "checkpoint-of-whole-team"),
        ({"OutputDataConfig": {"S3OutputPath": "s3://artifacts/vision2/", "KmsKeyId": KEY}}, "place-outside-team"),
        ({"VpcConfig": {"Subnets": ["subnet-1", "subnet-9"], "SecurityGroupIds": ["sg-1"]}}, "network-of-another-team"),
        ({"EnableInterContainerTrafficEncryption": None}, "protection-missing"),
        ({"RemoteDebugConfig": {"EnableRemoteDebug": True}}, "remote-debug-not-allowed"),
        ({"OutputDataConfig": {"S3OutputPath": "s3://artifacts/vision/"}}, "key-of-team-missing"),
        ({"resources": {"VolumeKmsKeyId": "alias/another"}}, "key-of-team-missing"),
        ({"Tags": [{"Key": "team", "Value": "vision"}]}, "tag-missing"),
        ({"Tags": [{"Key": "team", "Value": "vision"}, {"Key": "owner", "Value": ""}]}, "tag-missing"),
        ({"Tags": [{"Key": "team", "Value": "speech"}, {"Key": "owner", "Value": "x"}]}, "tag-of-another-team"),
    ],
)
def test_each_limit_is_explained_by_its_own_rule(changes: dict[str, Any], rule: str) -> None:
    assert rules(request(**changes)) == [rule]


def test_at_the_limit_is_within_it() -> None:
    at_the_limit = {
        "resources": {"KeepAlivePeriodInSeconds": 1800},
        "StoppingCondition": {"MaxRuntimeInSeconds": 172_800},
    }
    assert rules(request(**at_the_limit)) == []


def test_a_day_counts_against_the_team_when_no_runtime_is_stated() -> None:
    limits = {**document()["limits"], "runtime_seconds": 3600}
    assert "max-run-over-team-limit" in rules(request(StoppingCondition={}), limits=limits)


def test_without_a_network_both_halves_are_asked_for() -> None:
    found = check_request(request(VpcConfig=None), facts())
    assert [finding.path for finding in found] == ["VpcConfig.Subnets", "VpcConfig.SecurityGroupIds"]
    assert "subnet-1" in found[0].remedy


def test_types_with_storage_of_their_own_need_no_volume_key() -> None:
    members = request(resources={"InstanceType": "ml.g5.xlarge"})
    del members["ResourceConfig"]["VolumeKmsKeyId"]
    assert rules(members) == []


def test_a_team_without_network_keys_or_types_is_free_in_them() -> None:
    free = request(VpcConfig=None, resources={"InstanceType": "ml.p5.48xlarge", "VolumeKmsKeyId": None})
    free["OutputDataConfig"].pop("KmsKeyId")
    limits = {**document()["limits"], "instance_types": []}
    assert rules(free, network=None, keys={"volume": None, "output": None}, limits=limits) == []


def test_the_tags_of_a_tuning_job_are_the_tuning_jobs() -> None:
    definition = request(Tags=None, TrainingJobName=None)
    tuning = {"HyperParameterTuningJobName": "tune", "TrainingJobDefinition": definition, "Tags": request()["Tags"]}
    assert rules(tuning) == []
    assert rules({**tuning, "Tags": []}) == ["tag-missing", "tag-missing"]


@pytest.mark.parametrize("broken", [None, [], {"version": 2}, {**document(), "version": "1"}])
def test_another_version_is_said(broken: Any) -> None:
    with pytest.raises(UnreadableFacts, match="version 1"):
        TeamFacts.from_document(broken)


def test_a_missing_member_is_named() -> None:
    lacking = document()
    del lacking["limits"]["runtime_seconds"]
    with pytest.raises(UnreadableFacts, match="runtime_seconds"):
        TeamFacts.from_document(lacking)


def test_members_that_came_later_are_ignored() -> None:
    assert facts(later={"x": 1}) == facts()
