"""A warm pool is kept, extended, terminated and billed as the API describes."""

import pytest

from local.sagemaker.plans import Plan
from tests.local.simulator.bench import Bench, code_of, create_request, pool_request

RUN = 120 + 30 + 600 + 20  # the default plan


def ended(request: dict[str, object], plan: Plan | None = None) -> Bench:
    """A bench whose job-1 has just ended."""
    bench = Bench(job_1=plan or Plan())
    bench.call("CreateTrainingJob", **request)
    bench.pass_time(RUN)
    return bench


def update(bench: Bench, seconds: int) -> None:
    bench.call("UpdateTrainingJob", TrainingJobName="job-1", ResourceConfig={"KeepAlivePeriodInSeconds": seconds})


def test_an_available_pool_does_not_say_what_it_cost_yet() -> None:
    assert ended(pool_request()).describe()["WarmPoolStatus"] == {"Status": "Available"}


def test_an_expired_pool_is_terminated_and_says_how_long_it_was_retained() -> None:
    bench = ended(pool_request(keep_alive=600))
    bench.pass_time(599)
    assert bench.describe()["WarmPoolStatus"]["Status"] == "Available"
    bench.pass_time(5000)
    expected = {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": 600}
    assert bench.describe()["WarmPoolStatus"] == expected


def test_a_job_without_keep_alive_has_no_pool() -> None:
    assert "WarmPoolStatus" not in ended(create_request()).describe()


def test_an_update_to_zero_terminates_the_pool_at_once() -> None:
    bench = ended(pool_request())
    bench.pass_time(100)
    update(bench, 0)
    assert bench.describe()["WarmPoolStatus"] == {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": 100}


def test_an_update_keeps_the_pool_for_longer() -> None:
    bench = ended(pool_request(keep_alive=600))
    update(bench, 1800)
    bench.pass_time(1700)
    assert bench.describe()["WarmPoolStatus"]["Status"] == "Available"
    assert bench.describe()["ResourceConfig"]["KeepAlivePeriodInSeconds"] == 1800


def test_a_pool_survives_an_algorithm_failure_but_not_a_harmed_cluster() -> None:
    kept = ended(pool_request(), Plan(outcome="Failed"))
    lost = ended(pool_request(), Plan(outcome="Failed", keep_pool=False))
    assert kept.describe()["WarmPoolStatus"]["Status"] == "Available"
    assert lost.describe()["WarmPoolStatus"]["Status"] == "Terminated"


def test_a_terminated_pool_cannot_be_updated() -> None:
    bench = ended(pool_request())
    update(bench, 0)
    with pytest.raises(Exception, match="Terminated") as caught:
        update(bench, 600)
    assert code_of(caught.value) == "ValidationException"


def test_an_empty_update_is_refused() -> None:
    bench = ended(pool_request())
    with pytest.raises(Exception, match="the request cannot be empty"):
        bench.call("UpdateTrainingJob", TrainingJobName="job-1")


def test_a_job_is_deleted_only_when_it_holds_no_pool() -> None:
    bench = ended(pool_request())
    with pytest.raises(Exception, match="in use") as caught:
        bench.call("DeleteTrainingJob", TrainingJobName="job-1")
    assert code_of(caught.value) == "ResourceInUse"
    update(bench, 0)
    bench.call("DeleteTrainingJob", TrainingJobName="job-1")
    bench.call("CreateTrainingJob", **create_request())


def test_the_list_finds_available_pools() -> None:
    bench = ended(pool_request())
    found = bench.call("ListTrainingJobs", WarmPoolStatusEquals="Available", SortBy="CreationTime")
    assert [job["TrainingJobName"] for job in found["TrainingJobSummaries"]] == ["job-1"]
    assert "ResourceConfig" not in found["TrainingJobSummaries"][0]
