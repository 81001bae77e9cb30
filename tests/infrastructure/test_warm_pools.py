"""Warm pools as they are deployed: shares of the limits, permission to change, the sweep's heartbeat, warnings."""

import json

import pytest

from tests.infrastructure.conftest import Deployment


@pytest.mark.case("IA-06")
def test_a_sweep_that_is_disabled_or_fails_for_two_periods_is_an_alarm(full: Deployment) -> None:
    beats = [item for item in full.properties("AWS::CloudWatch::Alarm") if item["MetricName"] == "Swept"]
    (alarm,) = [item for item in beats if {"Name": "service", "Value": "warm_pool_sweep"} in item["Dimensions"]]
    (rule,) = [item for item in full.properties("AWS::Events::Rule") if "Looks for warm pools" in item["Description"]]
    assert rule["ScheduleExpression"] == "rate(15 minutes)"
    assert (alarm["Period"], alarm["EvaluationPeriods"], alarm["Statistic"]) == (900, 2, "Sum")
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (1, "LessThanThreshold")
    assert alarm["TreatMissingData"] == "breaching", "a sweep that says nothing is the fault"
    assert alarm["Dimensions"] == [{"Name": "service", "Value": "warm_pool_sweep"}]
    assert alarm["AlarmActions"]


def test_warm_pools_take_at_most_two_fifths_of_the_update_limit_and_half_of_the_list_limit_with_the_reconciler(
    full: Deployment,
) -> None:
    control = full.function("warm_pool_control")["Environment"]["Variables"]
    assert 2 / float(control["UPDATE_SPACING"]) <= 0.4 * 1
    spacings = [
        float(full.function(name)["Environment"]["Variables"]["LIST_SPACING"])
        for name in ("job_reconcile", "warm_pool_sweep")
    ]
    assert sum(1 / spacing for spacing in spacings) <= 0.5 * 2


def test_only_where_a_team_enforces_may_keep_alive_periods_be_changed_and_nothing_else(
    full: Deployment, empty: Deployment
) -> None:
    [changing] = [item for item in full.statements("warm_pool_control") if "UpdateTrainingJob" in str(item["Action"])]
    assert changing["Condition"] == {
        "NumericLessThanEquals": {"sagemaker:KeepAlivePeriod": "3600"},
        "BoolIfExists": {"sagemaker:EnableRemoteDebug": "false"},
    }
    assert "UpdateTrainingJob" not in json.dumps(empty.operations), "observing touches nothing"
