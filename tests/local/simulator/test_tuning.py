"""A tuning job runs ordinary training jobs, a few at a time, and tells of its own beginning and end."""

import re
from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import START, Bench, code_of, create_request, pool_request
from tests.local.simulator.tuning_requests import ARN, children, definition, describe, tuning_request

RUN = 770  # the default plan
TUNING = "SageMaker HyperParameter Tuning Job State Change"
TRAINING = "SageMaker Training Job State Change"


def started(bench: Bench | None = None, **request: Any) -> Bench:
    bench = bench or Bench()
    bench.call("CreateHyperParameterTuningJob", **tuning_request(**request))
    return bench


def test_training_jobs_are_named_after_the_tuning_job_and_know_it() -> None:
    bench = started(Tags=[{"Key": "team", "Value": "vision"}])
    first, second = children(bench)
    assert re.fullmatch(r"tune-001-[0-9a-f]{8}", first["TrainingJobName"])
    assert second["TrainingJobName"].startswith("tune-002-")
    found = bench.describe(first["TrainingJobName"])
    assert found["TuningJobArn"] == ARN
    tags = bench.call("ListTags", ResourceArn=first["TrainingJobArn"])["Tags"]
    assert tags == [{"Key": "team", "Value": "vision"}]


def test_no_more_run_at_once_than_are_allowed_and_all_are_tried() -> None:
    bench = started(number=5, parallel=2)
    for running, ended in ((2, 0), (2, 2), (1, 4)):
        counters = describe(bench)["TrainingJobStatusCounters"]
        assert (counters["InProgress"], counters["Completed"]) == (running, ended)
        bench.pass_time(RUN)
    found = describe(bench)
    assert (found["HyperParameterTuningJobStatus"], found["TrainingJobStatusCounters"]["Completed"]) == ("Completed", 5)
    assert found["HyperParameterTuningEndTime"] == START + timedelta(seconds=3 * RUN)


def test_one_long_step_of_time_gives_the_same_as_many_short_ones() -> None:
    long, short = started(), started()
    long.pass_time(3 * RUN)
    for _ in range(3 * RUN // 10):
        short.pass_time(10)
    assert long.events == short.events
    assert describe(long) == describe(short)


def test_events_of_the_training_jobs_lie_between_those_of_the_tuning_job() -> None:
    bench = started(number=3, parallel=1)
    bench.pass_time(10_000)
    kinds = [event["DetailType"] for event in bench.events]
    assert kinds == [TUNING, *[TRAINING] * 15, TUNING]
    moments = [event["Time"] for event in bench.events]
    assert moments == sorted(moments)
    first, last = bench.events[0], bench.events[-1]
    assert first["Detail"]["HyperParameterTuningJobStatus"] == "InProgress"
    assert last["Detail"]["HyperParameterTuningJobStatus"] == "Completed"
    assert (last["Resources"], last["Detail"]["CreationTime"]) == ([ARN], str(round(START.timestamp() * 1000)))
    assert last["Detail"]["TrainingJobStatusCounters"]["Completed"] == 3


def test_a_keep_alive_period_never_reaches_a_training_job() -> None:
    resources = {**create_request()["ResourceConfig"], "KeepAlivePeriodInSeconds": 900}
    part = definition(HyperParameterTuningResourceConfig=None, ResourceConfig=resources)
    bench = started(TrainingJobDefinition=part, number=1, parallel=1)
    bench.pass_time(RUN)
    [child] = children(bench)
    found = bench.describe(child["TrainingJobName"])
    assert "KeepAlivePeriodInSeconds" not in found["ResourceConfig"]
    assert "WarmPoolStatus" not in found


def test_a_training_job_takes_no_pool_of_another_job() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request("job-1"))
    bench.pass_time(RUN)
    started(bench, number=1, parallel=1)
    assert bench.describe("job-1")["WarmPoolStatus"] == {"Status": "Available"}


def test_values_are_within_their_ranges_and_beside_the_static_ones() -> None:
    bench = started(number=20, parallel=20)
    for child in children(bench):
        values = child["TunedHyperParameters"]
        assert 0.001 <= float(values["lr"]) <= 0.1
        assert values["layers"] in {"2", "3", "4"}
        assert values["opt"] in {"adam", "sgd"}
        told = bench.describe(child["TrainingJobName"])["HyperParameters"]
        assert told == {"epochs": "3", "_tuning_objective_metric": "accuracy", **values}
    assert len({child["TunedHyperParameters"]["lr"] for child in children(bench)}) == 20


