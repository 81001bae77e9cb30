"""The environment of each function, written by the stack and read by the handler.

Both sides use the same frozen dataclass, so that a variable cannot be renamed on one side only. An absent
optional value is not written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from decimal import Decimal
from types import NoneType
from typing import Any, Self, get_args, get_type_hints

from trainops.environment_text import as_text, from_text

MAX_BYTES = 4096
"""Lambda refuses more than 4 KB of environment variables in total (Lambda quotas)."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Reads and writes a function's variables; one field is one variable, in upper case."""

    def to_env(self) -> dict[str, str]:
        """The variables for the function. Raises ValueError above Lambda's 4 KB."""
        env = {
            field.name.upper(): as_text(value)
            for field in fields(self)
            if (value := getattr(self, field.name)) is not None
        }
        size = sum(len(name) + len(text.encode()) for name, text in env.items())
        if size > MAX_BYTES:
            largest = max(env, key=lambda name: len(env[name]))
            raise ValueError(
                f"{type(self).__name__}: {size} bytes of environment, Lambda takes {MAX_BYTES}; "
                f"the largest is {largest} ({len(env[largest])} bytes)"
            )
        return env

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """The values a function was deployed with. Raises ValueError naming each faulty variable."""
        values: dict[str, Any] = {}
        faults: list[str] = []
        for name, kind in get_type_hints(cls).items():
            variable = name.upper()
            optional = NoneType in get_args(kind)
            if not env.get(variable) and optional:
                values[name] = None
            elif variable not in env:
                faults.append(f"{variable} is missing")
            else:
                try:
                    values[name] = from_text(env[variable], kind)
                except (ValueError, ArithmeticError) as error:
                    faults.append(f"{variable}: {error}")
        if faults:
            raise ValueError(f"{cls.__name__}: " + "; ".join(faults))
        return cls(**values)


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


@dataclass(frozen=True, kw_only=True)
class CheckpointWatch(Environment):
    """`handlers.checkpoint_watch`: looks how old checkpoints of running spot jobs are."""

    ledger_table: str
    checkpoint_bucket: str
    stale_after: timedelta


@dataclass(frozen=True, kw_only=True)
class JobNotification(QueueConsumer):
    """`handlers.job_notification`: decides who hears of an event, and puts a card on each channel's queue."""

    kill_switch_parameter: str
    statuses: tuple[str, ...]
    """Which of Started, Interrupted, Completed, Failed, Stopped are told."""
    time_zone: str
    slack_queue_url: str | None
    email_queue_url: str


@dataclass(frozen=True, kw_only=True)
class SlackDelivery(QueueConsumer):
    """`handlers.slack_delivery`: posts cards to the incoming webhook of the secret."""

    kill_switch_parameter: str
    secret_name: str
    post_spacing: timedelta
    """Time between two messages of one invocation; concurrency is limited on the queue."""
    fallback_queue_url: str | None


@dataclass(frozen=True, kw_only=True)
class EmailDelivery(QueueConsumer):
    """`handlers.email_delivery`: sends cards through SES when there is a sender, else to the SNS topic."""

    kill_switch_parameter: str
    sender: str | None
    recipients: tuple[str, ...]
    topic_arn: str | None
    fallback_queue_url: str | None


@dataclass(frozen=True, kw_only=True)
class TeamPublication(Environment):
    """`handlers.team_publication`: puts each team's documents into the artifact bucket."""

    artifact_bucket: str
