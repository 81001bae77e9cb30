"""Every metric and log field that trainops publishes: the one vocabulary of functions, dashboards and alarms.

A name that is not here is published by nobody, so it cannot be graphed. CloudWatch bills each combination of name and
dimension values as a metric: what is about jobs and money has the dimension `team` and no other, and what a function
says of itself has `service`, its name. Everything else (job, instance type, user) is a field of the log line, for
Logs Insights. Source: CloudWatch embedded metric format, through Powertools Metrics.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum

NAMESPACE = "trainops"
TEAM, SERVICE = "team", "service"
"""The two dimensions; a metric has one of them."""
OTHER_TEAMS = "default"
"""What a team counts as that the settings do not name: tags are free text, and each value would be billed."""


class TeamMetric(StrEnum):
    """What is known of a team's jobs and money, by `team`. A job or pool is counted once, when it is over; seconds and
    US dollars count all its instances. Money is an estimate at on-demand list prices. What is unknown is left out of a
    sum, never taken for zero, and counted in `Metric.UNKNOWN`.
    """

    JOBS_COMPLETED = "JobsCompleted"
    JOBS_FAILED = "JobsFailed"  # of any cause; the field `failure_class` tells missing capacity from faults in the code
    JOBS_STOPPED = "JobsStopped"
    SPOT_TRAINING = "SpotTrainingInstanceSeconds"
    """Managed spot: how long instances trained. Savings are 1 - billable / training of the sums, at least 0."""
    SPOT_BILLABLE = "SpotBillableInstanceSeconds"
    """Managed spot: how long they were billed. More than the training time stays more: the sum must be true."""
    SPOT_ON_DEMAND_USD = "SpotOnDemandUsd"
    """Managed spot: what the training time would have cost on demand."""
    SPOT_BILLED_USD = "SpotBilledUsd"
    COLD_START = "ColdStartSeconds"
    """From creation to training on new instances, in wall-clock seconds of one job; the sample count counts jobs."""
    WARM_START = "WarmStartSeconds"
    """The same in a warm pool. Of both sample counts this one's share is the hit rate."""
    IDLE_POOL_USD = "IdlePoolUsd"
    """Warm pools that ended without a job: their whole time."""
    AVOIDED_POOL_USD = "AvoidedPoolUsd"
    """What was left of the periods asked for when pools were ended. Never part of what spot saved."""
    WOULD_AVOID_POOL_USD = "WouldAvoidPoolUsd"
    """While a team observes: what ending its pools would have avoided."""

    @property
    def unit(self) -> str:
        """CloudWatch's unit; it has none for money."""
        if self.endswith("Seconds"):
            return "Seconds"
        return "None" if self.endswith("Usd") else "Count"


class Metric(StrEnum):
    """What a function says of itself, by `service`: what an alarm rings on, or shows that it works. Unit: Count."""

    ANNOUNCED = "Announced"
    """Events put on the trainops bus."""
    DELIVERED = "Delivered"
    """Messages a channel accepted."""
    DELIVERY_FAILED = "DeliveryFailed"
    """Messages a channel will never accept; they went to the other channel."""
    POSTPONED = "Postponed"
    """Attempts that were put off: throttled, unavailable, or written by another at the same time."""
    NOT_CONFIGURED = "NotConfigured"
    """Attempts that failed because a person has to repair a secret, a setting or an access; a channel's messages went
    to the other channel, if there is one."""
    FAULTS = "Faults"
    """Messages that a fault of ours sent back to their queue."""
    WALK_CUT_SHORT = "WalkCutShort"
    """1 for a scheduled run that did not come to its end, else 0, which is a heartbeat too."""
    QUOTA_USED_PERCENT = "QuotaUsedPercent"
    """Of the wanted quota that is used most, counted from jobs; not sent while none can be counted."""
    PRESSES_REFUSED = "PressesRefused"
    """Requests to the buttons' address that are no press of ours, and presses by people who may not."""
    POOLS_REFUSED = "PoolsRefused"
    """Pools that SageMaker would not end or extend."""
    UNKNOWN = "Unknown"
    """Jobs or pools that are missing from a sum; their line has the field `unknown`, which says what was missing."""
    SELF_CHECKED = "SelfChecked"  # synthetic messages that a channel accepted; they are not among the delivered
    SUBSCRIPTIONS_MISSING = "SubscriptionsMissing"  # of those that the settings name: not confirmed, or gone
    RECOUNT_DRIFT = "RecountDrift"
    """Jobs of the last week that the ledger has and the metrics do not."""
    CHECKPOINTS_OLD = "CheckpointsOld"
    """Running spot jobs that have not written a checkpoint for long."""


