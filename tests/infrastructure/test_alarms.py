"""When a person is called, with which threshold, and what silence means."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aws_cdk import Stack
from aws_cdk import aws_cloudwatch as cloudwatch

from stacks.alarm_limits import RefusedAlarm, check_alarms
from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function
from stacks.building_blocks.layer import ROOT
from stacks.building_blocks.published import figure
from stacks.capabilities.money_alarms import DAY
from stacks.running_cost import metrics_of
from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, new_app, synthesise
from trainops.telemetry import SENDERS, Metric, TeamMetric

INSTANCE_TYPES = [f"ml.g5.{size}" for size in ("xlarge", "2xlarge", "4xlarge", "8xlarge", "12xlarge", "16xlarge")] + [
    f"ml.p4d.{number}xlarge" for number in range(8)
]
SILENCE_IS_A_FAULT = {
    *("sweep-silent", "reconciler-silent", "quota-tracker-silent", "self-check-silent"),
    *("checkpoint-watch-silent", "price-refresh-silent", "recount-silent", "weekly-report-silent"),
}


def anchors() -> set[str]:
    """The runbook's sections, as GitHub and most wikis address them."""
    lines = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8").splitlines()
    return {line.removeprefix("## ").lower().replace(" ", "-") for line in lines if line.startswith("## ")}


def alarm_on(deployment: Deployment, metric: str, dimension: str) -> Mapping[str, Any]:
    [found] = [
        alarm
        for alarm in deployment.properties("AWS::CloudWatch::Alarm")
        for named in metrics_of(alarm)[:1]
        if named["MetricName"] == metric and named["Dimensions"][0]["Value"] == dimension
    ]
    return found


def test_every_alarm_says_what_to_do_and_what_silence_means(full: Deployment) -> None:
    for alarm in full.properties("AWS::CloudWatch::Alarm"):
        text, _, anchor = alarm["AlarmDescription"].rpartition(": docs/runbook.md#")
        assert len(text) > 20
        assert anchor in anchors(), anchor
        assert alarm["TreatMissingData"] == ("breaching" if anchor in SILENCE_IS_A_FAULT else "notBreaching")
        assert alarm["AlarmActions"]


def test_an_alarm_leads_to_the_runbook_that_the_settings_name(tmp_path: Path) -> None:
    settings = Settings.model_validate({"alarms": {"runbook_url": "https://wiki.example.com/runbook"}})
    descriptions = [
        alarm["AlarmDescription"] for alarm in synthesise(settings, tmp_path).properties("AWS::CloudWatch::Alarm")
    ]
    assert descriptions
    assert all(": https://wiki.example.com/runbook#" in text for text in descriptions)


@pytest.mark.case("IA-06")
@pytest.mark.parametrize(
    ("function", "statistic", "comparison"),
    [
        ("warm_pool_sweep", "Minimum", "GreaterThanOrEqualToThreshold"),
        ("job_reconcile", "SampleCount", "LessThanThreshold"),
    ],
)
def test_a_schedule_that_is_disabled_or_fails_for_two_periods_is_an_alarm(
    full: Deployment, function: str, statistic: str, comparison: str
) -> None:
    [alarm] = [
        item
        for item in full.properties("AWS::CloudWatch::Alarm")
        if item.get("Dimensions") == [{"Name": "service", "Value": function}]
        and item["TreatMissingData"] == "breaching"
    ]
    assert (alarm["MetricName"], alarm["Statistic"]) == ("WalkCutShort", statistic)
    assert (alarm["Period"], alarm["EvaluationPeriods"]) == (900, 2), "the schedule's interval, twice"
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (1, comparison), "1 says that a run was cut short"
    schedules = [rule.get("ScheduleExpression") for rule in full.properties("AWS::Events::Rule")]
    assert schedules.count("rate(15 minutes)") == 4, "this one's, and the others'"


@pytest.mark.case("IA-06")
@pytest.mark.parametrize(
    ("function", "anchor", "seconds"),
    [
        ("checkpoint_watch", "checkpoint-watch-silent", 3600),
        ("price_refresh", "price-refresh-silent", 3600),
        ("metrics_recount", "recount-silent", 86400),
        ("weekly_report", "weekly-report-silent", 3600),
    ],
)
def test_a_function_that_its_schedule_does_not_invoke_for_two_periods_is_an_alarm(
    full: Deployment, function: str, anchor: str, seconds: int
) -> None:
    alarms = list(full.properties("AWS::CloudWatch::Alarm"))
    [alarm] = [item for item in alarms if item["AlarmDescription"].endswith(f"#{anchor}")]
    assert full.resources()[full.target(alarm["Dimensions"])]["Properties"] == full.function(function)
    assert (alarm["MetricName"], alarm["Statistic"], alarm["Period"]) == ("Invocations", "Sum", seconds)
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (1, "LessThanThreshold")
    assert (alarm["EvaluationPeriods"], alarm["TreatMissingData"]) == (2, "breaching")
    assert alarm["EvaluationPeriods"] * alarm["Period"] <= 7 * 86400, "CloudWatch looks back no further"


