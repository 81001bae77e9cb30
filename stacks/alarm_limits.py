"""What CloudWatch refuses of an alarm, said at synth: otherwise a deployment fails half-way.

Source: PutMetricAlarm; a metric-math alarm takes at most 10 metrics, and its expressions may not search for metrics.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from stacks.running_cost import Template, metrics_of

MOST_METRICS = 10
SEARCH = "SEARCH("


class RefusedAlarm(Exception):
    """CloudWatch would refuse an alarm; the text names it."""


def check_alarms(templates: Iterable[Template]) -> None:
    """Raise RefusedAlarm, naming every alarm that CloudWatch would refuse."""
    faults = [
        f"{name}: {fault}"
        for template in templates
        for name, resource in template["Resources"].items()
        if resource["Type"] == "AWS::CloudWatch::Alarm"
        for fault in _faults(resource["Properties"])
    ]
    if faults:
        raise RefusedAlarm("\n".join(faults))


def _faults(alarm: Mapping[str, Any]) -> Iterable[str]:
    if (count := len(metrics_of(alarm))) > MOST_METRICS:
        yield f"{count} metrics; an alarm takes {MOST_METRICS}. Publish their total, or make one alarm for each"
    expressions = [query["Expression"] for query in alarm.get("Metrics", ()) if "Expression" in query]
    if any(SEARCH in expression.upper() for expression in expressions):
        yield "searches for its metrics, which an alarm may not; name them"
    if "TreatMissingData" not in alarm:
        yield "does not say what missing data means"
