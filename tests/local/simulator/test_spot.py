"""Managed spot: waiting for capacity, drawn interruptions, checkpoints, and the rules of the longest wait."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import START, Bench, code_of, create_request, spot_request

WEEK = 7 * 86_400
CHECKPOINTS = {"S3Uri": "s3://bucket/checkpoints/"}
REGISTRY = "123456789012.dkr.ecr.eu-central-1.amazonaws.com"


def long_request(name: str = "job-1", **changes: Any) -> dict[str, Any]:
    """A managed spot job whose limits are out of the way."""
    limits = {"MaxRuntimeInSeconds": 2 * WEEK, "MaxWaitTimeInSeconds": 3 * WEEK}
    return {**spot_request(name, **changes), "StoppingCondition": limits}


def ran(plan: Plan, request: dict[str, Any] | None = None) -> Bench:
    bench = Bench(job_1=plan)
    bench.call("CreateTrainingJob", **(request or long_request()))
    bench.pass_time(4 * WEEK)
    return bench


def drawn(seed: int, rate: float = 1.0) -> Plan:
    return Plan(training_seconds=2 * 3600, interruptions_per_hour=rate, seed=seed)


def test_a_job_waits_for_spot_capacity_in_starting() -> None:
    bench = Bench(job_1=Plan(capacity_wait_seconds=1000))
    bench.call("CreateTrainingJob", **spot_request())
    bench.pass_time(1000)
    assert bench.statuses() == ["Starting"]
    assert "TrainingStartTime" not in bench.describe()
    bench.pass_time(120)
    assert bench.describe()["TrainingStartTime"] == START + timedelta(seconds=1120)


def test_a_job_that_finds_no_capacity_in_time_is_stopped_without_having_run() -> None:
    bench = ran(Plan(capacity_wait_seconds=WEEK), spot_request())
    assert bench.statuses() == ["Starting", "Stopping", "MaxWaitTimeExceeded"]
    assert {"TrainingStartTime", "BillableTimeInSeconds"}.isdisjoint(bench.describe())


def test_the_same_seed_draws_the_same_interruptions() -> None:
    assert ran(drawn(3)).describe() == ran(drawn(3)).describe()
    histories = {tuple(ran(drawn(seed)).statuses()) for seed in range(10)}
    assert len(histories) > 1


def test_interruptions_come_at_about_the_rate_asked_for() -> None:
    request = long_request(CheckpointConfig=CHECKPOINTS)
    counts = [ran(drawn(seed), request).statuses().count("Interrupted") for seed in range(40)]
    assert 1.5 <= sum(counts) / len(counts) <= 2.5


def test_with_checkpoints_a_job_trains_no_longer_than_its_work() -> None:
    seconds = 2 * 3600
    bench = ran(drawn(3), long_request(CheckpointConfig=CHECKPOINTS))
    attempts = bench.statuses().count("Downloading")
    assert bench.statuses()[-1] == "Completed"
    assert abs(bench.describe()["TrainingTimeInSeconds"] - (seconds + 30 * attempts + 20)) <= 1


def test_without_checkpoints_interrupted_work_is_done_again() -> None:
    with_them = ran(drawn(3), long_request(CheckpointConfig=CHECKPOINTS)).describe()
    without = ran(drawn(3)).describe()
    assert without["TrainingTimeInSeconds"] > with_them["TrainingTimeInSeconds"]


def test_too_many_interruptions_exceed_the_longest_wait() -> None:
    bench = ran(drawn(1, rate=60), spot_request())
    assert bench.describe()["TrainingJobStatus"] == "Stopped"
    assert bench.statuses()[-2:] == ["Stopping", "MaxWaitTimeExceeded"]


def test_waits_may_be_drawn_too() -> None:
    plan = Plan(interruptions=2, spot_wait_mean_seconds=900, seed=5)
    steps = ran(plan).describe()["SecondaryStatusTransitions"]
    waits = [step["EndTime"] - step["StartTime"] for step in steps if step["Status"] == "Interrupted"]
    assert len(set(waits)) == 2
    assert "Insufficient capacity" in steps[0]["StatusMessage"]


def test_on_demand_jobs_are_neither_interrupted_nor_kept_waiting_by_the_model() -> None:
    plan = Plan(training_seconds=3000, interruptions_per_hour=50, spot_wait_mean_seconds=900)
    bench = ran(plan, create_request())
    assert bench.statuses() == ["Starting", "Downloading", "Training", "Uploading", "Completed"]
    assert bench.describe()["BillableTimeInSeconds"] == bench.describe()["TrainingTimeInSeconds"]


@pytest.mark.parametrize("seed", range(10))
def test_the_model_never_bills_more_than_was_trained(seed: int) -> None:
    described = ran(drawn(seed)).describe()
    assert 1 <= described["BillableTimeInSeconds"] <= described["TrainingTimeInSeconds"]


@pytest.mark.parametrize(
    ("algorithm", "checkpoints", "allowed"),
    [
        ({"TrainingImage": f"{REGISTRY}/linear-learner:1"}, CHECKPOINTS, False),
        ({"TrainingImage": f"{REGISTRY}/xgboost:1"}, CHECKPOINTS, False),
        ({"TrainingImage": f"{REGISTRY}/sagemaker-xgboost:1.7-1"}, CHECKPOINTS, True),
        ({"TrainingImage": f"{REGISTRY}/image-classification:1"}, CHECKPOINTS, True),
        ({"TrainingImage": f"{REGISTRY}/our-training:1"}, None, True),
        ({"AlgorithmName": "marketplace-algorithm"}, None, False),
        ({"AlgorithmName": "marketplace-algorithm"}, CHECKPOINTS, True),
    ],
)
def test_an_algorithm_without_checkpoints_waits_an_hour_at_most(
    algorithm: Any, checkpoints: Any, allowed: bool
) -> None:
    specification = {**algorithm, "TrainingInputMode": "File"}
    changes = {"AlgorithmSpecification": specification, "CheckpointConfig": checkpoints}
    Bench().call("CreateTrainingJob", **spot_request(max_wait=3600, **changes))
    if allowed:
        Bench().call("CreateTrainingJob", **spot_request(max_wait=3601, **changes))
        return
    with pytest.raises(ServiceError, match="3600") as caught:
        Bench().call("CreateTrainingJob", **spot_request(max_wait=3601, **changes))
    assert code_of(caught.value) == "ValidationException"
