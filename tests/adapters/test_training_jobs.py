"""SageMaker calls: what is asked, how answers are read, how slowly, and what a throttled API means."""

from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.stub import ANY, Stubber

from tests.builders import CREATED, arn, at, description
from trainops.adapters.pace import Pace
from trainops.adapters.training_jobs import SageMakerTrainingJobs
from trainops.domain.pool_matching import match_fingerprint
from trainops.domain.training_jobs import WarmPool, from_description
from trainops.errors import TryLater

ALGORITHM = {"TrainingInputMode": "File"}


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, list[float]()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def sagemaker() -> Any:
    return boto3.client("sagemaker")


def paced(sagemaker: Any, spacing: float = 1) -> tuple[SageMakerTrainingJobs, Clock]:
    clock = Clock()
    return SageMakerTrainingJobs(sagemaker, Pace(timedelta(seconds=spacing), lambda: clock.now, clock.sleep)), clock


def full(**fields: Any) -> dict[str, Any]:
    required = {"AlgorithmSpecification": ALGORITHM, "ModelArtifacts": {"S3ModelArtifacts": "s3://b/model.tar.gz"}}
    return {**description(**fields), **required}


def test_a_description_is_read_whole(sagemaker: Any) -> None:
    answer = full(
        EnableManagedSpotTraining=True,
        TrainingTimeInSeconds=500,
        BillableTimeInSeconds=100,
        WarmPoolStatus={"Status": "Reused", "ReusedByJob": "next", "ResourceRetainedBillableTimeInSeconds": 40},
        CheckpointConfig={"S3Uri": "s3://b/c/"},
    )
    with Stubber(sagemaker) as stub:
        stub.add_response("describe_training_job", answer, {"TrainingJobName": "resnet-1"})
        found = paced(sagemaker)[0].describe("resnet-1", {"owner": "researcher"})
    assert found is not None
    assert (found.spot, found.training_time, found.billable_time) == (
        True,
        timedelta(seconds=500),
        timedelta(seconds=100),
    )
    assert found.warm_pool == WarmPool("Reused", timedelta(seconds=40), "next")
    assert (found.output_uri, found.checkpoint_uri) == ("s3://b/model.tar.gz", "s3://b/c/")
    assert found.tags == {"owner": "researcher"}


def test_tags_are_listed_page_by_page_when_nobody_said_them(sagemaker: Any) -> None:
    with Stubber(sagemaker) as stub:
        stub.add_response("describe_training_job", full())
        stub.add_response("list_tags", {"Tags": [{"Key": "a", "Value": "1"}], "NextToken": "n"}, {"ResourceArn": arn()})
        stub.add_response("list_tags", {"Tags": [{"Key": "b", "Value": "2"}]}, {"ResourceArn": arn(), "NextToken": "n"})
        found = paced(sagemaker)[0].describe("resnet-1", None)
    assert found is not None
    assert found.tags == {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("ResourceNotFound", ""),
        ("ValidationException", "Requested resource not found."),
        ("ValidationException", "Resource does not exist"),
    ],
)
def test_an_unknown_job_is_none_however_the_api_says_it(sagemaker: Any, code: str, text: str) -> None:
    with Stubber(sagemaker) as stub:
        stub.add_client_error("describe_training_job", code, text)
        assert paced(sagemaker)[0].describe("resnet-1", {}) is None


def test_another_validation_error_is_not_swallowed(sagemaker: Any) -> None:
    with Stubber(sagemaker) as stub:
        stub.add_client_error("describe_training_job", "ValidationException", "1 validation error detected")
        with pytest.raises(sagemaker.exceptions.ClientError, match="validation error"):
            paced(sagemaker)[0].describe("resnet-1", {})


@pytest.mark.case("OP-02")
def test_a_throttled_api_means_later_and_nothing_is_lost(sagemaker: Any) -> None:
    with Stubber(sagemaker) as stub:
        stub.add_client_error("describe_training_job", "ThrottlingException", "Rate exceeded", 400)
        with pytest.raises(TryLater, match="DescribeTrainingJob: ThrottlingException"):
            paced(sagemaker)[0].describe("resnet-1", {})


