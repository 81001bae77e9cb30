"""Each unverified behaviour has a switch, and both of its positions do what they say."""

from dataclasses import fields
from typing import Any

import pytest

from local.control import SwitchFields
from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from local.sagemaker.switches import OTHER_POSITIONS, Switches
from tests.local.simulator.bench import Bench, code_of, create_request, spot_request


def switched(*, plan: Plan | None = None, **positions: Any) -> Bench:
    """A bench whose simulator was started with these positions."""
    bench = Bench(job_1=plan or Plan())
    bench.simulator.switches = Switches.from_json(positions)
    return bench


def emitted(bench: Bench) -> list[str]:
    return [event["Detail"]["SecondaryStatus"] for event in bench.events]


def test_the_client_knows_every_switch() -> None:
    assert set(SwitchFields.__annotations__) == {field.name for field in fields(Switches)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"colour": "red"},
        {"pool_pick": "any"},
        {"keep_alive_cap": 7200},
        {"interrupted_emits": "no"},
        {"describe_lag_seconds": -1},
        {"describe_lag_seconds": True},
    ],
)
def test_a_position_that_does_not_exist_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Switches.from_json(wrong)


def test_a_change_leaves_the_other_switches_alone() -> None:
    first = Switches.from_json({"pool_pick": "fifo"})
    assert Switches.from_json({"arn_case": "given"}, current=first) == Switches(pool_pick="fifo", arn_case="given")


@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        ({}, ["Starting", "Downloading", "Training", "Interrupted"]),
        ({"interrupted_emits": False}, ["Starting", "Downloading", "Training"]),
        ({"transitions_emit": "primary"}, ["Starting"]),
    ],
)
def test_transitions_are_events_or_not(positions: dict[str, Any], expected: list[str]) -> None:
    bench = switched(plan=Plan(interruptions=1, training_seconds=100), **positions)
    bench.call("CreateTrainingJob", **spot_request())
    bench.pass_time(120 + 30 + 50)
    assert emitted(bench) == expected


def test_only_primary_transitions_still_tell_stopping_and_the_end() -> None:
    bench = switched(transitions_emit="primary")
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(300)
    bench.call("StopTrainingJob", TrainingJobName="job-1")
    bench.pass_time(300)
    assert emitted(bench) == ["Starting", "Stopping", "Stopped"]


@pytest.mark.parametrize(("fill", "tags"), [(True, {"team": "vision"}), (False, {})])
def test_events_have_the_jobs_tags_or_none(fill: bool, tags: dict[str, str]) -> None:
    bench = switched(events_fill_tags=fill)
    bench.call("CreateTrainingJob", **create_request(Tags=[{"Key": "team", "Value": "vision"}]))
    assert bench.events[0]["Detail"]["Tags"] == tags


@pytest.mark.parametrize(
    ("kind", "tags"), [("object", {"team": "vision"}), ("list", [{"Key": "team", "Value": "vision"}])]
)
def test_tags_of_an_event_are_an_object_or_a_list(kind: str, tags: object) -> None:
    bench = switched(event_tags=kind)
    bench.call("CreateTrainingJob", **create_request(Tags=[{"Key": "team", "Value": "vision"}]))
    assert bench.events[0]["Detail"]["Tags"] == tags


@pytest.mark.parametrize(("fill", "count"), [(True, 2), (False, 0)])
def test_events_list_the_transitions_so_far_or_none(fill: bool, count: int) -> None:
    bench = switched(events_fill_transitions=fill)
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(120)
    assert len(bench.events[-1]["Detail"]["SecondaryStatusTransitions"]) == count


@pytest.mark.parametrize("code", ["ResourceNotFound", "ValidationException"])
def test_a_missing_job_is_told_by_either_code(code: str) -> None:
    with pytest.raises(ServiceError, match=r"Requested resource not found\.") as caught:
        switched(describe_missing_job=code).describe("nobody")
    assert code_of(caught.value) == code


@pytest.mark.parametrize(("case", "name"), [("lower", "resnet-a"), ("given", "ResNet-A")])
def test_the_arn_has_the_name_in_lower_case_or_as_given(case: str, name: str) -> None:
    bench = switched(arn_case=case)
    answer = bench.call("CreateTrainingJob", **create_request("ResNet-A"))
    assert answer["TrainingJobArn"].endswith(f":training-job/{name}")
    assert bench.describe("ResNet-A")["TrainingJobArn"] == answer["TrainingJobArn"]


@pytest.mark.parametrize(("lag", "seen"), [(0, "Completed"), (15, "Uploading")])
def test_a_description_may_lag_behind_the_event(lag: float, seen: str) -> None:
    bench = switched(describe_lag_seconds=lag)
    bench.call("CreateTrainingJob", **create_request())
    assert bench.describe()["SecondaryStatus"] == "Starting", "a job is described at once"
    bench.pass_time(770)
    assert emitted(bench)[-1] == "Completed"
    assert bench.describe()["SecondaryStatus"] == seen
    assert ("BillableTimeInSeconds" in bench.describe()) is (seen == "Completed")
    bench.pass_time(30)
    assert bench.describe()["SecondaryStatus"] == "Completed"


@pytest.mark.parametrize("shown", [True, False])
def test_a_job_that_never_started_has_an_end_or_not(shown: bool) -> None:
    bench = switched(plan=Plan(outcome="Failed", fails_in="Starting"), unstarted_job_has_end_time=shown)
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(3600)
    assert ("TrainingEndTime" in bench.describe()) is shown
    assert ("TrainingEndTime" in bench.events[-1]["Detail"]) is shown


def test_the_other_positions_turn_every_switch() -> None:
    turned, plain = Switches.from_json(OTHER_POSITIONS), Switches()
    assert [f.name for f in fields(Switches) if getattr(turned, f.name) == getattr(plain, f.name)] == []
