"""Requests about tuning jobs: authorised on their ARNs, refused with AWS's codes, listed and tagged."""

from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import ROLE, Bench, Everyone, code_of
from tests.local.simulator.tuning_requests import ARN, children, definition, tuning_request

CONFIG = tuning_request()["HyperParameterTuningJobConfig"]


def config(**changes: Any) -> dict[str, Any]:
    return {**CONFIG, **changes}


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (tuning_request(TrainingJobDefinition=None), "Exactly one"),
        (tuning_request(TrainingJobDefinitions=[definition()]), "Exactly one"),
        (tuning_request("x" * 33), "less than or equal to 32"),
        (tuning_request(number=1, parallel=2), "MaxParallelTrainingJobs"),
        (tuning_request(Tags=[{"Key": "aws:x", "Value": ""}]), "aws: prefixed"),
        (tuning_request(TrainingJobDefinition=definition(EnableManagedSpotTraining=True)), "MaxWaitTimeInSeconds"),
        (tuning_request(TrainingJobDefinition=definition(HyperParameterTuningResourceConfig=None)), "ResourceConfig"),
        (
            tuning_request(
                HyperParameterTuningJobConfig=config(
                    ParameterRanges={"IntegerParameterRanges": [{"Name": "n", "MinValue": "5", "MaxValue": "1"}]}
                )
            ),
            "range of n is empty",
        ),
        (
            tuning_request(
                HyperParameterTuningJobConfig=config(
                    ParameterRanges={"IntegerParameterRanges": [{"Name": "n", "MinValue": "a", "MaxValue": "1"}]}
                )
            ),
            "not in numbers",
        ),
        (
            tuning_request(HyperParameterTuningJobConfig=config(ResourceLimits={"MaxParallelTrainingJobs": 1})),
            "MaxNumberOfTrainingJobs is required",
        ),
    ],
)
def test_a_wrong_request_is_a_validation_exception(request_: dict[str, Any], why: str) -> None:
    bench = Bench()
    with pytest.raises(ServiceError, match=why) as caught:
        bench.call("CreateHyperParameterTuningJob", **request_)
    assert code_of(caught.value) == "ValidationException"
    assert bench.events == []


def test_creation_is_evaluated_on_the_tuning_job_its_tags_and_the_role() -> None:
    caller = Everyone()
    Bench(caller).call("CreateHyperParameterTuningJob", **tuning_request(Tags=[{"Key": "team", "Value": "vision"}]))
    assert [asked[:2] for asked in caller.asked] == [
        ("sagemaker:CreateHyperParameterTuningJob", ARN),
        ("sagemaker:AddTags", ARN),
        ("iam:PassRole", ROLE),
    ]
    keys = caller.asked[0][2]
    assert (keys["sagemaker:InstanceTypes"], keys["aws:TagKeys"]) == (["ml.g5.xlarge"], ["team"])
    assert "sagemaker:KeepAlivePeriod" not in keys
    assert caller.asked[1][2]["sagemaker:TaggingAction"] == "CreateHyperParameterTuningJob"


def test_several_definitions_are_judged_together_and_run_in_turn() -> None:
    caller = Everyone()
    bench = Bench(caller)
    objective = CONFIG["HyperParameterTuningJobObjective"]
    named = [
        definition(
            DefinitionName=name,
            TuningObjective=objective,
            HyperParameterRanges=CONFIG["ParameterRanges"],
            HyperParameterTuningResourceConfig={"InstanceType": kind, "InstanceCount": 1, "VolumeSizeInGB": 1},
        )
        for name, kind in (("small", "ml.m5.large"), ("large", "ml.p3.2xlarge"))
    ]
    limits = {"Strategy": "Random", "ResourceLimits": CONFIG["ResourceLimits"]}
    bench.call(
        "CreateHyperParameterTuningJob",
        **tuning_request(
            TrainingJobDefinition=None, TrainingJobDefinitions=named, HyperParameterTuningJobConfig=limits
        ),
    )
    assert caller.asked[0][2]["sagemaker:InstanceTypes"] == ["ml.m5.large", "ml.p3.2xlarge"]
    assert [child["TrainingJobDefinitionName"] for child in children(bench)] == ["small", "large"]