@pytest.mark.parametrize("team", ["vision", "default"])
def test_each_team_has_an_alarm_at_its_own_idle_money_of_a_day(full: Deployment, team: str) -> None:
    alarm = alarm_on(full, TeamMetric.IDLE_POOL_USD, team)
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (100, "GreaterThanOrEqualToThreshold")
    assert (alarm["Period"], alarm["EvaluationPeriods"], alarm["Statistic"]) == (86400, 1, "Sum")
    assert f"team {team} idled for more than $100" in alarm["AlarmDescription"]


def test_savings_collapse_only_when_enough_ran_on_spot_for_a_percentage_to_mean_anything(full: Deployment) -> None:
    alarm = savings_alarm(full, "vision")
    [expression] = [query["Expression"] for query in alarm["Metrics"] if "Expression" in query]
    assert expression == "IF(training >= 36000, 100 * (1 - billable / training), 100)"
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (30, "LessThanThreshold")
    assert {query["MetricStat"]["Period"] for query in alarm["Metrics"] if "MetricStat" in query} == {86400}


def savings_alarm(deployment: Deployment, team: str) -> Mapping[str, Any]:
    every = deployment.properties("AWS::CloudWatch::Alarm")
    [found] = [alarm for alarm in every if "Metrics" in alarm and f"saved team {team} " in alarm["AlarmDescription"]]
    return found


def test_every_function_that_leaves_something_out_of_a_sum_has_an_alarm_that_says_so(full: Deployment) -> None:
    deployed = {item["Handler"].split(".")[1] for item in full.functions()}
    for function in SENDERS[Metric.UNKNOWN]:
        if function in deployed:
            alarm = alarm_on(full, Metric.UNKNOWN, function)
            assert (alarm["Threshold"], alarm["Period"], alarm["EvaluationPeriods"]) == (1, 86400, 1)


def test_a_level_is_watched_by_its_largest_value_not_by_its_sum(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    stack = Stack(app, "stack")
    function = cast("Function", SimpleNamespace(name="checkpoint_watch"))
    alarms = Alarms(stack, "Alarms", emails=[], runbook=None)
    alarms.highest(function, Metric.CHECKPOINTS_OLD, 80, "Nearly all of it is in use", "messages-wait")
    resources = app.synth().get_stack_artifact(stack.artifact_id).template["Resources"].values()
    [alarm] = [item["Properties"] for item in resources if item["Type"] == "AWS::CloudWatch::Alarm"]
    assert (alarm["Statistic"], alarm["Threshold"], alarm["Period"]) == ("Maximum", 80, 900)
    assert alarm["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"


@pytest.mark.case("MX-04")
def test_an_alarm_over_fourteen_instance_types_is_refused_at_synth_and_their_published_total_is_not(
    tmp_path: Path,
) -> None:
    types = {f"m{place}": own_metric(name) for place, name in enumerate(INSTANCE_TYPES)}
    assert len(types) == 14
    with pytest.raises(RuntimeError, match="more than 10 individual metrics"):
        check(tmp_path / "sum", cloudwatch.MathExpression(expression=" + ".join(types), using_metrics=types))
    with pytest.raises(RefusedAlarm, match="searches for its metrics"):
        check(tmp_path / "search", cloudwatch.MathExpression(expression="SUM(SEARCH('{trainops,type}', 'Sum', 300))"))
    check(tmp_path / "total", figure(TeamMetric.IDLE_POOL_USD, "vision", DAY))


def own_metric(instance_type: str) -> cloudwatch.Metric:
    return cloudwatch.Metric(namespace="x", metric_name="Idle", dimensions_map={"type": instance_type})


def check(folder: Path, metric: cloudwatch.IMetric) -> None:
    """Synthesise one alarm over a metric, and let it be checked."""
    app = new_app(folder)
    stack = Stack(app, "stack")
    Alarms(stack, "Alarms", emails=[], runbook=None).ring("idle", metric, "Idle", "idle-spend")
    check_alarms([app.synth().get_stack_artifact(stack.artifact_id).template])


@pytest.mark.case("MX-04")
def test_no_alarm_of_any_deployment_is_more_than_cloudwatch_takes(
    full: Deployment, empty: Deployment, many_teams: Deployment
) -> None:
    for deployment in (full, empty, many_teams):
        check_alarms([deployment.operations])
        assert max(len(metrics_of(alarm)) for alarm in deployment.properties("AWS::CloudWatch::Alarm")) == 2


def test_an_alarm_that_says_nothing_of_missing_data_is_refused() -> None:
    alarm = {"Type": "AWS::CloudWatch::Alarm", "Properties": {"MetricName": "x"}}
    with pytest.raises(RefusedAlarm, match="Quiet: does not say what missing data means"):
        check_alarms([{"Resources": {"Quiet": alarm}}])


def test_the_alarm_topic_lets_cloudwatch_publish(full: Deployment) -> None:
    topic = full.target(next(full.properties("AWS::CloudWatch::Alarm"))["AlarmActions"])
    (policy,) = [item for item in full.properties("AWS::SNS::TopicPolicy") if full.target(item["Topics"]) == topic]
    assert "cloudwatch.amazonaws.com" in json.dumps(policy)
