"""A tuning job ends when its time is over or a criterion is met; with early stopping, weak training jobs end sooner."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.plans import Plan
from local.sagemaker.switches import Switches
from tests.local.simulator.bench import START, Bench
from tests.local.simulator.tuning_requests import children, describe, tuning_request

RUN = 770  # the default plan
TUNING = "SageMaker HyperParameter Tuning Job State Change"
BASE = tuning_request()["HyperParameterTuningJobConfig"]


def config(*, number: int = 9, parallel: int = 1, seconds: int | None = None, **changes: Any) -> dict[str, Any]:
    limits = {"MaxNumberOfTrainingJobs": number, "MaxParallelTrainingJobs": parallel, "MaxRuntimeInSeconds": seconds}
    given = {name: value for name, value in limits.items() if value is not None}
    return {**BASE, "ResourceLimits": given, **changes}


def started(*objectives: float, end_in: str = "Completed", **changes: Any) -> Bench:
    """A tuning job whose training jobs measure these objectives in turn."""
    bench = Bench()
    bench.simulator.switches = Switches.from_json({"tuning_criteria_end_in": end_in})
    for number, objective in enumerate(objectives, start=1):
        bench.simulator.plans[f"tune-{number:03}"] = Plan(objective=objective)
    bench.call("CreateHyperParameterTuningJob", **tuning_request(HyperParameterTuningJobConfig=config(**changes)))
    return bench


def ended(bench: Bench) -> tuple[str, list[str]]:
    """The tuning job's status once all is over, and those of its training jobs."""
    bench.pass_time(100_000)
    return describe(bench)["HyperParameterTuningJobStatus"], [job["TrainingJobStatus"] for job in children(bench)]


def told(bench: Bench) -> list[str]:
    return [e["Detail"]["HyperParameterTuningJobStatus"] for e in bench.events if e["DetailType"] == TUNING]


@pytest.mark.parametrize(
    ("end_in", "statuses"),
    [("Completed", ["InProgress", "Completed"]), ("Stopped", ["InProgress", "Stopping", "Stopped"])],
)
def test_when_its_time_is_over_what_runs_is_stopped_and_nothing_more_started(end_in: str, statuses: list[str]) -> None:
    bench = started(parallel=2, seconds=1000, end_in=end_in)
    bench.pass_time(1000)
    assert [job["TrainingJobStatus"] for job in children(bench)] == ["Completed", "Completed", "Stopping", "Stopping"]
    assert ended(bench) == (end_in, ["Completed", "Completed", "Stopped", "Stopped"])
    assert told(bench) == statuses
    found = describe(bench)
    assert found["HyperParameterTuningEndTime"] == START + timedelta(seconds=1060)
    assert found["ConsumedResources"] == {"RuntimeInSeconds": 1060}, "by the wall clock"


def test_time_that_passes_in_one_step_ends_a_tuning_job_as_many_small_ones_do() -> None:
    long, short = (started(parallel=3, seconds=1000, end_in="Stopped") for _ in range(2))
    long.pass_time(2000)
    for _ in range(200):
        short.pass_time(10)
    assert long.events == short.events
    assert describe(long) == describe(short)


def test_training_jobs_that_end_with_its_time_are_complete_and_the_last() -> None:
    assert ended(started(parallel=2, seconds=RUN)) == ("Completed", ["Completed", "Completed"])


def test_a_tuning_job_that_is_done_before_its_time_is_over_is_left_alone() -> None:
    assert ended(started(number=1, seconds=1000)) == ("Completed", ["Completed"])


@pytest.mark.parametrize(
    ("kind", "objectives", "count"),
    [("Maximize", (0.1, 0.9, 0.5), 2), ("Minimize", (0.9, 0.95, 0.1), 3), ("Maximize", (0.1, 0.2, 0.3), 9)],
)
def test_a_target_that_is_reached_ends_it(kind: str, objectives: tuple[float, ...], count: int) -> None:
    target = {"TargetObjectiveMetricValue": 0.9 if kind == "Maximize" else 0.1}
    objective = {"Type": kind, "MetricName": "accuracy"}
    worst = (0.0 if kind == "Maximize" else 1.0,) * 6
    bench = started(*objectives, *worst, HyperParameterTuningJobObjective=objective, TuningJobCompletionCriteria=target)
    assert ended(bench) == ("Completed", ["Completed"] * count)


def test_a_target_that_one_reaches_stops_the_others() -> None:
    bench = Bench(tune=Plan(training_seconds=2000), tune_002=Plan(objective=1))
    criteria = {"TargetObjectiveMetricValue": 1.0}
    request = tuning_request(HyperParameterTuningJobConfig=config(parallel=3, TuningJobCompletionCriteria=criteria))
    bench.call("CreateHyperParameterTuningJob", **request)
    assert ended(bench) == ("Completed", ["Stopped", "Completed", "Stopped"])
    assert describe(bench)["BestTrainingJob"]["TrainingJobName"].startswith("tune-002")


@pytest.mark.parametrize(
    ("objectives", "count", "without"),
    [
        ((0.5, 0.4, 0.504, 0.3, 0.9), 4, 3),  # 0.504 improves 0.5 by less than 1 %
        ((0.5, 0.4, 0.51, 0.3, 0.2, 0.1, 0.9), 6, 3),
    ],
)
def test_so_many_training_jobs_without_improvement_end_it(
    objectives: tuple[float, ...], count: int, without: int
) -> None:
    limit = {"BestObjectiveNotImproving": {"MaxNumberOfTrainingJobsNotImproving": 3}}
    bench = started(*objectives, TuningJobCompletionCriteria=limit)
    assert ended(bench) == ("Completed", ["Completed"] * count)
    assert describe(bench)["TuningJobCompletionDetails"] == {"NumberOfTrainingJobsObjectiveNotImproving": without}


@pytest.mark.parametrize(("flag", "count"), [("Enabled", 11), ("Disabled", 14)])
def test_a_converged_tuning_job_ends_when_it_was_asked_to(flag: str, count: int) -> None:
    criteria = {"ConvergenceDetected": {"CompleteOnConvergence": flag}}
    bench = started(0.9, *(0.1,) * 13, number=14, TuningJobCompletionCriteria=criteria)
    assert ended(bench) == ("Completed", ["Completed"] * count)
    detected = describe(bench)["TuningJobCompletionDetails"]["ConvergenceDetectedTime"]
    assert detected == START + timedelta(seconds=11 * RUN)


@pytest.mark.parametrize(("early", "second"), [("Auto", "Stopped"), ("Off", "Completed")])
def test_early_stopping_cuts_short_what_will_be_worse_than_the_median(early: str, second: str) -> None:
    bench = started(0.5, 0.4, 0.6, number=3, TrainingJobEarlyStoppingType=early)
    assert ended(bench) == ("Completed", ["Completed", second, "Completed"])
    if second == "Stopped":
        assert children(bench)[1]["TrainingEndTime"] == START + timedelta(seconds=RUN + 120 + 30 + 300 + 60)
