"""ListTrainingJobs pages, filters and sorts as its documentation says, short pages included."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.plans import Plan
from tests.local.simulator.bench import START, Bench, create_request


def bench_with_jobs(count: int, failed: frozenset[int] = frozenset()) -> Bench:
    """Jobs 1 … count, created a minute apart and all ended."""
    plans = {f"job-{n}": Plan(outcome="Failed" if n in failed else "Completed") for n in range(1, count + 1)}
    bench = Bench()
    bench.simulator.plans.update(plans)
    for number in range(1, count + 1):
        bench.call("CreateTrainingJob", **create_request(f"job-{number}"))
        bench.pass_time(60)
    bench.pass_time(3600)
    return bench


def pages(bench: Bench, **request: Any) -> list[list[str]]:
    """The names on every page, to the end."""
    found, token = [], None
    while True:
        answer = bench.call("ListTrainingJobs", **request, **({"NextToken": token} if token else {}))
        found.append([job["TrainingJobName"] for job in answer["TrainingJobSummaries"]])
        token = answer.get("NextToken")
        if token is None:
            return found


def test_the_newest_job_comes_first() -> None:
    assert pages(bench_with_jobs(3)) == [["job-3", "job-2", "job-1"]]


def test_an_ascending_list_begins_with_the_oldest() -> None:
    assert pages(bench_with_jobs(3), SortOrder="Ascending", MaxResults=2) == [["job-1", "job-2"], ["job-3"]]


def test_a_page_is_cut_before_the_status_filter_so_it_may_be_empty_and_not_the_last() -> None:
    bench = bench_with_jobs(5, failed=frozenset({1, 2}))
    assert pages(bench, StatusEquals="Failed", MaxResults=2) == [[], ["job-2"], ["job-1"]]


def test_creation_times_are_filtered_before_the_page_is_cut() -> None:
    after = START + timedelta(minutes=3)
    assert pages(bench_with_jobs(5), CreationTimeAfter=after.timestamp(), MaxResults=2) == [["job-5", "job-4"]]


def test_a_job_created_between_two_pages_does_not_shift_them() -> None:
    bench = bench_with_jobs(4)
    first = bench.call("ListTrainingJobs", MaxResults=2)
    bench.call("CreateTrainingJob", **create_request("job-9"))
    second = bench.call("ListTrainingJobs", MaxResults=2, NextToken=first["NextToken"])
    assert [job["TrainingJobName"] for job in second["TrainingJobSummaries"]] == ["job-2", "job-1"]


def test_names_are_searched_without_regard_to_case() -> None:
    assert pages(bench_with_jobs(3), NameContains="JOB-2") == [["job-2"]]


def test_a_strange_token_is_refused() -> None:
    with pytest.raises(Exception, match="Invalid pagination token"):
        bench_with_jobs(1).call("ListTrainingJobs", NextToken="nonsense")
