"""Log lines in the embedded metric format as metric data, read as CloudWatch Logs reads them.

Source: CloudWatch user guide, "Specification: Embedded metric format". A line that is no such document is no metric;
one that claims to be and breaks the format yields nothing of what is broken, as in AWS, which drops it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Datum:
    """Values of one metric at one moment; `timestamp` is in seconds since the epoch, on the writer's clock."""

    namespace: str
    name: str
    dimensions: tuple[tuple[str, str], ...]
    timestamp: float
    unit: str
    values: tuple[float, ...]


def data_of(line: str) -> Iterator[Datum]:
    """Every metric of one log line, once for each of its sets of dimensions."""
    document = _document(line)
    about = document.get("_aws")
    if not isinstance(about, dict) or not isinstance(about.get("Timestamp"), int | float):
        return
    for directive in about.get("CloudWatchMetrics") or ():
        for names in directive.get("Dimensions") or ((),):
            if any(not isinstance(document.get(name), str) for name in names):
                continue
            dimensions = tuple(sorted((name, document[name]) for name in names))
            for metric in directive["Metrics"]:
                values = _values(document.get(metric["Name"]))
                if values:
                    unit, at = metric.get("Unit", "None"), about["Timestamp"] / 1000
                    yield Datum(directive["Namespace"], metric["Name"], dimensions, at, unit, values)


def _document(line: str) -> Mapping[str, Any]:
    if not line.lstrip().startswith("{") or "CloudWatchMetrics" not in line:
        return {}
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _values(value: Any) -> tuple[float, ...]:
    """A number or a list of up to 100 numbers; nothing for anything else."""
    numbers = value if isinstance(value, list) else [value]
    if len(numbers) > 100 or any(isinstance(n, bool) or not isinstance(n, int | float) for n in numbers):
        return ()
    return tuple(float(number) for number in numbers)