@pytest.mark.parametrize(
    "operation",
    [
        "DescribeHyperParameterTuningJob",
        "StopHyperParameterTuningJob",
        "ListTrainingJobsForHyperParameterTuningJob",
    ],
)
def test_an_unknown_tuning_job_is_not_found_and_a_denied_one_not_shown(operation: str) -> None:
    with pytest.raises(ServiceError) as caught:
        Bench().call(operation, HyperParameterTuningJobName="nobody")
    assert code_of(caught.value) == "ResourceNotFound"
    caller = Everyone(denied=frozenset({f"sagemaker:{operation}"}))
    with pytest.raises(ServiceError) as caught:
        Bench(caller).call(operation, HyperParameterTuningJobName="tune")
    assert code_of(caught.value) == "AccessDeniedException"
    assert caller.asked == [(f"sagemaker:{operation}", ARN, {})]


def test_a_role_that_sagemaker_cannot_assume_is_refused() -> None:
    with pytest.raises(ServiceError, match="Could not assume role"):
        Bench(Everyone(trusted=False)).call("CreateHyperParameterTuningJob", **tuning_request())


def test_tuning_jobs_are_listed_by_name_filtered_and_in_pages() -> None:
    bench = Bench(b=Plan(outcome="Failed", fails_in="Starting"))
    for name in ("b", "c", "a"):
        bench.call("CreateHyperParameterTuningJob", **tuning_request(name))
        bench.pass_time(1)

    def names(**request: Any) -> list[str]:
        found = bench.call("ListHyperParameterTuningJobs", **request)["HyperParameterTuningJobSummaries"]
        return [job["HyperParameterTuningJobName"] for job in found]

    assert names() == ["a", "b", "c"]
    assert names(SortBy="CreationTime", SortOrder="Descending") == ["a", "c", "b"]
    bench.pass_time(600)
    assert names(StatusEquals="Failed") == ["b"]
    assert names(NameContains="C") == ["c"]
    page = bench.call("ListHyperParameterTuningJobs", MaxResults=2)
    assert names(MaxResults=2, NextToken=page["NextToken"]) == ["c"]


def test_training_jobs_of_a_tuning_job_are_listed_in_pages_and_by_status() -> None:
    bench = Bench()
    bench.call("CreateHyperParameterTuningJob", **tuning_request(number=13, parallel=12))
    bench.pass_time(770)
    first = bench.call("ListTrainingJobsForHyperParameterTuningJob", HyperParameterTuningJobName="tune")
    assert len(first["TrainingJobSummaries"]) == 10
    found = [child["TrainingJobName"] for child in children(bench)]
    assert (len(found), found) == (13, sorted(found))
    assert [child["TrainingJobStatus"] for child in children(bench, StatusEquals="InProgress")] == ["InProgress"]
    assert len(children(bench, SortBy="FinalObjectiveMetricValue")) == 12
    assert len(bench.call("ListTrainingJobs", MaxResults=100)["TrainingJobSummaries"]) == 13


def test_tags_of_a_tuning_job_go_to_the_training_jobs_that_start_afterwards() -> None:
    bench = Bench()
    bench.call("CreateHyperParameterTuningJob", **tuning_request(number=2, parallel=1))
    bench.call("AddTags", ResourceArn=ARN, Tags=[{"Key": "team", "Value": "vision"}])
    bench.pass_time(770)
    first, second = (bench.call("ListTags", ResourceArn=c["TrainingJobArn"])["Tags"] for c in children(bench))
    assert (first, second) == ([], [{"Key": "team", "Value": "vision"}])
    bench.call("DeleteTags", ResourceArn=ARN, TagKeys=["team"])
    assert bench.call("ListTags", ResourceArn=ARN)["Tags"] == []