def test_a_grid_goes_through_every_combination() -> None:
    ranges = [{"Name": "a", "Values": ["1", "2"]}, {"Name": "b", "Values": ["x", "y"]}]
    config = {
        "Strategy": "Grid",
        "ResourceLimits": {"MaxParallelTrainingJobs": 4},
        "ParameterRanges": {"CategoricalParameterRanges": ranges},
    }
    found = children(started(HyperParameterTuningJobConfig=config))
    assert [tuple(child["TunedHyperParameters"].values()) for child in found] == [
        ("1", "x"),
        ("1", "y"),
        ("2", "x"),
        ("2", "y"),
    ]


def test_the_best_training_job_has_the_best_objective() -> None:
    bench = started()
    assert "BestTrainingJob" not in describe(bench)
    bench.pass_time(10_000)
    by_metric = children(bench, SortBy="FinalObjectiveMetricValue", SortOrder="Descending")
    best = describe(bench)["BestTrainingJob"]
    assert best == by_metric[0]
    assert best["FinalHyperParameterTuningJobObjectiveMetric"]["MetricName"] == "accuracy"
    assert describe(bench)["ObjectiveStatusCounters"] == {"Succeeded": 5, "Pending": 0, "Failed": 0}


def test_a_plan_may_be_given_for_one_number_or_for_all() -> None:
    bench = started(Bench(tune=Plan(training_seconds=100), tune_002=Plan(outcome="Failed")), number=3, parallel=3)
    bench.pass_time(10_000)
    assert [child["TrainingJobStatus"] for child in children(bench)] == ["Completed", "Failed", "Completed"]
    found = describe(bench)
    assert (found["HyperParameterTuningJobStatus"], found["TrainingJobStatusCounters"]["NonRetryableError"]) == (
        "Completed",
        1,
    )
    ended = [child["TrainingEndTime"] for child in children(bench)]
    assert ended[0] == START + timedelta(seconds=270)


def test_a_tuning_job_whose_training_jobs_all_failed_has_failed() -> None:
    bench = started(Bench(tune=Plan(outcome="Failed")), number=2, parallel=1)
    bench.pass_time(10_000)
    assert describe(bench)["HyperParameterTuningJobStatus"] == "Failed"
    assert describe(bench)["FailureReason"].startswith("All training jobs failed")


def test_a_stopped_tuning_job_stops_its_training_jobs_and_starts_no_more() -> None:
    bench = started()
    bench.pass_time(RUN + 10)
    bench.call("StopHyperParameterTuningJob", HyperParameterTuningJobName="tune")
    assert describe(bench)["HyperParameterTuningJobStatus"] == "Stopping"
    bench.pass_time(10_000)
    found = describe(bench)
    assert found["HyperParameterTuningJobStatus"] == "Stopped"
    assert found["TrainingJobStatusCounters"] == {
        "Completed": 2,
        "Stopped": 2,
        "NonRetryableError": 0,
        "InProgress": 0,
        "RetryableError": 0,
    }
    assert found["HyperParameterTuningEndTime"] == START + timedelta(seconds=RUN + 10 + 60)
    statuses = [e["Detail"]["HyperParameterTuningJobStatus"] for e in bench.events if e["DetailType"] == TUNING]
    assert statuses == ["InProgress", "Stopping", "Stopped"]
    with pytest.raises(ServiceError, match="in status Stopped"):
        bench.call("StopHyperParameterTuningJob", HyperParameterTuningJobName="tune")


def test_a_training_job_stopped_by_hand_makes_room_for_the_next() -> None:
    bench = started(number=3, parallel=1)
    bench.call("StopTrainingJob", TrainingJobName=children(bench)[0]["TrainingJobName"])
    bench.pass_time(60)
    assert [child["TrainingJobStatus"] for child in children(bench)] == ["Stopped", "InProgress"]


def test_what_the_account_refuses_ends_the_tuning_job(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = started(number=3, parallel=1)

    def refuse(*_: Any) -> None:
        raise ServiceError("ResourceLimitExceeded", "The account-level service limit is 1 Instances")

    monkeypatch.setattr(bench.simulator, "start", refuse)
    bench.pass_time(10_000)
    found = describe(bench)
    assert (found["HyperParameterTuningJobStatus"], len(children(bench))) == ("Failed", 1)
    assert "service limit" in found["FailureReason"]


def test_a_name_is_in_use_in_any_case() -> None:
    bench = started()
    with pytest.raises(ServiceError) as caught:
        bench.call("CreateHyperParameterTuningJob", **tuning_request("TUNE"))
    assert code_of(caught.value) == "ResourceInUse"
    assert describe(bench, "Tune")["HyperParameterTuningJobName"] == "tune"
