"""What CloudWatch refuses of an alarm, said at synth: otherwise a deployment fails half-way.

An alarm's expressions may not search for metrics (PutMetricAlarm); that it takes at most ten is the CDK's to say.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from stacks.running_cost import Template

SEARCH = "SEARCH("


class RefusedAlarm(Exception):
    """CloudWatch would refuse an alarm, or nobody has thought of what its silence means; the text names it."""


def check_alarms(templates: Iterable[Template]) -> None:
    """Raise RefusedAlarm, naming every alarm that is not as it should be."""
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
    if any(SEARCH in query.get("Expression", "").upper() for query in alarm.get("Metrics", ())):
        yield "searches for its metrics, which an alarm may not; name them"
    if "TreatMissingData" not in alarm:
        yield "does not say what missing data means"
