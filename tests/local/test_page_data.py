"""What the page makes of jobs and of dashboards' bodies, before any browser sees it."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.page.lanes import Phase, lanes
from local.page.metric_arrays import rows
from local.page.variables import chosen
from local.page.widgets import Screen

START = datetime(2026, 3, 2, 6, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def job(name: str, created: float, ended: float | None, **more: Any) -> dict[str, Any]:
    """A job as Search shows it: three minutes of Starting, then Training."""
    steps = [{"Status": "Starting", "StartTime": at(created)}, {"Status": "Training", "StartTime": at(created + 3)}]
    shape = {
        "TrainingJobName": name,
        "TrainingJobStatus": "Completed" if ended else "InProgress",
        "CreationTime": at(created),
        "SecondaryStatusTransitions": steps,
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2},
        "Tags": [{"Key": "team", "Value": "vision"}, {"Key": "owner", "Value": "vision-oncall"}],
    }
    return shape | ({"TrainingEndTime": at(ended)} if ended else {}) | more


def test_a_pool_lies_between_the_job_that_left_it_and_the_one_that_took_it() -> None:
    reused = {"Status": "Reused", "ReusedByJob": "second", "ResourceRetainedBillableTimeInSeconds": 600}
    jobs = [job("first", 0, 20, WarmPoolStatus=reused), job("other", 5, 60), job("second", 30, 50)]
    [(key, found)] = lanes(jobs, at(90)).items()
    assert key == ("vision", "ml.g5.xlarge")
    assert [[run.job for run in lane.runs] for lane in found] == [["first", "second"], ["other"]]
    assert found[0].runs[0].phases[-1] == Phase("Available", at(20), at(30))


def test_a_lane_waits_for_the_job_that_takes_its_pool() -> None:
    reused = {"Status": "Reused", "ReusedByJob": "late", "ResourceRetainedBillableTimeInSeconds": 600}
    jobs = [job("first", 0, 20, WarmPoolStatus=reused), job("between", 20, 25), job("late", 30, 40)]
    [found] = lanes(jobs, at(90)).values()
    assert [[run.job for run in lane.runs] for lane in found] == [["first", "late"], ["between"]]


@pytest.mark.parametrize(("status", "until"), [("Available", 90), ("Terminated", 30)])
def test_an_idle_pool_lasts_until_now_and_an_ended_one_as_long_as_it_was_billed(status: str, until: float) -> None:
    pool = {"Status": status, "ResourceRetainedBillableTimeInSeconds": 600}
    [[lane]] = lanes([job("first", 0, 20, WarmPoolStatus=pool)], at(90)).values()
    assert lane.runs[0].phases[-1] == Phase("Available", at(20), at(until))


def test_a_running_job_lasts_until_now_and_shows_only_what_is_known() -> None:
    [[lane]] = lanes([job("first", 0, None)], at(90)).values()
    [run] = lane.runs
    assert run.phases == [Phase("Starting", at(0), at(3)), Phase("Training", at(3), at(90))]
    assert set(run.facts) == {"Status", "Instances", "Owner"}


def test_rows_take_over_what_the_row_above_has() -> None:
    given = [
        ["AWS/Lambda", "Errors", "FunctionName", "one", {"stat": "Sum", "yAxis": "right"}],
        [".", "Throttles", ".", "."],
        ["...", "two", {"id": "two", "visible": False, "color": "#123456"}],
        [{"expression": "m0 + two", "label": "both", "id": "sum"}],
        ["AWS/SQS", "Depth"],
    ]
    found = rows({"metrics": given, "period": 60, "stat": "Maximum"}, span=3600)
    metrics = [row.query["MetricStat"]["Metric"] for row in found if "MetricStat" in row.query]
    named = [(metric["MetricName"], [pair["Value"] for pair in metric["Dimensions"]]) for metric in metrics]
    assert named == [("Errors", ["one"]), ("Throttles", ["one"]), ("Throttles", ["two"]), ("Depth", [])]
    assert [row.query["MetricStat"]["Stat"] for row in found[:3]] == ["Sum", "Maximum", "Maximum"]
    assert found[3].query == {"Id": "sum", "ReturnData": True, "Label": "both", "Expression": "m0 + two", "Period": 60}
    assert (found[0].axis, found[2].colour, found[2].query["ReturnData"]) == ("right", "#123456", False)


def test_a_single_number_for_the_whole_time_has_that_period() -> None:
    [row] = rows({"metrics": [["A", "B"]], "setPeriodToTimeRange": True, "period": 60}, span=7190)
    assert row.query["MetricStat"]["Period"] == 7200


class CloudWatch:
    """Answers every query with one point, or refuses it."""

    def get_metric_data(self, **request: Any) -> Mapping[str, Any]:
        if any(query.get("Expression") == "wrong" for query in request["MetricDataQueries"]):
            raise ClientError({"Error": {"Code": "ValidationError", "Message": "no such id"}}, "GetMetricData")
        results = [
            {"Id": query["Id"], "Label": "line", "Timestamps": [START], "Values": [1.0]}
            for query in request["MetricDataQueries"]
        ]
        return {"MetricDataResults": results}

    def describe_alarms(self, AlarmNames: list[str]) -> Mapping[str, Any]:  # noqa: N803
        alarm = {"Namespace": "trainops", "MetricName": "Faults", "Threshold": 3.0, "Statistic": "Sum", "Period": 60}
        return {"MetricAlarms": [{**alarm, "AlarmName": name} for name in AlarmNames]}


class Logs:
    """Answers a query with what it was asked."""

    def start_query(self, **request: Any) -> Mapping[str, Any]:
        return {"queryId": "|".join([*request["logGroupNames"], request["queryString"]])}

    def get_query_results(self, queryId: str) -> Mapping[str, Any]:  # noqa: N803
        cells = [{"field": "asked", "value": queryId}]
        return {"results": [cells, [*cells, {"field": "jobs", "value": "2"}]]}


def widget(kind: str, **properties: Any) -> Mapping[str, Any]:
    return Screen(CloudWatch(), Logs(), START, at(60)).widget({"type": kind, "width": 12, "properties": properties})


def test_a_widgets_lines_come_with_how_they_are_drawn() -> None:
    drawn = widget("metric", title="Faults", stacked=True, metrics=[["trainops", "Faults", {"yAxis": "right"}]])
    assert (drawn["kind"], drawn["title"], drawn["stacked"], drawn["width"]) == ("metric", "Faults", True, 12)
    assert drawn["lines"] == [
        {"label": "line", "axis": "right", "colour": None, "period": 300, "points": [[START.timestamp(), 1.0]]}
    ]


def test_a_refused_expression_is_said_in_its_own_widget() -> None:
    assert widget("metric", metrics=[[{"expression": "wrong"}]])["note"] == "no such id"


def test_the_widget_of_an_alarm_draws_its_metric_and_threshold() -> None:
    drawn = widget("metric", annotations={"alarms": ["arn:aws:cloudwatch:us-east-1:1:alarm:faults"]})
    assert drawn["marks"] == [{"value": 3.0, "label": "threshold"}]
    assert len(drawn["lines"]) == 1


def test_markdown_is_rendered_and_html_in_it_is_text() -> None:
    assert widget("text", markdown="# Pools\n<b onclick=x>")["html"] == "<h1>Pools</h1>\n<p>&lt;b onclick=x&gt;</p>\n"


@pytest.mark.parametrize(("choice", "shown"), [("speech", "speech"), ("vision", "vision"), ('x"}]', "vision")])
def test_a_variable_stands_in_for_its_pattern(choice: str, shown: str) -> None:
    variable = {"type": "pattern", "id": "team", "pattern": "__team__", "defaultValue": "vision"}
    values = [{"value": "vision"}, {"value": "speech", "label": "Speech"}]
    body = {"variables": [{**variable, "values": values}], "widgets": [{"properties": {"title": "Of __team__"}}]}
    filled, [variable] = chosen(json.dumps(body), {"team": choice})
    assert filled["widgets"][0]["properties"]["title"] == f"Of {shown}"
    assert variable["value"] == shown


def test_a_log_query_is_asked_of_its_groups_and_missing_cells_are_empty() -> None:
    drawn = widget("log", query="SOURCE 'one' | SOURCE 'two' | filter a > 1\n| limit 3", view="bar")
    asked = "one|two|filter a > 1\n| limit 3"
    assert (drawn["view"], drawn["columns"]) == ("bar", ["asked", "jobs"])
    assert drawn["rows"] == [[asked, ""], [asked, "2"]]


def test_a_button_to_another_dashboard_is_a_link_within_the_page() -> None:
    drawn = widget("text", markdown="[button:One team](#dashboards/dashboard/team-us-east-1)")
    assert drawn["html"] == '<p><a href="#dashboards/team-us-east-1">One team</a></p>\n'


def test_what_is_not_drawn_here_says_so() -> None:
    assert "not drawn" in widget("custom", endpoint="arn")["note"]
