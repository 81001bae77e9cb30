"""Log and metric names, and the one logger and metric namespace of every function.

Dashboards and alarms import `Metric`, so that a name nobody publishes cannot be graphed.
Source: CloudWatch embedded metric format, through Powertools Metrics.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

NAMESPACE = "trainops"


class Metric(StrEnum):
    """Every metric that is published; the only dimension is `service`, the function's name. Unit: Count."""

    ANNOUNCED = "Announced"
    """Events put on the trainops bus."""
    DELIVERED = "Delivered"
    """Messages a channel accepted."""
    DELIVERY_FAILED = "DeliveryFailed"
    """Messages a channel will never accept; they went to the other channel."""
    POSTPONED = "Postponed"
    """Attempts that were put off: throttled, unavailable, or written by another at the same time."""
    NOT_CONFIGURED = "NotConfigured"
    """Attempts that failed because a secret or setting is missing or malformed."""
    PARKED = "Parked"
    """Messages put into a dead-letter queue with a reason."""
    IGNORED = "Ignored"
    """Events that named nothing the ledger knows (forged or too old)."""
    SUPPRESSED = "Suppressed"
    """Messages that were not sent because the kill switch was on."""
    FAULTS = "Faults"
    """Messages that a fault of ours sent back to their queue."""
    WALK_CUT_SHORT = "WalkCutShort"
    """1 for a run of the reconciler that did not come to its end, else 0."""
    JOBS_FOUND = "JobsFound"
    """Jobs the reconciler had to look at because events missed them."""


HANDED_OVER = "handed over"
"""The result of a message that its channel refused and another channel got."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What handling one message came to: the reason for the log, what is counted of it, and the job it was about."""

    reason: str
    counts: Mapping[Metric, int] = field(default_factory=dict)
    job: str | None = None
    result: str = "done"
    """What is remembered of it, for a repetition: `done`, or `HANDED_OVER`."""
