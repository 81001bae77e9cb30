"""The dashboards: what they show exists, is added up rightly, and fits the page."""

import re
from pathlib import Path
from typing import Any

import pytest

from stacks.dashboards.overview import FLOW, TROUBLE
from stacks.dashboards.questions import SAVED
from stacks.dashboards.team import SHOWN
from stacks.running_cost import metrics_of, published
from stacks.settings import Settings
from tests.infrastructure.cloudwatch import dashboard, expressions, flat, plotted
from tests.infrastructure.conftest import Deployment, synthesise
from trainops.telemetry import NAMESPACE, OTHER_TEAMS, SENDERS, Field, Metric, TeamMetric

OUTCOMES = {"completed": "#2ca02c", "failed": "#d62728", "stopped": "#7f7f7f", "idle": "#ff7f0e", "avoided": "#2ca02c"}


def deployed(deployment: Deployment) -> set[str]:
    return {item["Handler"].split(".")[1] for item in deployment.functions()}


def shown(deployment: Deployment) -> set[tuple[str, str]]:
    """Name and dimension value of every metric of ours in a graph; the Team dashboard's for each of its teams."""
    pairs = {
        (name, value)
        for kind in ("overview", "team")
        for namespace, name, _, value, _ in plotted(dashboard(deployment, kind))
        if namespace == NAMESPACE
    }
    return {(name, team if value == SHOWN else value) for name, value in pairs for team in choices(deployment)}


def choices(deployment: Deployment) -> list[str]:
    [variable] = dashboard(deployment, "team")["variables"]
    return [item["value"] for item in variable["values"]]


def alarmed(deployment: Deployment) -> set[tuple[str, str]]:
    return {
        (metric["MetricName"], metric["Dimensions"][0]["Value"])
        for alarm in deployment.properties("AWS::CloudWatch::Alarm")
        for metric in metrics_of(alarm)
        if metric["Namespace"] == NAMESPACE
    }


def test_every_metric_in_a_graph_or_alarm_is_published_by_somebody_and_every_published_one_is_in_use(
    full: Deployment, empty: Deployment
) -> None:
    for deployment, teams in ((full, ["vision"]), (empty, [])):
        known = {(str(item.metric), item.dimension_value) for item in published(deployed(deployment), teams)}
        assert alarmed(deployment) <= known
        assert shown(deployment) | alarmed(deployment) == known


def test_the_team_dashboard_offers_the_configured_teams_and_all_others_together(many_teams: Deployment) -> None:
    assert choices(many_teams) == ["language", "robotics", "speech", "vision", OTHER_TEAMS]
    [variable] = dashboard(many_teams, "team")["variables"]
    assert (variable["type"], variable["pattern"], variable["inputType"]) == ("pattern", SHOWN, "select")
    assert variable["defaultValue"] == "language"
    assert not re.fullmatch(r"[a-z][a-z0-9-]{0,30}[a-z0-9]", SHOWN), "no team's name, so nothing else is replaced"


def test_the_team_dashboard_is_about_the_chosen_team_and_nobody_else(full: Deployment) -> None:
    body = dashboard(full, "team")
    assert {(dimension, value) for _, _, dimension, value, _ in plotted(body)} == {("team", SHOWN)}
    for widget in body["widgets"]:
        if widget["type"] == "log":
            assert f'filter team = "{SHOWN}"' in widget["properties"]["query"]


@pytest.mark.parametrize("kind", ["overview", "team"])
def test_ratios_are_of_sums_and_empty_while_there_is_nothing_to_divide_by(full: Deployment, kind: str) -> None:
    divisions = [text for text in expressions(dashboard(full, kind)) if "/" in text]
    assert set(divisions) == {
        "IF(training > 0, MAX([0 * training, 100 * (1 - billable / training)]))",
        "IF(warm + cold > 0, 100 * warm / (warm + cold))",
    }
    for _, name, _, _, options in plotted(dashboard(full, kind)):
        statistic = options.get("stat", "Average")
        if name in {TeamMetric.COLD_START, TeamMetric.WARM_START}:
            assert statistic in {"p50", "p90", "SampleCount"}
        else:
            assert statistic in {"Sum", "Maximum", "SampleCount"}, name


def test_money_is_by_day_and_health_by_hour(full: Deployment) -> None:
    for namespace, name, dimension, _, options in plotted(dashboard(full, "overview")):
        money = namespace == NAMESPACE and dimension == "team"
        assert options["period"] == (86400 if money else 3600), name


@pytest.mark.parametrize("kind", ["overview", "team"])
def test_one_meaning_has_one_colour(full: Deployment, kind: str) -> None:
    lines = [
        metric[0]
        for widget in dashboard(full, kind)["widgets"]
        for metric in widget["properties"].get("metrics", ())
        if isinstance(metric[0], dict) and metric[0].get("visible", True)
    ]
    for label, colour in OUTCOMES.items():
        assert {line["color"] for line in lines if line["label"] == label} == {colour}


