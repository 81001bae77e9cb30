"""Each kind of failure ends as the API describes it; only internal errors are retried."""

from typing import Any

import pytest

from local.sagemaker.failures import INTERNAL, KINDS, plan_from_json
from tests.local.simulator.bench import Bench, create_request, pool_request, spot_request

LATER = 40_000


def failed(request: dict[str, Any] | None = None, **plan: Any) -> Bench:
    """A bench on which job-1 has ended under a plan as the control route reads it."""
    bench = Bench(job_1=plan_from_json(plan))
    bench.call("CreateTrainingJob", **(request or create_request()))
    bench.pass_time(LATER)
    return bench


@pytest.mark.parametrize("kind", KINDS)
def test_the_reason_begins_with_the_kind_and_is_the_last_status_message(kind: str) -> None:
    described = failed(failure=kind).describe()
    assert described["TrainingJobStatus"] == "Failed"
    assert described["FailureReason"].startswith(f"{kind}: ")
    assert described["SecondaryStatusTransitions"][-1]["StatusMessage"] == described["FailureReason"]


def test_an_algorithm_error_tells_the_exit_code() -> None:
    assert "ExitCode 137" in failed(failure="AlgorithmError", exit_code=137).describe()["FailureReason"]


def test_a_client_error_ends_before_training() -> None:
    assert failed(failure="ClientError").statuses() == ["Starting", "Downloading", "Failed"]


def test_no_capacity_is_told_after_waiting_for_it_and_costs_nothing() -> None:
    bench = Bench(job_1=plan_from_json({"failure": "CapacityError", "capacity_wait_seconds": 900}))
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(900)
    waiting = bench.describe()["SecondaryStatusTransitions"]
    assert [step["Status"] for step in waiting] == ["Starting"]
    assert "Insufficient capacity" in waiting[0]["StatusMessage"]
    bench.pass_time(120)
    assert bench.describe()["FailureReason"].startswith("CapacityError: Unable to provision requested ML compute")
    absent = {"TrainingStartTime", "TrainingTimeInSeconds", "BillableTimeInSeconds", "WarmPoolStatus"}
    assert absent.isdisjoint(bench.describe())


def test_a_field_beside_the_kind_has_precedence() -> None:
    described = failed(failure="ClientError", failure_reason="ClientError: no access").describe()
    assert described["FailureReason"] == "ClientError: no access"


@pytest.mark.parametrize(
    ("errors", "retries", "end"), [(1, None, "Failed"), (1, 1, "Completed"), (2, 3, "Completed"), (3, 2, "Failed")]
)
def test_internal_errors_are_retried_as_often_as_the_strategy_says(errors: int, retries: int | None, end: str) -> None:
    strategy = {"MaximumRetryAttempts": retries} if retries else None
    bench = failed(create_request(RetryStrategy=strategy), internal_errors=errors)
    described = bench.describe()
    assert described["TrainingJobStatus"] == end
    assert described.get("FailureReason") == (INTERNAL if end == "Failed" else None)
    assert bench.statuses().count("Starting") == 1 + min(errors, retries or 0)
    assert "Interrupted" not in bench.statuses()


def test_an_algorithm_error_is_never_retried() -> None:
    bench = failed(create_request(RetryStrategy={"MaximumRetryAttempts": 5}), failure="AlgorithmError")
    assert bench.statuses() == ["Starting", "Downloading", "Training", "Failed"]


def test_the_maximum_runtime_covers_all_attempts_together() -> None:
    request = create_request(RetryStrategy={"MaximumRetryAttempts": 5})
    bench = failed(request, internal_errors=5, training_seconds=3000)
    assert bench.describe()["SecondaryStatus"] == "MaxRuntimeExceeded"
    assert bench.describe()["TrainingJobStatus"] == "Stopped"


@pytest.mark.parametrize(
    ("plan", "left"),
    [
        ({"failure": "AlgorithmError"}, "Available"),
        ({"failure": "ClientError"}, "Available"),
        ({"failure": "InternalServerError"}, "Terminated"),
        ({"outcome": "Failed", "failure_reason": "InternalServerError: disk"}, "Terminated"),
        ({"training_seconds": 9000}, "Available"),
    ],
)
def test_a_pool_is_kept_unless_the_infrastructure_failed(plan: dict[str, Any], left: str) -> None:
    bench = Bench(job_1=plan_from_json(plan))
    bench.call("CreateTrainingJob", **pool_request(keep_alive=21_600))
    bench.pass_time(4000)
    assert bench.describe()["TrainingJobStatus"] in {"Failed", "Stopped"}
    assert bench.describe()["WarmPoolStatus"]["Status"] == left


@pytest.mark.parametrize(("after", "pool"), [(60, None), (200, "Available")])
def test_a_stop_keeps_the_pool_only_once_the_cluster_was_launched(after: float, pool: str | None) -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(after)
    bench.call("StopTrainingJob", TrainingJobName="job-1")
    bench.pass_time(60)
    assert bench.describe()["SecondaryStatus"] == "Stopped"
    assert bench.describe().get("WarmPoolStatus") == ({"Status": pool} if pool else None)


def test_a_stopped_warm_start_keeps_the_cluster_that_it_took() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(770)
    bench.call("CreateTrainingJob", **pool_request("job-2"))
    bench.call("StopTrainingJob", TrainingJobName="job-2")
    bench.pass_time(60)
    assert bench.describe("job-2")["WarmPoolStatus"] == {"Status": "Available"}


@pytest.mark.parametrize(
    ("plan", "limit"),
    [({"training_seconds": 9000}, "MaxRuntimeInSeconds"), ({"capacity_wait_seconds": 9000}, "MaxWaitTimeInSeconds")],
)
def test_the_last_status_message_names_the_limit(plan: dict[str, Any], limit: str) -> None:
    bench = failed(spot_request(), **plan)
    assert limit in bench.describe()["SecondaryStatusTransitions"][-1]["StatusMessage"]
    assert bench.describe()["TrainingJobStatus"] == "Stopped"


def test_a_very_long_reason_is_cut_as_the_api_demands() -> None:
    assert len(failed(outcome="Failed", failure_reason="x" * 5000).describe()["FailureReason"]) == 1024


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="BadLuck"):
        plan_from_json({"failure": "BadLuck"})
