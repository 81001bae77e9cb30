"""The environment of each function, written by the stack and read by the handler.

Both sides use the same frozen dataclass, so that a variable cannot be renamed on one side only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from trainops.environment_codec import Environment


@dataclass(frozen=True, kw_only=True)
class QueueConsumer(Environment):
    """What every function that works through a queue needs."""

    queue_url: str
    dead_letter_queue_url: str
    ledger_table: str


@dataclass(frozen=True, kw_only=True)
class JobIntake(QueueConsumer):
    """`handlers.job_intake`: records each state change and announces what is new."""

    bus_name: str
    describe_spacing: timedelta
    """Time between two SageMaker calls of one invocation; concurrency is limited on the queue."""
    ledger_retention: timedelta
    scope_tags: Mapping[str, str]
    """Only jobs that carry all these tags are looked after; empty means every job."""
    team_owners: Mapping[str, str]
    """Team → who answers for its jobs when they name no owner."""
    price_overrides: Mapping[str, Decimal]
    """Instance type → US dollars per instance-hour, before the table that ships with the code."""


@dataclass(frozen=True, kw_only=True)
class JobReconcile(Environment):
    """`handlers.job_reconcile`: finds what events missed."""

    ledger_table: str
    job_events_queue_url: str
    list_spacing: timedelta
    overlap: timedelta
    """How far back each walk by creation time starts before the end of the last one."""


@dataclass(frozen=True, kw_only=True)
class WarmPoolControl(QueueConsumer):
    """`handlers.warm_pool_control`: decides how long pools are kept, and ends them where a team enforces that."""

    bus_name: str
    kill_switch_parameter: str
    settings_prefix: str
    """The SSM parameters `<prefix>/<team>` hold what teams chose."""
    describe_spacing: timedelta
    update_spacing: timedelta
    """Time between two SageMaker calls of one invocation; concurrency is limited on the queue."""
    ledger_retention: timedelta
    scope_tags: Mapping[str, str]
    price_overrides: Mapping[str, Decimal]
    presses_queue_url: str | None
    """Where the answers to people go who pressed a button; None while actions are off."""


@dataclass(frozen=True, kw_only=True)
class WarmPoolSweep(Environment):
    """`handlers.warm_pool_sweep`: finds pools that control missed, learns, and recommends."""

    ledger_table: str
    bus_name: str
    artifact_bucket: str
    recommendations_name: str
    """The document's key in the artifact bucket, with {team} for the team's name."""
    settings_prefix: str
    warm_pools_queue_url: str
    list_spacing: timedelta


@dataclass(frozen=True, kw_only=True)
class SpotSavings(QueueConsumer):
    """`handlers.spot_savings`: publishes each finished job's figures once."""

    ledger_retention: timedelta
    teams: tuple[str, ...]
    """The configured teams; jobs of all others are counted as one."""


@dataclass(frozen=True, kw_only=True)
class MetricsRecount(Environment):
    """`handlers.metrics_recount`: compares the ledger with what was published."""

    ledger_table: str


@dataclass(frozen=True, kw_only=True)
class PriceRefresh(Environment):
    """`handlers.price_refresh`: reads the Price List."""

    ledger_table: str
    refresh_every: timedelta


@dataclass(frozen=True, kw_only=True)
class CheckpointWatch(Environment):
    """`handlers.checkpoint_watch`: looks how old checkpoints of running spot jobs are."""

    ledger_table: str
    ledger_retention: timedelta
    bus_name: str
    checkpoint_bucket: str
    stale_after: timedelta


@dataclass(frozen=True, kw_only=True)
class WeeklyReport(Environment):
    """`handlers.weekly_report`: tells each team what its week came to."""

    ledger_table: str
    bus_name: str
    teams: tuple[str, ...]
    """The configured teams; jobs of all others have one report together."""
    day: int
    """From Monday (0) to Sunday (6)."""
    hour: int
    time_zone: str
    waiting_usd_per_hour: Mapping[str, Decimal]
    """By team, and by `default` for all other jobs."""
    read_logs: bool
    """Whether the logs of some jobs are read for what they install."""


@dataclass(frozen=True, kw_only=True)
class TeamPublication(Environment):
    """`handlers.team_publication`: puts each team's documents into the artifact bucket."""

    artifact_bucket: str


@dataclass(frozen=True, kw_only=True)
class QuotaRequest(Environment):
    """`handlers.quota_request`: asks for quotas at a deployment."""

    ledger_table: str
    quota_spacing: timedelta
    """Time between two Service Quotas calls of one invocation."""


@dataclass(frozen=True, kw_only=True)
class QuotaTracker(Environment):
    """`handlers.quota_tracker`: follows requests for quotas and counts what is used."""

    ledger_table: str
    bus_name: str
    kill_switch_parameter: str
    quota_spacing: timedelta
    search_spacing: timedelta
    """Time between two Search calls of one invocation."""


@dataclass(frozen=True, kw_only=True)
class QuotaRefusal(QueueConsumer):
    """`handlers.quota_refusal`: tells owners which quota a refused job needs."""

    bus_name: str
    search_spacing: timedelta