def test_a_team_that_only_started_cold_has_a_hit_rate_of_zero_and_not_none(full: Deployment) -> None:
    sums = [text for text in expressions(dashboard(full, "team")) if "StartSeconds" in text]
    assert set(sums) == {"SUM([FILL(coldStartSeconds0, 0)])", "SUM([FILL(warmStartSeconds0, 0)])"}


@pytest.mark.parametrize("kind", ["overview", "team"])
def test_widgets_fill_the_24_columns_without_holes_or_overlaps(full: Deployment, kind: str) -> None:
    taken: dict[tuple[int, int], str] = {}
    for widget in dashboard(full, kind)["widgets"]:
        for x in range(widget["x"], widget["x"] + widget["width"]):
            for y in range(widget["y"], widget["y"] + widget["height"]):
                assert (x, y) not in taken
                taken[x, y] = widget["type"]
    height = max(y for _, y in taken) + 1
    assert len(taken) == 24 * height, "no hole"


@pytest.mark.parametrize("kind", ["overview", "team"])
def test_every_graph_has_a_title_and_a_unit_and_every_row_is_told(full: Deployment, kind: str) -> None:
    body = dashboard(full, kind)
    texts = [widget["properties"]["markdown"] for widget in body["widgets"] if widget["type"] == "text"]
    assert len(texts) >= 4
    for text in texts:
        assert re.match(r"## .+\n.{40,}", text)
    for widget in body["widgets"]:
        properties: dict[str, Any] = widget["properties"]
        if widget["type"] == "metric":
            assert properties["title"]
            single = properties.get("view") == "singleValue"
            assert properties.get("setPeriodToTimeRange", False) is single, "one number is of the whole time shown"
            assert single or properties["yAxis"]["left"]["label"]


def test_the_dashboards_lead_to_each_other_and_to_the_runbook(full: Deployment, tmp_path: Path) -> None:
    for one, other in (("overview", "team"), ("team", "overview")):
        first = dashboard(full, one)["widgets"][0]["properties"]["markdown"]
        assert f"(#dashboards/dashboard/trainops-{other}-" in first
        assert "docs/runbook.md" in first
    address = "https://wiki.example.com/runbook"
    elsewhere = synthesise(Settings.model_validate({"alarms": {"runbook_url": address}}), tmp_path)
    assert f"({address})" in dashboard(elsewhere, "overview")["widgets"][0]["properties"]["markdown"]


def test_all_alarms_and_dead_letter_queues_are_on_the_overview(full: Deployment) -> None:
    body = dashboard(full, "overview")
    [status] = [widget for widget in body["widgets"] if widget["type"] == "alarm"]
    assert len(status["properties"]["alarms"]) == len(full.resources("AWS::CloudWatch::Alarm"))
    depths = {value for namespace, _, _, value, _ in plotted(body) if namespace == "AWS/SQS"}
    assert len(depths) == len([name for name in full.resources("AWS::SQS::Queue") if "DeadLetters" in name])


@pytest.mark.case("QU-09", "QU-21")
def test_the_overview_has_a_table_of_wanted_quotas_with_their_state_so_that_deferred_ones_are_seen(
    full: Deployment,
) -> None:
    logs = [widget for widget in dashboard(full, "overview")["widgets"] if widget["type"] == "log"]
    [table] = [widget["properties"] for widget in logs if "quotas" in widget["properties"]["title"]]
    assert "latest(state) as stands, latest(used) as in_use, latest(value) as granted" in table["query"]
    assert "deferred" in table["title"]


def test_saved_queries_ask_the_logs_of_deployed_functions_for_fields_of_the_vocabulary(full: Deployment) -> None:
    stored = {item["Name"]: item for item in full.properties("AWS::Logs::QueryDefinition")}
    answered = [item for item in SAVED if not item.functions or deployed(full) & {*item.functions}]
    assert set(stored) == {f"trainops/{item.name}" for item in answered}
    groups = full.resources("AWS::Logs::LogGroup")
    for item in stored.values():
        assert {flat(name) for name in item["LogGroupNames"]} <= set(groups)
    senders = {name for each in SENDERS.values() for name in each}
    for question in SAVED:
        assert {*question.functions} <= senders, "a function that publishes something"
        for line in question.lines:
            for word in re.findall(r"\b[a-z]+_[a-z_]+\b", re.sub(r" as \w+", "", line)):
                assert word in {*Field, "p90_seconds", "would_have_missed", "idle_instance_hours"}, word


def test_one_question_is_asked_of_every_function(full: Deployment) -> None:
    [one_job] = [item for item in full.properties("AWS::Logs::QueryDefinition") if "One job" in item["Name"]]
    watched = deployed(full) - {"team_publication", "quota_request", "mail_check"}
    assert len(one_job["LogGroupNames"]) == len(watched)


def test_every_signal_is_named_on_the_overview_once_its_function_is_deployed() -> None:
    assert {*FLOW, *TROUBLE, Metric.QUOTA_USED_PERCENT} == set(Metric)
