"""The `metrics` of a dashboard's widget as queries of GetMetricData.

Source: CloudWatch user guide, "Dashboard body structure and syntax": rows with `.` and `...` for what the row above
has, options at their end, expressions, and defaults of the widget.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
DEFAULT_PERIOD = 300
"""Seconds, of a widget that names none."""


@dataclass(frozen=True)
class Row:
    """One row: its query and how its lines are drawn; `period` in seconds."""

    query: Json
    axis: str
    colour: str | None
    period: int


def rows(properties: Mapping[str, Any], span: int) -> list[Row]:
    """Every row of a widget; `span` are the seconds that are shown, for a widget with one number for all of them."""
    whole = bool(properties.get("setPeriodToTimeRange"))
    period = -(-span // 60) * 60 if whole else int(properties.get("period", DEFAULT_PERIOD))
    defaults = {"stat": properties.get("stat", "Average"), "period": period}
    found = []
    for number, (names, options) in enumerate(_spelled_out(properties.get("metrics", ()))):
        chosen = {**defaults, **options, **({"period": period} if whole else {})}
        query = _query(f"m{number}", names, chosen)
        found.append(Row(query, chosen.get("yAxis", "left"), chosen.get("color"), int(chosen["period"])))
    return found


def _spelled_out(given: Sequence[Sequence[Any]]) -> Iterator[tuple[list[str], Json]]:
    above: list[str] = []
    for row in given:
        names, options = list(row), {}
        if names and isinstance(names[-1], dict):
            options = names.pop()
        if "..." in names:
            at = names.index("...")
            names[at : at + 1] = above[at : len(above) - (len(names) - at - 1)]
        names = [above[i] if name == "." else name for i, name in enumerate(names)]
        yield names, options
        above = names or above


def _query(fallback: str, names: Sequence[str], options: Mapping[str, Any]) -> Json:
    query: Json = {"Id": options.get("id", fallback), "ReturnData": options.get("visible", True)}
    if "label" in options:
        query["Label"] = options["label"]
    if "expression" in options:
        return {**query, "Expression": options["expression"], "Period": options["period"]}
    namespace, name, *pairs = names
    dimensions = [{"Name": key, "Value": value} for key, value in zip(pairs[::2], pairs[1::2], strict=True)]
    metric = {"Namespace": namespace, "MetricName": name, "Dimensions": dimensions}
    return {**query, "MetricStat": {"Metric": metric, "Period": options["period"], "Stat": options["stat"]}}
