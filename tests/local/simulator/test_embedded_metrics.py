"""Lines of a function's log as metric data, and the state of an alarm from data points."""

import json
from typing import Any

import pytest

from local.metrics.alarms import state
from local.metrics.embedded import Datum, data_of


def line(**more: Any) -> str:
    """A line as Powertools writes it."""
    directive = {
        "Namespace": "trainops",
        "Dimensions": [["service"]],
        "Metrics": [{"Name": "Delivered", "Unit": "Count"}],
    }
    about = {"Timestamp": 1_700_000_000_500, "CloudWatchMetrics": [directive]}
    return json.dumps({"_aws": about, "service": "slack", "Delivered": [2.0], **more})


def test_a_line_in_the_embedded_format_is_metric_data() -> None:
    [datum] = data_of(line())
    assert datum == Datum("trainops", "Delivered", (("service", "slack"),), 1_700_000_000.5, "Count", (2.0,))


@pytest.mark.parametrize(
    "text",
    [
        "START RequestId: 1",
        '{"level": "INFO", "message": "delivered"}',
        '{"CloudWatchMetrics": ',
        line(Delivered="two"),
        line(Delivered=[True]),
        line(Delivered=None),
        line(service=3),
        line(_aws={"CloudWatchMetrics": []}),
        line(Delivered=[1.0] * 101),
    ],
)
def test_other_lines_and_broken_parts_are_no_metric(text: str) -> None:
    assert list(data_of(text)) == []


def test_each_set_of_dimensions_is_a_metric_of_its_own() -> None:
    document = json.loads(line(team="vision"))
    document["_aws"]["CloudWatchMetrics"][0]["Dimensions"] = [["service"], ["team", "service"]]
    assert [len(datum.dimensions) for datum in data_of(json.dumps(document))] == [1, 2]


@pytest.mark.parametrize(
    ("values", "missing", "expected"),
    [
        ([0.0, 5.0, 5.0], "missing", "ALARM"),
        ([0.0, 0.0, 5.0], "missing", "OK"),
        ([None, None, 5.0], "breaching", "ALARM"),
        ([None, None, 5.0], "notBreaching", "OK"),
        ([None, None, None], "missing", "INSUFFICIENT_DATA"),
        ([None, None, None], "ignore", "ALARM"),
        ([None, None, None], "notBreaching", "OK"),
        ([None, None, None], "breaching", "ALARM"),
    ],
)
def test_two_of_three_periods_raise_an_alarm(values: list[float | None], missing: str, expected: str) -> None:
    comparison = "GreaterThanOrEqualToThreshold"
    assert state(values, threshold=5, comparison=comparison, needed=2, missing=missing, before="ALARM") == expected
