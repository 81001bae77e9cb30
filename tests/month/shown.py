"""What the deployed dashboards show of what was published, by the local AWS's metric math."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import quantiles
from typing import Any

from local.metrics.embedded import Datum
from local.metrics.lines import Line, periods
from local.metrics.queries import Queries
from local.page.metric_arrays import rows
from tests.local.simulator.bench import START
from tests.month.jobs import MONTH
from tests.month.records import DAY

SPAN = int(MONTH.total_seconds()) + 2 * DAY
FIRST = int(START.timestamp()) // DAY * DAY
ASKED = range(FIRST, FIRST + SPAN)
"""The month and what follows it, in whole days."""
Numbers = Mapping[str, Mapping[int, float]]
"""By label, the values by the second in which their period begins."""


class Stored:
    """What was published, as CloudWatch answers for it."""

    def __init__(self, data: Sequence[Datum]) -> None:
        self._values: defaultdict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        for datum in data:
            [(_, value)] = datum.dimensions
            self._values[datum.name, value] += [(datum.timestamp, number) for number in datum.values]

    def line(self, metric: Mapping[str, Any], statistic: str, period: int, asked: range) -> Line:
        buckets: defaultdict[int, list[float]] = defaultdict(list)
        origin = periods(asked, period).start
        [dimension] = metric["Dimensions"][:1]
        for at, number in self._values[metric["MetricName"], str(dimension["Value"])]:
            buckets[int((at - origin) // period) * period + origin].append(number)
        points = {at: _statistic(numbers, statistic) for at, numbers in sorted(buckets.items())}
        return Line(points, period, metric["MetricName"])

    def listed(self) -> Iterator[tuple[str, str, Mapping[str, str]]]:
        yield from ()


def _statistic(numbers: Sequence[float], statistic: str) -> float:
    if statistic.startswith("p"):
        return percentile(numbers, int(statistic[1:]))
    return {"Sum": sum(numbers), "SampleCount": float(len(numbers)), "Maximum": max(numbers)}[statistic]


def percentile(numbers: Sequence[float], percent: int) -> float:
    return numbers[0] if len(numbers) == 1 else quantiles(numbers, n=100, method="inclusive")[percent - 1]


def shown(body: Mapping[str, Any], data: Sequence[Datum]) -> dict[str, Numbers]:
    """What every widget with metrics shows, by its title."""
    found: dict[str, Numbers] = {}
    for widget in body["widgets"]:
        if widget["type"] == "metric":
            queries = Queries(Stored(data), [row.query for row in rows(widget["properties"], SPAN)], ASKED)
            found[widget["properties"]["title"]] = {line.label: line.points for _, line in queries.results()}
    return found
