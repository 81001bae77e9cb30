"""The adapter of warm pools: each request and answer, and the same against the simulator."""

from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.stub import ANY, Stubber

from tests.builders import at
from tests.local.simulator.bench import START, Bench, Everyone, create_request, pool_request
from tests.pool_fakes import BenchClient
from trainops.adapters.pace import Pace
from trainops.adapters.warm_pools import SageMakerWarmPools
from trainops.errors import TryLater, UpdateRefused

NO_PACE = Pace(timedelta(0), lambda: 0.0, lambda _seconds: None)


def summary(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "TrainingJobName": name,
        "TrainingJobArn": f"arn:aws:sagemaker:us-east-1:111122223333:training-job/{name}",
        "CreationTime": at(0),
        "TrainingEndTime": at(30),
        "TrainingJobStatus": "Completed",
        "WarmPoolStatus": {"Status": "Available"},
        **fields,
    }


@pytest.mark.case("WP-13")
def test_pools_are_listed_by_status_a_hundred_a_page_to_the_last_page_although_one_is_empty() -> None:
    sagemaker: Any = boto3.client("sagemaker")
    asked = {
        "WarmPoolStatusEquals": "Available",
        "LastModifiedTimeAfter": at(0),
        "SortBy": "CreationTime",
        "SortOrder": "Descending",
        "MaxResults": 100,
    }
    with Stubber(sagemaker) as stub:
        stub.add_response("list_training_jobs", {"TrainingJobSummaries": [summary("a")], "NextToken": "1"}, asked)
        stub.add_response(
            "list_training_jobs", {"TrainingJobSummaries": [], "NextToken": "2"}, asked | {"NextToken": "1"}
        )
        stub.add_response("list_training_jobs", {"TrainingJobSummaries": [summary("b")]}, asked | {"NextToken": "2"})
        pages = list(SageMakerWarmPools(sagemaker, NO_PACE).available(at(0)))
    assert [[pool.name for pool in page] for page in pages] == [["a"], [], ["b"]]
    assert pages[0][0].ended == at(30)


def test_a_pool_whose_jobs_end_is_not_said_is_left_out() -> None:
    sagemaker: Any = boto3.client("sagemaker")
    listed = summary("a")
    del listed["TrainingEndTime"]
    with Stubber(sagemaker) as stub:
        stub.add_response("list_training_jobs", {"TrainingJobSummaries": [listed]}, ANY_REQUEST)
        assert list(SageMakerWarmPools(sagemaker, NO_PACE).available(at(0))) == [[]]


ANY_REQUEST = dict.fromkeys(("WarmPoolStatusEquals", "LastModifiedTimeAfter", "SortBy", "SortOrder", "MaxResults"), ANY)


@pytest.mark.parametrize(
    ("operation", "act"),
    [
        ("list_training_jobs", lambda pools: next(pools.available(at(0)))),
        ("update_training_job", lambda pools: pools.set_keep_alive("a", timedelta(0))),
    ],
)
def test_a_throttled_call_means_later(operation: str, act: Any) -> None:
    sagemaker: Any = boto3.client("sagemaker")
    with Stubber(sagemaker) as stub:
        stub.add_client_error(operation, "ThrottlingException")
        with pytest.raises(TryLater, match="ThrottlingException"):
            act(SageMakerWarmPools(sagemaker, NO_PACE))


def account(**denied: Any) -> tuple[Bench, SageMakerWarmPools]:
    bench = Bench(Everyone(**denied))
    return bench, SageMakerWarmPools(BenchClient(bench), NO_PACE)


def test_only_pools_that_are_available_now_are_listed() -> None:
    bench, pools = account()
    bench.call("CreateTrainingJob", **create_request("none"))
    bench.call("CreateTrainingJob", **pool_request("kept", keep_alive=3600))
    bench.call("CreateTrainingJob", **pool_request("gone", keep_alive=60))
    bench.pass_time(1200)
    bench.call(
        "CreateTrainingJob", **pool_request("running", keep_alive=600, RoleArn="arn:aws:iam::123456789012:role/b")
    )
    [page] = pools.available(START)
    assert [pool.name for pool in page] == ["kept"]


def test_a_pool_is_ended_and_extended() -> None:
    bench, pools = account()
    bench.call("CreateTrainingJob", **pool_request(keep_alive=600))
    bench.pass_time(800)
    pools.set_keep_alive("job-1", timedelta(minutes=50))
    bench.pass_time(1200)
    assert bench.describe()["WarmPoolStatus"]["Status"] == "Available"
    pools.set_keep_alive("job-1", timedelta(0))
    assert bench.describe()["WarmPoolStatus"]["Status"] == "Terminated"


@pytest.mark.case("IA-01")
def test_a_refusal_keeps_the_services_words() -> None:
    bench, pools = account()
    bench.call("CreateTrainingJob", **pool_request())
    with pytest.raises(UpdateRefused, match="ValidationException: Training job job-1 has no warm pool"):
        pools.set_keep_alive("job-1", timedelta(0))
    with pytest.raises(UpdateRefused, match="ResourceNotFound"):
        pools.set_keep_alive("nobody", timedelta(0))
    _, forbidden = account(denied=frozenset({"sagemaker:UpdateTrainingJob"}))
    with pytest.raises(UpdateRefused, match="AccessDeniedException"):
        forbidden.set_keep_alive("job-1", timedelta(0))