@pytest.mark.case("OP-02")
def test_sixty_calls_are_spaced_to_the_rate_and_the_first_is_not_delayed(sagemaker: Any) -> None:
    jobs, clock = paced(sagemaker, spacing=1)
    with Stubber(sagemaker) as stub:
        for _ in range(60):
            stub.add_response("describe_training_job", full())
        for _ in range(60):
            jobs.describe("resnet-1", {})
    assert clock.slept == [1] * 59


@pytest.mark.case("WP-13")
def test_jobs_are_listed_oldest_first_a_hundred_a_page_to_the_last_page(sagemaker: Any) -> None:
    summary = {
        "TrainingJobName": "a",
        "TrainingJobArn": arn("a"),
        "CreationTime": CREATED,
        "TrainingJobStatus": "InProgress",
        "LastModifiedTime": at(1),
    }
    first = {"CreationTimeAfter": CREATED, "SortBy": "CreationTime", "SortOrder": "Ascending", "MaxResults": 100}
    with Stubber(sagemaker) as stub:
        stub.add_response("list_training_jobs", {"TrainingJobSummaries": [summary], "NextToken": "t"}, first)
        stub.add_response("list_training_jobs", {"TrainingJobSummaries": [], "NextToken": "u"}, ANY_OF(first, "t"))
        stub.add_response("list_training_jobs", {"TrainingJobSummaries": [summary]}, ANY_OF(first, "u"))
        jobs, clock = paced(sagemaker, spacing=2)
        pages = list(jobs.created_after(CREATED))
    assert [len(page) for page in pages] == [1, 0, 1], "an empty page is not the end"
    assert pages[0][0].name == "a"
    assert clock.slept == [2, 2]


def ANY_OF(first: dict[str, Any], token: str) -> dict[str, Any]:  # noqa: N802 reads as Stubber's ANY
    return {**first, "CreationTimeAfter": ANY, "NextToken": token}


@pytest.mark.case("WP-07")
def test_a_heterogeneous_or_serverless_job_has_no_instance_type_and_does_not_fail() -> None:
    groups = {"InstanceGroups": [{"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 2}], "VolumeSizeInGB": 1}
    mixed = from_description(description(ResourceConfig={**groups, "KeepAlivePeriodInSeconds": 1800}), {})
    assert (mixed.instance_type, mixed.instance_count, mixed.keep_alive) == (None, None, timedelta(minutes=30))
    serverless = from_description(description(ResourceConfig=None), {})
    assert serverless.instance_type is None


@pytest.mark.case("WP-04")
def test_the_match_fingerprint_changes_with_each_match_field_and_with_nothing_else() -> None:
    base = description()
    resources = base["ResourceConfig"]
    changed: list[dict[str, Any]] = [
        {"RoleArn": "other"},
        {"ResourceConfig": {**resources, "VolumeSizeInGB": 250}},
        {"ResourceConfig": {**resources, "InstanceCount": 2}},
        {"VpcConfig": {"SecurityGroupIds": ["sg-1"], "Subnets": ["a"]}},
        {"EnableNetworkIsolation": True},
        {"EnableInterContainerTrafficEncryption": True},
    ]
    prints = [match_fingerprint({**base, **change}) for change in changed]
    assert len({match_fingerprint(base), *prints}) == len(changed) + 1
    free: dict[str, Any] = {"HyperParameters": {"a": "b"}, "TrainingJobName": "other", "EnableNetworkIsolation": False}
    assert match_fingerprint({**base, **free}) == match_fingerprint(base)


def test_instances_of_groups_are_counted_by_type_unless_a_group_does_not_say() -> None:
    groups = [
        {"InstanceType": kind, "InstanceCount": 2, "InstanceGroupName": kind} for kind in ("ml.a", "ml.b", "ml.a")
    ]
    known = from_description(description(ResourceConfig={"InstanceGroups": groups}), {})
    assert (known.groups, known.instances, known.instance_type) == ({"ml.a": 4, "ml.b": 2}, 6, None)
    silent = from_description(description(ResourceConfig={"InstanceGroups": [*groups, {"InstanceType": "ml.c"}]}), {})
    assert (silent.groups, silent.instances, silent.heterogeneous) == ({}, None, True)
