"""Metric math as the CloudWatch user guide describes it; no local AWS is needed."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from local.metrics.lines import Line, MathError, periods
from local.metrics.queries import Queries

STORED = {
    ("trainops", "Over", "vision"): {0: 4.0, 300: 0.0, 600: 5.0},
    ("trainops", "Reused", "vision"): {0: 3.0, 300: 0.0, 900: 1.0},
    ("trainops", "Over", "speech"): {0: 1.0},
}


class Metrics:
    def line(self, metric: Mapping[str, Any], statistic: str, period: int, asked: range) -> Line:
        dimensions = {pair["Name"]: pair["Value"] for pair in metric["Dimensions"]}
        points = STORED[metric["Namespace"], metric["MetricName"], dimensions["team"]]
        return Line(points, period, metric["MetricName"], dimensions)

    def listed(self) -> Iterator[tuple[str, str, Mapping[str, str]]]:
        return ((namespace, name, {"team": team}) for namespace, name, team in STORED)


def results(expression: str, label: str | None = None) -> list[Line]:
    """What an expression over `over` and `reused`, from 0 to 1200 s by 300 s, comes to."""

    def stat(name: str, metric: str) -> dict[str, Any]:
        shape = {"Namespace": "trainops", "MetricName": metric, "Dimensions": [{"Name": "team", "Value": "vision"}]}
        return {"Id": name, "MetricStat": {"Metric": shape, "Stat": "Sum", "Period": 300}, "ReturnData": False}

    query = {"Id": "asked", "Expression": expression} | ({} if label is None else {"Label": label})
    queries = Queries(Metrics(), [query, stat("over", "Over"), stat("reused", "Reused")], range(1200))
    return [line for _, line in queries.results()]


@pytest.mark.parametrize(
    ("expression", "points"),
    [
        ("over - reused", {0: 1, 300: 0}),
        ("reused / over", {0: 0.75}),
        ("100 * reused / over", {0: 75}),
        ("-over + 2 ^ 3", {0: 4, 300: 8, 600: 3}),
        ("FILL(reused, 0)", {0: 3, 300: 0, 600: 0, 900: 1}),
        ("FILL(over, REPEAT)", {0: 4, 300: 0, 600: 5, 900: 5}),
        ("FILL(reused, LINEAR)", {0: 3, 300: 0, 600: 0.5, 900: 1}),
        ("IF(over > 0, over, 7)", {0: 4, 300: 7, 600: 5}),
        ("IF(over > 0, over)", {0: 4, 600: 5}),
        ("IF(SUM(over) >= 9 AND MAX(over) < 5, over, reused)", {0: 3, 300: 0, 900: 1}),
        ("over > 0 && reused > 2", {0: 1, 300: 0}),
        ("over == 4 OR over == 5", {0: 1, 300: 0, 600: 1}),
        ("SUM([over, reused])", {0: 7, 300: 0, 600: 5, 900: 1}),
        ("SUM(METRICS())", {0: 7, 300: 0, 600: 5, 900: 1}),
        ("SUM(METRICS('reu'))", {0: 3, 300: 0, 900: 1}),
        ("AVG(METRICS())", {0: 3.5, 300: 0, 600: 5, 900: 1}),
        ("over / MAX(over)", {0: 0.8, 300: 0, 600: 1}),
        ("RATE(over)", {300: -4 / 300, 600: 5 / 300}),
        ("DIFF(over)", {300: -4, 600: 5}),
        ("RUNNING_SUM(over)", {0: 4, 300: 4, 600: 9}),
        ("over / PERIOD(over)", {0: 4 / 300, 300: 0, 600: 5 / 300}),
        ("FIRST(SORT(METRICS(), SUM, DESC))", {0: 4, 300: 0, 600: 5}),
        ("SUM(SEARCH('{trainops,team} MetricName=\"Over\"', 'Sum', 300))", {0: 5, 300: 0, 600: 5}),
    ],
)
def test_an_expression_comes_to(expression: str, points: dict[int, float]) -> None:
    [line] = results(expression)
    assert line.points == pytest.approx(points)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("SUM(over)", "must come to a time series"),
        ("over +", "not an expression"),
        ("missing * 2", "no metric or expression has the id missing"),
        ("asked + 1", "depends on itself"),
        ("ANOMALY_DETECTION_BAND(over)", "not known here"),
        ("METRICS() / METRICS()", "two arrays"),
        ("().__class__", "not known in an expression"),
        ("__import__('os')", "not known here"),
        ("[x for x in over]", "not known in an expression"),
        ("over % 2", "not an operator"),
        ("IF(1, over, reused, 2) ; over", "not an expression"),
    ],
)
def test_what_is_no_metric_math_is_refused_with_a_reason(expression: str, reason: str) -> None:
    with pytest.raises(MathError, match=reason.replace("(", r"\(")):
        results(expression)


def test_a_period_as_long_as_the_request_begins_with_it() -> None:
    assert list(periods(range(70, 370), 300)) == [70]
    assert list(periods(range(70, 370), 120)) == [0, 120, 240, 360]


def test_a_search_finds_exactly_the_dimensions_and_labels_by_them() -> None:
    found = results("SEARCH('{trainops,team} MetricName=\"Over\"', 'Sum', 300)")
    assert [(line.label, line.points[0]) for line in found] == [("speech", 1), ("vision", 4)]
    assert results("SEARCH('{trainops,team,other} Over', 'Sum', 300)") == []


def test_labels_take_properties_of_each_line() -> None:
    search = "SEARCH('{trainops,team} MetricName=\"Over\"', 'Sum', 300)"
    assert [line.label for line in results(search, "team ${PROP('Dim.team')}")] == ["team speech", "team vision"]
    assert [line.label for line in results(search, "over")] == ["over speech", "over vision"]
    assert [line.label for line in results("over * 2", "doubled, last ${LAST}")] == ["doubled, last 10"]
