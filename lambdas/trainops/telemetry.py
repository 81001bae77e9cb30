"""Log and metric names, and the one logger and metric namespace of every function.

Dashboards and alarms import `Metric`, so that a name nobody publishes cannot be graphed.
Source: CloudWatch embedded metric format, through Powertools Metrics.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

NAMESPACE = "trainops"


class Metric(StrEnum):
    """Every metric that is published, by `service`, the function's name. Unit: Count. The figures of warm pools have
    the dimension `team` as well; hours and US dollars count all instances of a pool, once, when it is over.
    """

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
    """Messages that were not sent, and pools that were not ended, because the kill switch was on."""
    FAULTS = "Faults"
    """Messages that a fault of ours sent back to their queue."""
    WALK_CUT_SHORT = "WalkCutShort"
    """1 for a scheduled run that did not come to its end, else 0."""
    JOBS_FOUND = "JobsFound"
    """Jobs the reconciler had to look at because events missed them."""
    SWEPT = "Swept"
    """Scheduled sweeps of warm pools, and of quotas, that came to their end: a heartbeat."""
    QUOTA_USED_PERCENT = "QuotaUsedPercent"
    """Of the wanted quota that is used most, counted from jobs; not sent while none can be counted."""
    POOLS_REFUSED = "PoolsRefused"
    """Pools that SageMaker would not end or extend."""

    POOLS_AVAILABLE = "PoolsAvailable"
    """Pools that were idle when a sweep listed them."""
    POOLS_OVER = "PoolsOver"
    """Pools that were ended, reused or let go; with the next one it gives the hit rate."""
    POOLS_REUSED = "PoolsReused"
    POOLS_WITHOUT_PRICE = "PoolsWithoutPrice"
    """Pools whose money is unknown, and missing from the amounts below."""
    RETAINED_HOURS = "RetainedInstanceHours"
    RETAINED_USD = "RetainedUsd"
    IDLE_HOURS = "IdleInstanceHours"
    """The part of the retained time that ended without a job."""
    IDLE_USD = "IdleUsd"
    AVOIDED_HOURS = "AvoidedInstanceHours"
    """What was left of the periods asked for when pools were ended."""
    AVOIDED_USD = "AvoidedUsd"
    WOULD_AVOID_HOURS = "WouldAvoidInstanceHours"
    """While a team observes: the idle time that ending its pools would have avoided."""
    WOULD_AVOID_USD = "WouldAvoidUsd"
    WOULD_HAVE_MISSED = "WouldHaveMissed"
    """While a team observes: reuses that would have been cold starts."""


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
    figures: Mapping[str, Mapping[Metric, Decimal]] = field(default_factory=dict)
    """Amounts by team."""
    notes: Sequence[Mapping[str, object]] = ()
    """Further lines for the log, by fields that can be searched."""
