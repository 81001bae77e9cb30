"""Mistakes in a request are found before any call: which rule, where, and what to do."""

from typing import Any

import pytest

from tests.unit.training_request import RUN, WAIT, only, request, spot
from trainops.domain.findings import errors
from trainops.domain.request_checks import check_request


def test_a_request_in_order_has_no_findings() -> None:
    assert check_request(request()) == []
    assert check_request(spot()) == []
    assert check_request(request(resources={"KeepAlivePeriodInSeconds": 3600})) == []


@pytest.mark.case("SP-10")
def test_a_maximum_wait_without_spot_is_explained() -> None:
    finding = only(request(StoppingCondition={RUN: 3000, WAIT: 3600}))
    assert (finding.rule, finding.severity) == ("max-wait-without-spot", "error")
    assert (finding.path, finding.value) == ("StoppingCondition.MaxWaitTimeInSeconds", 3600)
    assert "only managed spot training waits" in finding.problem
    assert "EnableManagedSpotTraining" in finding.remedy


@pytest.mark.case("SP-10")
@pytest.mark.parametrize(("wait", "rules"), [(3599, ["max-wait-below-max-run"]), (3600, []), (3601, [])])
def test_the_maximum_wait_includes_the_run(wait: int, rules: list[str]) -> None:
    assert [finding.rule for finding in errors(check_request(spot(run=3600, wait=wait)))] == rules


def test_the_wait_is_compared_with_a_day_when_the_run_is_not_stated() -> None:
    found = check_request(request(EnableManagedSpotTraining=True, StoppingCondition={WAIT: 86_399}))
    assert [finding.rule for finding in found if "86400" in finding.problem] == ["max-wait-below-max-run"]


def test_spot_without_a_maximum_wait_is_told_the_least() -> None:
    finding = only(spot(run=5000, wait=None))
    assert finding.rule == "spot-without-max-wait"
    assert "at least 5000" in finding.remedy


@pytest.mark.case("SP-08")
@pytest.mark.parametrize(("run", "rules"), [(3601, ["spot-without-checkpoints"]), (3600, [])])
def test_a_long_spot_job_without_checkpoints_is_warned_of_and_a_short_one_is_not(run: int, rules: list[str]) -> None:
    found = check_request(spot(run=run, wait=run, CheckpointConfig={}))
    assert [finding.rule for finding in found] == rules
    assert all(finding.severity == "warning" for finding in found)


@pytest.mark.case("CK-04")
def test_the_one_place_for_checkpoints_is_named() -> None:
    assert "/opt/ml/checkpoints" in only(spot(CheckpointConfig={})).remedy


@pytest.mark.case("CK-01")
def test_a_checkpoint_place_without_a_slash_restores_its_neighbours() -> None:
    finding = only(spot(CheckpointConfig={"S3Uri": "s3://b/team/exp-1"}))
    assert finding.rule == "checkpoint-without-slash"
    assert "s3://b/team/exp-10" in finding.problem
    assert "'s3://b/team/exp-1/'" in finding.remedy


@pytest.mark.parametrize(("repository", "refused"), [("kmeans", True), ("xgboost", True), ("object-detection", False)])
def test_built_in_algorithms_without_checkpoints_wait_for_an_hour_at_most(repository: str, refused: bool) -> None:
    image = f"811284229777.dkr.ecr.us-east-1.amazonaws.com/{repository}:1"
    algorithm = {"TrainingImage": image, "TrainingInputMode": "File"}
    for wait, found in ((3600, False), (3601, refused)):
        findings = check_request(spot(run=1800, wait=wait, AlgorithmSpecification=algorithm))
        assert ("max-wait-of-algorithm-without-checkpoints" in {each.rule for each in findings}) is found


@pytest.mark.parametrize(
    ("stopping", "rules"),
    [
        ({}, ["max-run-not-stated"]),
        ({RUN: 3600}, ["max-run-of-sdk-v3"]),
        ({RUN: 3601}, []),
        ({RUN: 432_000}, []),
        ({RUN: 432_001}, ["max-run-over-quota"]),
        ({RUN: 28 * 86_400 + 1}, ["max-run-over-api"]),
    ],
)
def test_how_long_a_job_may_run_is_stated_and_within_limits(stopping: dict[str, int], rules: list[str]) -> None:
    assert [finding.rule for finding in check_request(request(StoppingCondition=stopping))] == rules


@pytest.mark.parametrize(
    ("name", "proposal"),
    [("under_score", "'under-score'"), ("v1.2", "'v1-2'"), ("ends-", "'ends'"), ("x" * 64, repr("x" * 63))],
)
def test_a_wrong_name_comes_back_with_a_right_one(name: str, proposal: str) -> None:
    finding = only(request(TrainingJobName=name))
    assert finding.rule == "job-name"
    assert proposal in finding.remedy


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"ResourceConfig": None, "StoppingCondition": "soon", "Tags": [3], "EnableManagedSpotTraining": "yes"},
        {"ResourceConfig": {"InstanceGroups": [None, {"InstanceType": 5}], "KeepAlivePeriodInSeconds": True}},
        {"HyperParameterTuningJobName": 1, "TrainingJobDefinition": []},
    ],
)
def test_members_of_the_wrong_kind_read_as_missing(members: dict[str, Any]) -> None:
    assert {finding.rule for finding in check_request(members)} <= {"max-run-not-stated"}


def test_errors_come_first_and_read_as_one_line() -> None:
    found = check_request(request(StoppingCondition={WAIT: 60}))
    assert [finding.severity for finding in found] == ["error", "warning"]
    assert str(found[0]).startswith("error: StoppingCondition.MaxWaitTimeInSeconds = 60: only managed spot")
    assert str(found[0]).endswith("[max-wait-without-spot]")
