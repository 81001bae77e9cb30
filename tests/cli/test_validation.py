"""`validate` joins the rules with botocore's model of the API, and repeats no secret."""

from typing import Any

import pytest

from tests.cli.requests import GOOD
from tests.team_facts import facts
from trainops_notebook import validate
from trainops_notebook.validation import model_findings


def found(**changes: Any) -> list[tuple[str, str, str]]:
    """Rule, place and remedy of what the model says."""
    return [(each.rule, each.path, each.remedy) for each in model_findings(GOOD | changes)]


def test_a_misspelt_member_is_named_with_the_right_one() -> None:
    stopping = {"MaxRuntimeInSeconds": 60, "MaxWaitTime": 60}
    assert found(StoppingCondition=stopping) == [
        ("api-unknown-member", "StoppingCondition.MaxWaitTime", "Did you mean MaxWaitTimeInSeconds?")
    ]
    assert found(StopingCondition={})[0][1:] == ("StopingCondition", "Did you mean StoppingCondition?")


def test_a_missing_member_is_named_by_its_path() -> None:
    assert found(OutputDataConfig={}) == [("api-missing-member", "OutputDataConfig.S3OutputPath", "Add it.")]
    without_role = {name: value for name, value in GOOD.items() if name != "RoleArn"}
    assert [finding.path for finding in model_findings(without_role)] == ["RoleArn"]


def test_wrong_types_and_too_small_values_are_named() -> None:
    wrong = found(StoppingCondition={"MaxRuntimeInSeconds": "60"}, Tags=[{"Key": "", "Value": "x"}], VpcConfig=3)
    assert {path for _, path, _ in wrong} == {"StoppingCondition.MaxRuntimeInSeconds", "Tags[0].Key", "VpcConfig"}


def test_a_request_that_is_no_mapping_of_members_is_one_finding() -> None:
    assert [finding.path for finding in model_findings({"x\ny": 1})].count("request") == 0
    assert found(ResourceConfig=None)[0][1] == "ResourceConfig"


@pytest.mark.parametrize("member", ["Environment", "HyperParameters"])
def test_values_that_may_be_secrets_are_not_repeated(member: str) -> None:
    findings = list(model_findings(GOOD | {member: {"TOKEN": ["hush,\nInvalid hush"]}}))
    assert [finding.path for finding in findings] == [f"{member}.TOKEN"]
    assert "hush" not in str(findings[0])


def test_a_tuning_job_is_checked_by_its_own_model() -> None:
    tuning = {"HyperParameterTuningJobName": "tune", "HyperParameterTuningJobConfig": {"Strategy": "Random"}}
    assert [finding.path for finding in model_findings(tuning)] == ["HyperParameterTuningJobConfig.ResourceLimits"]


def test_both_kinds_of_findings_come_together() -> None:
    rules = {finding.rule for finding in validate({**GOOD, "Xyz": 1}, facts=facts())}
    assert {"api-unknown-member", "tag-missing"} <= rules
