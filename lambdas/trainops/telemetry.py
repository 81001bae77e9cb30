"""Log and metric names, and the one logger and metric namespace of every function.

Dashboards and alarms import `Metric`, so that a name nobody publishes cannot be graphed.
Source: CloudWatch embedded metric format, through Powertools Metrics.
"""

from enum import StrEnum

NAMESPACE = "trainops"


class Metric(StrEnum):
    """Every metric that is published; the only dimension is `service`, the function's name. Unit: Count."""

    ANNOUNCED = "Announced"
    """Events put on the trainops bus."""
    DELIVERED = "Delivered"
    """Messages a channel accepted."""
    DELIVERY_FAILED = "DeliveryFailed"
    """Attempts a channel did not accept, temporary ones included."""
    NOT_CONFIGURED = "NotConfigured"
    """Attempts that failed because a secret or setting is missing or malformed."""
    PARKED = "Parked"
    """Messages put into a dead-letter queue with a reason."""
    IGNORED = "Ignored"
    """Events that named nothing the ledger knows (forged or too old)."""
    JOBS_FOUND = "JobsFound"
    """Jobs the reconciler had to look at because events missed them."""
