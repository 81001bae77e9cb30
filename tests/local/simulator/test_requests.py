"""Requests are authorised on real ARNs and refused with AWS's codes; answers fit botocore's model."""

from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.model import check_response
from tests.local.simulator.bench import ROLE, Bench, Everyone, code_of, create_request, pool_request, spot_request

ARN = "arn:aws:sagemaker:eu-central-1:123456789012:training-job/job-1"


def preferred(per_type: int | None = None, **changes: Any) -> dict[str, Any]:
    """ResourceConfig with a choice of two types; the number of instances is that of the job unless it is changed."""
    types = [{"InstanceType": name} for name in ("ml.g5.xlarge", "ml.g6.xlarge")]
    choice = [one if per_type is None else {**one, "InstanceCount": per_type} for one in types]
    members = {"InstancePreferences": choice, "InstanceCount": 2, "VolumeSizeInGB": 1, **changes}
    return {name: value for name, value in members.items() if value is not None}


@pytest.mark.parametrize(
    "request_",
    [
        create_request(name="under_score"),
        create_request(name="x" * 64),
        create_request(RoleArn=None),
        create_request(ResourceConfig={"InstanceType": "ml.unheard.of", "InstanceCount": 1, "VolumeSizeInGB": 1}),
        create_request(HyperParameters={f"key-{n}": "value" for n in range(101)}),
        create_request(StoppingCondition={"MaxRuntimeInSeconds": 28 * 86_400 + 1}),
        create_request(StoppingCondition={"MaxRuntimeInSeconds": 60, "MaxWaitTimeInSeconds": 60}),
        create_request(EnableManagedSpotTraining=True),
        spot_request(max_wait=3599),
        pool_request(keep_alive=21_601),
        pool_request(EnableManagedSpotTraining=True),
        create_request(Tags=[{"Key": "aws:owner", "Value": "x"}]),
        create_request(ResourceConfig=preferred(InstanceType="ml.m5.large")),
        create_request(ResourceConfig=preferred(), EnableManagedSpotTraining=True),
        create_request(ResourceConfig=preferred(InstanceCount=None)),
        create_request(ResourceConfig=preferred(per_type=1)),
        create_request(ResourceConfig={**create_request()["ResourceConfig"], "VolumeKmsKeyId": "key"}),
    ],
)
def test_a_wrong_request_is_a_validation_exception(request_: dict[str, Any]) -> None:
    with pytest.raises(ServiceError) as caught:
        Bench().call("CreateTrainingJob", **request_)
    assert code_of(caught.value) == "ValidationException"


@pytest.mark.parametrize(("resources", "count"), [(preferred(), 2), (preferred(per_type=3, InstanceCount=None), 3)])
def test_the_preferred_instance_type_is_shown_once_the_job_started(resources: dict[str, Any], count: int) -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **create_request(ResourceConfig=resources))
    assert "SelectedInstanceType" not in bench.describe()["ResourceConfig"]
    bench.pass_time(120)
    found = bench.describe()["ResourceConfig"]
    assert (found["SelectedInstanceType"], found["SelectedInstanceCount"]) == ("ml.g5.xlarge", count)


def test_a_job_without_instances_is_refused_and_not_run_on_some() -> None:
    serverless = {
        "BaseModelArn": "arn:aws:sagemaker:eu-central-1:aws:hub-content/hub/Model/m/1.0.0",
        "JobType": "FineTuning",
    }
    with pytest.raises(ServiceError, match="ServerlessJobConfig is not simulated"):
        Bench().call("CreateTrainingJob", **create_request(ServerlessJobConfig=serverless))


def test_an_update_of_more_than_the_keep_alive_period_is_refused_and_not_ignored() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request())
    with pytest.raises(ServiceError, match="RemoteDebugConfig is not simulated"):
        bench.call("UpdateTrainingJob", TrainingJobName="job-1", RemoteDebugConfig={"EnableRemoteDebug": True})


def test_a_name_in_use_is_refused() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **create_request())
    with pytest.raises(ServiceError) as caught:
        bench.call("CreateTrainingJob", **create_request())
    assert code_of(caught.value) == "ResourceInUse"


@pytest.mark.parametrize("operation", ["DescribeTrainingJob", "StopTrainingJob", "DeleteTrainingJob"])
def test_an_unknown_job_is_not_found(operation: str) -> None:
    with pytest.raises(ServiceError) as caught:
        Bench().call(operation, TrainingJobName="nobody")
    assert code_of(caught.value) == "ResourceNotFound"


def test_creating_a_job_is_evaluated_on_the_job_its_tags_and_the_role() -> None:
    caller = Everyone()
    bench = Bench(caller)
    bench.call("CreateTrainingJob", **pool_request(Tags=[{"Key": "team", "Value": "vision"}]))
    assert [asked[:2] for asked in caller.asked] == [
        ("sagemaker:CreateTrainingJob", ARN),
        ("sagemaker:AddTags", ARN),
        ("iam:PassRole", ROLE),
    ]
    keys = caller.asked[0][2]
    assert keys["sagemaker:KeepAlivePeriod"] == "600"
    assert keys["sagemaker:InstanceTypes"] == ["ml.g5.xlarge"]
    assert keys["aws:RequestTag/team"] == "vision"
    assert caller.asked[2][2]["iam:PassedToService"] == "sagemaker.amazonaws.com"


def test_a_job_without_keep_alive_has_no_keep_alive_key() -> None:
    caller = Everyone()
    Bench(caller).call("CreateTrainingJob", **create_request())
    assert "sagemaker:KeepAlivePeriod" not in caller.asked[0][2]


@pytest.mark.parametrize("denied", ["sagemaker:CreateTrainingJob", "iam:PassRole"])
def test_a_denied_job_is_not_created(denied: str) -> None:
    bench = Bench(Everyone(denied=frozenset({denied})))
    with pytest.raises(ServiceError) as caught:
        bench.call("CreateTrainingJob", **create_request())
    assert code_of(caught.value) == "AccessDeniedException"
    assert bench.simulator.jobs(bench.caller.scope) == []


def test_a_role_that_sagemaker_cannot_assume_is_refused() -> None:
    with pytest.raises(ServiceError, match="Could not assume role"):
        Bench(Everyone(trusted=False)).call("CreateTrainingJob", **create_request())


def test_tags_are_added_replaced_and_listed() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **create_request(Tags=[{"Key": "team", "Value": "vision"}]))
    bench.call(
        "AddTags",
        ResourceArn=ARN,
        Tags=[{"Key": "team", "Value": "speech"}, {"Key": "owner", "Value": "speech-oncall"}],
    )
    found = bench.call("ListTags", ResourceArn=ARN)["Tags"]
    assert found == [{"Key": "team", "Value": "speech"}, {"Key": "owner", "Value": "speech-oncall"}]


def test_an_operation_that_is_not_simulated_says_so() -> None:
    with pytest.raises(ServiceError, match="CreateEndpoint is not simulated"):
        Bench().call("CreateEndpoint")


def test_an_answer_that_aws_would_never_give_fails_loudly() -> None:
    with pytest.raises(AssertionError):
        check_response("DescribeTrainingJob", {"TrainingJobName": "job-1"})
