"""What a policy can ask of a call: the ARN and the condition keys of the Service Authorization Reference."""

from typing import Any

import pytest

from local.sagemaker import conditions
from local.sagemaker.simulator import Scope
from tests.local.simulator.bench import Bench, Everyone, create_request, pool_request

SCOPE = Scope("123456789012", "eu-central-1")
ARN = "arn:aws:sagemaker:eu-central-1:123456789012:training-job/job-1"
KEY = "arn:aws:kms:eu-central-1:123456789012:key/1234abcd"
ALWAYS = {
    "sagemaker:InstanceTypes": ["ml.g5.xlarge"],
    "sagemaker:MaxRuntimeInSeconds": "3600",
    "sagemaker:NetworkIsolation": "false",
    "sagemaker:InterContainerTrafficEncryption": "false",
}


def file_system(number: int) -> dict[str, Any]:
    source = {
        "FileSystemId": f"fs-{number:017}",
        "FileSystemAccessMode": "ro",
        "FileSystemType": "EFS",
        "DirectoryPath": f"/{number}",
    }
    return {"ChannelName": f"c{number}", "DataSource": {"FileSystemDataSource": source}}


def test_a_plain_job_has_only_the_keys_that_its_request_fills() -> None:
    assert conditions.create_keys(create_request(), SCOPE) == ALWAYS


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (pool_request(keep_alive=900), {"sagemaker:KeepAlivePeriod": "900"}),
        (pool_request(keep_alive=0), {"sagemaker:KeepAlivePeriod": "0"}),
        (create_request(EnableNetworkIsolation=True), {"sagemaker:NetworkIsolation": "true"}),
        (
            create_request(EnableInterContainerTrafficEncryption=True),
            {"sagemaker:InterContainerTrafficEncryption": "true"},
        ),
        (create_request(RemoteDebugConfig={"EnableRemoteDebug": True}), {"sagemaker:EnableRemoteDebug": "true"}),
        (create_request(RemoteDebugConfig={"EnableRemoteDebug": False}), {"sagemaker:EnableRemoteDebug": "false"}),
        (
            create_request(VpcConfig={"Subnets": ["subnet-1", "subnet-2"], "SecurityGroupIds": ["sg-1"]}),
            {"sagemaker:VpcSubnets": ["subnet-1", "subnet-2"], "sagemaker:VpcSecurityGroupIds": ["sg-1"]},
        ),
        (
            create_request(OutputDataConfig={"S3OutputPath": "s3://b/o", "KmsKeyId": KEY}),
            {"sagemaker:OutputKmsKey": KEY, "sagemaker:OutputKmsKeyArn": KEY},
        ),
        (
            create_request(ResourceConfig={**create_request()["ResourceConfig"], "VolumeKmsKeyId": "1234abcd"}),
            {"sagemaker:VolumeKmsKey": KEY, "sagemaker:VolumeKmsKeyArn": KEY},
        ),
        (
            create_request(
                ResourceConfig={
                    "VolumeSizeInGB": 1,
                    "InstanceGroups": [{"InstanceType": "ml.m5.large"}, {"InstanceType": "ml.p4d.24xlarge"}],
                }
            ),
            {"sagemaker:InstanceTypes": ["ml.m5.large", "ml.p4d.24xlarge"]},
        ),
        (
            create_request(Tags=[{"Key": "team", "Value": "vision"}, {"Key": "cost", "Value": ""}]),
            {"aws:RequestTag/team": "vision", "aws:RequestTag/cost": "", "aws:TagKeys": ["team", "cost"]},
        ),
        (
            create_request(InputDataConfig=[file_system(1)]),
            {
                "sagemaker:FileSystemId": f"fs-{1:017}",
                "sagemaker:FileSystemAccessMode": "ro",
                "sagemaker:FileSystemType": "EFS",
                "sagemaker:FileSystemDirectoryPath": "/1",
            },
        ),
    ],
)
def test_a_member_of_the_request_fills_its_key(request_: dict[str, Any], expected: dict[str, Any]) -> None:
    assert conditions.create_keys(request_, SCOPE) == {**ALWAYS, **expected}


