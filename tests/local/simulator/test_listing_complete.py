"""Every filter, order and page rule of ListTrainingJobs (API shape ListTrainingJobsRequest)."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import START, Bench, code_of, create_request, pool_request
from tests.local.simulator.test_listing import bench_with_jobs, pages

PLAN_ARN = "arn:aws:sagemaker:eu-central-1:123456789012:training-plan/spring"


def minute(number: int) -> float:
    return (START + timedelta(minutes=number)).timestamp()


def flat(bench: Bench, **request: Any) -> list[str]:
    return [name for page in pages(bench, SortOrder="Ascending", **request) for name in page]


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"CreationTimeAfter": minute(1)}, ["job-2", "job-3"]),
        ({"CreationTimeBefore": minute(1)}, ["job-1", "job-2"]),
        ({"CreationTimeAfter": minute(1), "CreationTimeBefore": minute(1)}, ["job-2"]),
        ({"LastModifiedTimeAfter": minute(1) + 750}, ["job-2", "job-3"]),
        ({"LastModifiedTimeBefore": minute(0) + 770}, ["job-1"]),
        ({"NameContains": "b-3"}, ["job-3"]),
        ({"NameContains": "other"}, []),
        ({"StatusEquals": "Failed"}, ["job-2"]),
        ({"StatusEquals": "Completed"}, ["job-1", "job-3"]),
    ],
)
def test_a_filter_keeps_what_it_names(filters: dict[str, Any], names: list[str]) -> None:
    assert flat(bench_with_jobs(3, failed=frozenset({2})), **filters) == names


def test_jobs_of_a_training_plan_are_found_and_say_so() -> None:
    bench = Bench()
    resources = create_request()["ResourceConfig"]
    bench.call("CreateTrainingJob", **create_request("free"))
    bench.call(
        "CreateTrainingJob", **create_request("booked", ResourceConfig={**resources, "TrainingPlanArn": PLAN_ARN})
    )
    [found] = bench.call("ListTrainingJobs", TrainingPlanArnEquals=PLAN_ARN)["TrainingJobSummaries"]
    assert (found["TrainingJobName"], found["TrainingPlanArn"]) == ("booked", PLAN_ARN)


def test_pages_of_a_warm_pool_filter_are_cut_before_it_is_applied() -> None:
    bench = Bench()
    for number in range(4):
        make = pool_request if number % 2 else create_request
        bench.call("CreateTrainingJob", **make(f"job-{number}"))
        bench.pass_time(1)
    bench.pass_time(800)
    found = pages(bench, WarmPoolStatusEquals="Available", MaxResults=1, SortOrder="Ascending")
    assert found == [[], ["job-1"], [], ["job-3"]]


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ({"SortBy": "Name", "SortOrder": "Ascending"}, ["a", "b", "c"]),
        ({"SortBy": "Name"}, ["c", "b", "a"]),
        ({"SortBy": "CreationTime", "SortOrder": "Ascending"}, ["b", "c", "a"]),
        ({"SortBy": "Status", "SortOrder": "Ascending"}, ["a", "b", "c"]),
        ({"SortBy": "Status", "SortOrder": "Descending"}, ["c", "b", "a"]),
    ],
)
def test_jobs_are_sorted_as_asked(order: dict[str, str], names: list[str]) -> None:
    bench = Bench(a=Plan(), b=Plan(), c=Plan(outcome="Failed", fails_in="Starting"))
    for name in ("b", "c", "a"):
        bench.call("CreateTrainingJob", **create_request(name))
        bench.pass_time(1)
    bench.pass_time(3600)
    assert pages(bench, **order) == [names]
    assert [name for page in pages(bench, MaxResults=1, **order) for name in page] == names


def test_ten_jobs_are_a_page_unless_asked_otherwise() -> None:
    bench = bench_with_jobs(12)
    assert [len(page) for page in pages(bench)] == [10, 2]
    assert [len(page) for page in pages(bench, MaxResults=100)] == [12]


@pytest.mark.parametrize("size", [0, 101])
def test_a_page_has_one_to_a_hundred_jobs(size: int) -> None:
    with pytest.raises(ServiceError) as caught:
        Bench().call("ListTrainingJobs", MaxResults=size)
    assert code_of(caught.value) == "ValidationException"


@pytest.mark.parametrize("changed", [{"NameContains": "job"}, {"SortOrder": "Ascending"}, {"StatusEquals": "Failed"}])
def test_a_token_is_refused_with_other_filters(changed: dict[str, str]) -> None:
    bench = bench_with_jobs(3)
    token = bench.call("ListTrainingJobs", MaxResults=1)["NextToken"]
    assert "job" not in token, "opaque"
    with pytest.raises(ServiceError, match="Invalid pagination token") as caught:
        bench.call("ListTrainingJobs", NextToken=token, **changed)
    assert code_of(caught.value) == "ValidationException"


def test_the_size_of_the_page_may_change_on_the_way() -> None:
    bench = bench_with_jobs(4)
    token = bench.call("ListTrainingJobs", MaxResults=1)["NextToken"]
    rest = bench.call("ListTrainingJobs", MaxResults=100, NextToken=token)
    assert [job["TrainingJobName"] for job in rest["TrainingJobSummaries"]] == ["job-3", "job-2", "job-1"]


@pytest.mark.parametrize("token", ["nonsense", "W10=", "MQ==", "eyJhIjogMX0="])
def test_a_token_that_is_not_ours_is_refused(token: str) -> None:
    with pytest.raises(ServiceError, match="Invalid pagination token"):
        bench_with_jobs(1).call("ListTrainingJobs", NextToken=token)
