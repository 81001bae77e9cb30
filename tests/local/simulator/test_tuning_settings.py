"""What a tuning job may be asked beside ranges and limits: warm start, Autotune, a random seed, Hyperband."""

from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import Bench, code_of
from tests.local.simulator.tuning_requests import children, definition, describe, tuning_request

RUN = 770  # the default plan
BASE = tuning_request()["HyperParameterTuningJobConfig"]


def measuring(objective: float) -> Bench:
    """`tune`, whose only training job will measure this."""
    bench = Bench(tune=Plan(objective=objective))
    bench.call("CreateHyperParameterTuningJob", **tuning_request(number=1, parallel=1))
    return bench


def warm(parent: str, kind: str = "IdenticalDataAndAlgorithm") -> dict[str, Any]:
    return {
        "ParentHyperParameterTuningJobs": [{"HyperParameterTuningJobName": parent}],
        "WarmStartType": kind,
    }


@pytest.mark.parametrize("kind", ["IdenticalDataAndAlgorithm", "TransferLearning"])
def test_a_warm_start_with_the_same_data_names_the_best_of_all(kind: str) -> None:
    bench = measuring(0.9)
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
    bench = measuring(0.9)
    other = dict(BASE, HyperParameterTuningJobObjective={"Type": "Maximize", "MetricName": "f1"})

    def refusal(parent: str, config_: dict[str, Any]) -> str:
        request = tuning_request("next", WarmStartConfig=warm(parent), HyperParameterTuningJobConfig=config_)
        with pytest.raises(ServiceError) as caught:
            bench.call("CreateHyperParameterTuningJob", **request)
        return f"{code_of(caught.value)} {caught.value}"

    assert refusal("nobody", BASE).startswith("ResourceNotFound")
    assert (
        refusal("tune", BASE)
        == "ValidationException The parent tuning job tune is InProgress, not Completed or Stopped"
    )
    bench.pass_time(RUN)
    assert refusal("tune", other) == "ValidationException The parent tuning job tune has another objective metric"


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
TOO_SHORT = {**BASE, "ResourceLimits": {**BASE["ResourceLimits"], "MaxRuntimeInSeconds": 119}}
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
        (TOO_SHORT, {}, "MaxRuntimeInSeconds"),
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