def test_several_file_systems_are_several_values() -> None:
    found = conditions.create_keys(create_request(InputDataConfig=[file_system(1), file_system(2)]), SCOPE)
    assert found["sagemaker:FileSystemDirectoryPath"] == ["/1", "/2"]


def test_an_alias_and_a_key_of_another_partition_are_arns_too() -> None:
    request = create_request(OutputDataConfig={"S3OutputPath": "s3://b/o", "KmsKeyId": "alias/mine"})
    found = conditions.create_keys(request, Scope("123456789012", "cn-north-1"))
    assert found["sagemaker:OutputKmsKeyArn"] == "arn:aws-cn:kms:cn-north-1:123456789012:alias/mine"


def test_spot_and_the_number_of_instances_have_no_key() -> None:
    spot = create_request(EnableManagedSpotTraining=True, CheckpointConfig={"S3Uri": "s3://b/c/"})
    assert conditions.create_keys(spot, SCOPE) == ALWAYS


def test_tags_at_creation_are_an_add_tags_that_says_whose() -> None:
    caller = Everyone()
    Bench(caller).call("CreateTrainingJob", **create_request(Tags=[{"Key": "team", "Value": "vision"}]))
    keys = {"aws:RequestTag/team": "vision", "aws:TagKeys": ["team"]}
    assert caller.asked[1] == ("sagemaker:AddTags", ARN, {**keys, "sagemaker:TaggingAction": "CreateTrainingJob"})


def test_tags_added_later_name_no_tagging_action() -> None:
    caller = Everyone()
    bench = Bench(caller)
    bench.call("CreateTrainingJob", **create_request(Tags=[{"Key": "team", "Value": "vision"}]))
    bench.call("AddTags", ResourceArn=ARN, Tags=[{"Key": "team", "Value": "speech"}])
    requested = {"aws:RequestTag/team": "speech", "aws:TagKeys": ["team"]}
    existing = {"aws:ResourceTag/team": "vision", "sagemaker:ResourceTag/team": "vision"}
    assert caller.asked[-1] == ("sagemaker:AddTags", ARN, {**requested, **existing})


@pytest.mark.parametrize(
    ("operation", "request_", "keys"),
    [
        ("DescribeTrainingJob", {"TrainingJobName": "job-1"}, {}),
        ("StopTrainingJob", {"TrainingJobName": "job-1"}, {}),
        ("ListTags", {"ResourceArn": ARN}, {}),
        ("DeleteTags", {"ResourceArn": ARN, "TagKeys": ["a", "b"]}, {"aws:TagKeys": ["a", "b"]}),
    ],
)
def test_a_call_on_a_job_is_evaluated_on_its_arn_with_its_tags(
    operation: str, request_: dict[str, Any], keys: dict[str, Any]
) -> None:
    caller = Everyone()
    bench = Bench(caller)
    bench.call("CreateTrainingJob", **create_request(Tags=[{"Key": "team", "Value": "vision"}]))
    bench.call(operation, **request_)
    existing = {"aws:ResourceTag/team": "vision", "sagemaker:ResourceTag/team": "vision"}
    assert caller.asked[-1] == (f"sagemaker:{operation}", ARN, {**keys, **existing})


def test_an_update_says_the_new_period() -> None:
    caller = Everyone()
    bench = Bench(caller)
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(800)
    bench.call("UpdateTrainingJob", TrainingJobName="job-1", ResourceConfig={"KeepAlivePeriodInSeconds": 1800})
    assert caller.asked[-1] == ("sagemaker:UpdateTrainingJob", ARN, {"sagemaker:KeepAlivePeriod": "1800"})


def test_a_list_is_evaluated_on_everything() -> None:
    caller = Everyone()
    Bench(caller).call("ListTrainingJobs", NameContains="job")
    assert caller.asked == [("sagemaker:ListTrainingJobs", "*", {})]


def test_the_role_is_passed_to_sagemaker_for_that_job() -> None:
    caller = Everyone()
    Bench(caller).call("CreateTrainingJob", **create_request())
    expected = {"iam:PassedToService": "sagemaker.amazonaws.com", "iam:AssociatedResourceArn": ARN}
    assert caller.asked[-1] == ("iam:PassRole", create_request()["RoleArn"], expected)
