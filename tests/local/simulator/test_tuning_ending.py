"""A tuning job ends when its time is over or a criterion is met; with early stopping, weak training jobs end sooner."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from local.sagemaker.switches import Switches
from tests.local.simulator.bench import START, Bench, code_of
from tests.local.simulator.tuning_requests import children, definition, describe, tuning_request

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
    bench = Bench(tune=Plan(training_seconds=5000), tune_002=Plan(objective=1))
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


def warm(parent: str, kind: str = "IdenticalDataAndAlgorithm") -> dict[str, Any]:
    return {
        "ParentHyperParameterTuningJobs": [{"HyperParameterTuningJobName": parent}],
        "WarmStartType": kind,
    }


@pytest.mark.parametrize("kind", ["IdenticalDataAndAlgorithm", "TransferLearning"])
def test_a_warm_start_with_the_same_data_names_the_best_of_all(kind: str) -> None:
    bench = started(0.9, number=1)
    bench.pass_time(RUN)
    bench.simulator.plans["next"] = Plan(objective=0.3)
    request = tuning_request("next", number=1, parallel=1, WarmStartConfig=warm("tune", kind))
    bench.call("CreateHyperParameterTuningJob", **request)
    bench.pass_time(RUN)
    found = describe(bench, "next")
    assert found["BestTrainingJob"]["TrainingJobName"].startswith("next-001")
    if kind == "TransferLearning":
        assert "OverallBestTrainingJob" not in found
    else:
        overall = found["OverallBestTrainingJob"]
        assert (overall["TuningJobName"], overall["TrainingJobName"][:8]) == ("tune", "tune-001")


def test_a_warm_start_needs_parents_that_ended_with_the_same_metric() -> None:
    bench = started(number=1)
    other = config(HyperParameterTuningJobObjective={"Type": "Maximize", "MetricName": "f1"})
    for request, code, why in (
        ({"WarmStartConfig": warm("nobody")}, "ResourceNotFound", "not found"),
        ({"WarmStartConfig": warm("tune")}, "ValidationException", "is InProgress"),
        ({"WarmStartConfig": warm("tune"), "HyperParameterTuningJobConfig": other}, "ValidationException", "another"),
    ):
        if why == "another":
            bench.pass_time(RUN)
        with pytest.raises(ServiceError, match=why) as caught:
            bench.call("CreateHyperParameterTuningJob", **tuning_request("next", **request))
        assert code_of(caught.value) == code


def test_autotune_chooses_the_number_of_training_jobs_and_keeps_the_hints() -> None:
    limits = {"MaxParallelTrainingJobs": 2}
    ranges = {"AutoParameters": [{"Name": "depth", "ValueHint": "6"}]}
    asked = {**BASE, "ResourceLimits": limits, "ParameterRanges": ranges}
    bench = Bench()
    request = tuning_request(HyperParameterTuningJobConfig=asked, Autotune={"Mode": "Enabled"})
    bench.call("CreateHyperParameterTuningJob", **request)
    bench.pass_time(100_000)
    assert [job["TunedHyperParameters"] for job in children(bench)] == [{"depth": "6"}] * 10
    assert describe(bench)["Autotune"] == {"Mode": "Enabled"}


def test_another_random_seed_tries_other_values_and_the_same_one_the_same() -> None:
    tried = []
    for seed in (1, 1, 2):
        bench = Bench()
        request = tuning_request(HyperParameterTuningJobConfig={**BASE, "RandomSeed": seed})
        bench.call("CreateHyperParameterTuningJob", **request)
        tried.append(children(bench)[0]["TunedHyperParameters"]["lr"])
    assert tried[0] == tried[1] != tried[2]


HYPERBAND = {**BASE, "Strategy": "Hyperband"}
HINTS = {"AutoParameters": [{"Name": "a", "ValueHint": "1"}]}


def hyperband(most: int | None = None, **changes: Any) -> dict[str, Any]:
    settings = {} if most is None else {"MaxResource": most}
    return {**changes, "StrategyConfig": {"HyperbandStrategyConfig": settings}}


@pytest.mark.parametrize(
    ("config_", "static", "why"),
    [
        (hyperband(**BASE), {"epochs": "3"}, "only supported for the strategy Hyperband"),
        ({**HYPERBAND, "TrainingJobEarlyStoppingType": "Auto"}, {"epochs": "3"}, "must be Off"),
        (hyperband(20_001, **HYPERBAND), {}, "must not exceed 20000"),
        (HYPERBAND, {}, "MaxResource is required"),
        ({**BASE, "ParameterRanges": HINTS}, {}, "need Autotune"),
        (config(seconds=119), {}, "MaxRuntimeInSeconds"),
    ],
)
def test_what_the_strategy_excludes_is_refused(config_: dict[str, Any], static: dict[str, str], why: str) -> None:
    part = definition(StaticHyperParameters=static)
    request = tuning_request(HyperParameterTuningJobConfig=config_, TrainingJobDefinition=part)
    with pytest.raises(ServiceError, match=why) as caught:
        Bench().call("CreateHyperParameterTuningJob", **request)
    assert code_of(caught.value) == "ValidationException"


def test_hyperband_finds_its_epochs_among_the_static_hyperparameters() -> None:
    bench = Bench()
    bench.call("CreateHyperParameterTuningJob", **tuning_request(HyperParameterTuningJobConfig=HYPERBAND))
    assert describe(bench)["HyperParameterTuningJobConfig"]["Strategy"] == "Hyperband"
