"""The state of an alarm from its latest data points.

Source: CloudWatch user guide, "Using Amazon CloudWatch alarms", on M out of N and on missing data. AWS looks
further back for late data than the N periods; here data is never late.
"""

import operator
from collections.abc import Callable, Mapping, Sequence

BREACHES: Mapping[str, Callable[[float, float], bool]] = {
    "GreaterThanOrEqualToThreshold": operator.ge,
    "GreaterThanThreshold": operator.gt,
    "LessThanThreshold": operator.lt,
    "LessThanOrEqualToThreshold": operator.le,
}


def state(
    values: Sequence[float | None], *, threshold: float, comparison: str, needed: int, missing: str, before: str
) -> str:
    """OK, ALARM or INSUFFICIENT_DATA of N periods, oldest first; None is a period without data.

    `needed` breaching periods raise the alarm; `missing` is TreatMissingData, `before` the state until now.
    """
    known = [value for value in values if value is not None]
    if not known and missing in ("missing", "ignore"):
        return before if missing == "ignore" else "INSUFFICIENT_DATA"
    breaching = sum(BREACHES[comparison](value, threshold) for value in known)
    if missing == "breaching":
        breaching += len(values) - len(known)
    return "ALARM" if breaching >= needed else "OK"
