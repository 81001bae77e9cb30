"""Limits that end a job: too long without capacity, too long in all; what is left open has both positions proven."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from local.sagemaker.switches import Switches
from tests.local.simulator.bench import START, Bench, create_request, spot_request

DAY = 86_400
HOUR = 3600
CPU = {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1}


def pending_request(limit: int, **changes: Any) -> dict[str, Any]:
    stopping = {"MaxRuntimeInSeconds": HOUR, "MaxPendingTimeInSeconds": limit}
    return create_request(StoppingCondition=stopping, **changes)


def started(request: dict[str, Any], plan: Plan, **positions: Any) -> Bench:
    bench = Bench(job_1=plan)
    bench.simulator.switches = Switches.from_json(positions)
    bench.call("CreateTrainingJob", **request)
    return bench


@pytest.mark.parametrize("end", ["Stopped", "MaxWaitTimeExceeded"])
@pytest.mark.parametrize(("status", "waited"), [("Starting", ["Starting"]), ("Pending", ["Pending"])])
def test_a_job_that_waits_too_long_for_capacity_is_stopped(status: str, waited: list[str], end: str) -> None:
    bench = started(pending_request(1800), Plan(capacity_wait_seconds=1801), waits_in=status, max_pending_ends_in=end)
    bench.pass_time(1799)
    assert (bench.statuses(), bench.describe()["TrainingJobStatus"]) == (waited, "InProgress")
    bench.pass_time(1)
    assert bench.describe()["TrainingJobStatus"] == "Stopping"
    bench.pass_time(60)
    ended = bench.describe()
    assert (bench.statuses(), ended["TrainingJobStatus"]) == ([*waited, "Stopping", end], "Stopped")
    assert "TrainingStartTime" not in ended


@pytest.mark.parametrize(
    ("request_", "plan"),
    [
        (pending_request(1801), Plan(capacity_wait_seconds=1801)),
        (pending_request(1800), Plan(starting_seconds=3000)),
        (pending_request(1800, ResourceConfig=CPU), Plan(capacity_wait_seconds=5000)),
    ],
)
def test_waiting_within_the_limit_launching_slowly_and_cpu_instances_are_let_go_on(
    request_: dict[str, Any], plan: Plan
) -> None:
    bench = started(request_, plan)
    bench.pass_time(10_000)
    assert bench.describe()["TrainingJobStatus"] == "Completed"


@pytest.mark.parametrize("limit", [1799, 28 * DAY + 1])
def test_a_pending_limit_outside_the_model_is_refused(limit: int) -> None:
    with pytest.raises(ServiceError, match=r"[mM]axPendingTimeInSeconds"):
        Bench().call("CreateTrainingJob", **pending_request(limit))


def test_a_wait_shown_as_pending_is_a_status_of_its_own_and_an_event() -> None:
    bench = started(create_request(), Plan(capacity_wait_seconds=500), waits_in="Pending")
    bench.pass_time(10_000)
    assert bench.statuses() == ["Pending", "Starting", "Downloading", "Training", "Uploading", "Completed"]
    assert [event["Detail"]["SecondaryStatus"] for event in bench.events][:2] == ["Pending", "Starting"]
    first, second, *_ = bench.describe()["SecondaryStatusTransitions"]
    assert second["StartTime"] - first["StartTime"] == timedelta(seconds=500)


def test_a_job_that_need_not_wait_is_never_pending() -> None:
    bench = started(create_request(), Plan(), waits_in="Pending")
    assert bench.statuses() == ["Starting"]


def test_stopping_is_cut_short_when_thirty_days_are_over() -> None:
    plan = Plan(starting_seconds=0, training_seconds=29 * DAY, downloading_seconds=0, stopping_seconds=5 * DAY)
    bench = started(create_request(StoppingCondition={"MaxRuntimeInSeconds": 28 * DAY}), plan)
    bench.pass_time(40 * DAY)
    ended = bench.describe()
    assert bench.statuses()[-2:] == ["Stopping", "MaxRuntimeExceeded"]
    assert ended["TrainingEndTime"] == START + timedelta(days=30)


def test_a_stop_by_hand_ends_within_thirty_days_too() -> None:
    plan = Plan(training_seconds=28 * DAY, stopping_seconds=5 * DAY)
    bench = started(create_request(StoppingCondition={"MaxRuntimeInSeconds": 28 * DAY}), plan)
    bench.pass_time(27 * DAY)
    bench.call("StopTrainingJob", TrainingJobName="job-1")
    bench.pass_time(5 * DAY)
    assert bench.describe()["TrainingEndTime"] == START + timedelta(days=30)


@pytest.mark.parametrize(("counted", "status"), [("all", "Stopped"), ("running", "Completed")])
def test_waiting_for_capacity_counts_towards_the_thirty_days_or_not(counted: str, status: str) -> None:
    plan = Plan(interruptions=1, interrupted_seconds=31 * DAY)
    bench = started(spot_request(max_wait=60 * DAY), plan, thirty_days_count=counted)
    bench.pass_time(30 * DAY)
    assert (bench.describe()["TrainingJobStatus"] == "Stopped") is (counted == "all")
    bench.pass_time(5 * DAY)
    assert bench.describe()["TrainingJobStatus"] == status