DELIVERIES = ("slack_delivery", "email_delivery", "topic_delivery")
CHAT = ("chat_action", "chat_action_work")
WORKERS = ("job_intake", "warm_pool_control", "spot_savings", "quota_refusal", "job_notification", "chat_action_work")
CONSUMERS = (*WORKERS, *DELIVERIES)
"""Functions that work through a queue."""
SENDERS: Mapping[Metric, Collection[str]] = {
    Metric.ANNOUNCED: ("job_intake", "warm_pool_control", "quota_refusal"),
    Metric.DELIVERED: DELIVERIES,
    Metric.DELIVERY_FAILED: DELIVERIES,
    Metric.POSTPONED: CONSUMERS,
    Metric.NOT_CONFIGURED: ("warm_pool_control", "warm_pool_sweep", "job_notification", *CHAT, *DELIVERIES),
    Metric.PRESSES_REFUSED: CHAT,
    Metric.FAULTS: CONSUMERS,
    Metric.WALK_CUT_SHORT: ("job_reconcile", "warm_pool_sweep", "quota_tracker"),
    Metric.QUOTA_USED_PERCENT: ("quota_tracker",),
    Metric.POOLS_REFUSED: ("warm_pool_control",),
    Metric.UNKNOWN: ("spot_savings", "warm_pool_control"),
    Metric.SELF_CHECKED: ("slack_delivery", "email_delivery"),
    Metric.SUBSCRIPTIONS_MISSING: ("self_check",),
    Metric.RECOUNT_DRIFT: ("metrics_recount",),
    Metric.CHECKPOINTS_OLD: ("checkpoint_watch",),
}
"""Which functions publish a signal: an alarm or graph on any other pair would stay empty for ever."""


class Field(StrEnum):
    """Fields of log lines that Logs Insights can ask for, beside a line's `team`, `job`, `message` and `service`."""

    # Of a job that is over, on the line that has its metrics (function spot_savings).
    STATUS = "status"
    FAILURE_CLASS = "failure_class"
    INSTANCE_TYPE = "instance_type"
    INSTANCE_FAMILY = "instance_family"
    INSTANCES = "instances"
    SPOT = "spot"
    TRAINING_SECONDS = "training_seconds"
    BILLABLE_SECONDS = "billable_seconds"
    SAVINGS_PERCENT = "savings_percent"
    OVERRUN_SECONDS = "overrun_seconds"  # wall-clock seconds that a spot job was billed beyond its training time
    COST_USD = "cost_usd"
    SAVED_USD = "saved_usd"
    PRICE_SOURCE = "price_source"
    INTERRUPTIONS = "interruptions"
    INTERRUPTED_SECONDS = "interrupted_seconds"  # from each interruption until the job trained again, or ended
    CAPACITY_WAIT_SECONDS = "capacity_wait_seconds"  # without instances; an ordinary launch is part of it
    WASTED_SECONDS = "wasted_seconds"  # billed seconds of work that nothing was saved of
    WORSE_THAN_ON_DEMAND = "worse_than_on_demand"
    START = "start"  # `cold` or `warm`
    START_SECONDS = "start_seconds"
    INPUT_MODE = "input_mode"
    UNKNOWN = "unknown"  # what is missing from the sums, and why
    # Of a warm pool that is over (function warm_pool_control), or of all that are there (warm_pool_sweep).
    POOLS_OVER = "pools_over"
    POOLS_REUSED = "pools_reused"
    POOLS_AVAILABLE = "pools_available"
    RETAINED_HOURS = "retained_instance_hours"
    RETAINED_USD = "retained_usd"
    IDLE_HOURS = "idle_instance_hours"
    AVOIDED_HOURS = "avoided_instance_hours"
    WOULD_AVOID_HOURS = "would_avoid_instance_hours"
    WOULD_HAVE_MISSED = "would_have_missed"
    """While a team observes: reuses that would have been cold starts."""
    # Of a wanted quota, on a line of its own at every tick (function quota_tracker).
    QUOTA = "quota"
    STATE = "state"
    VALUE = "value"
    WANTED = "wanted"
    USED = "used"
    USED_PERCENT = "used_percent"
    USED_FROM = "used_from"
    USAGE_METRIC = "usage_metric"
    """The `Resource` of AWS/Usage that Service Quotas names for it."""
    # What functions count without an alarm.
    IGNORED = "ignored"
    """Events that named nothing the ledger knows (forged or too old)."""
    FOLDED = "folded"
    """News of jobs that is told with what launched them."""
    ABSORBED = "absorbed"
    """Failures that are told with others like them; the note of each has the fields `storm` and `title`."""
    SUPPRESSED = "suppressed"
    """Messages that were not sent, and pools that were not ended, because the kill switch was on."""
    MUTED = "muted"  # messages that a route of the settings keeps back until its day
    OWNER_UNRESOLVED = "owner_unresolved"  # messages meant for an owner that went to the team's channel instead
    MAYBE_TWICE = "maybe_twice"  # a function died between a channel's acceptance of a message and the record of it
    PRICED_TYPES = "priced_types"
    CHECKPOINTS_WATCHED = "checkpoints_watched"
    JOBS_FOUND = "jobs_found"
    """Jobs the reconciler had to look at because events missed them."""


def counted_team(team: str, configured: Collection[str]) -> str:
    """The value of the dimension `team`: a configured team's name, and `OTHER_TEAMS` for any other tag."""
    return team if team in configured else OTHER_TEAMS


def metric_count(teams: Collection[str]) -> int:
    """The most custom metrics that a deployment with these teams can be billed for."""
    return len(TeamMetric) * len({*teams, OTHER_TEAMS}) + sum(len(senders) for senders in SENDERS.values())
