"""The environment of the functions behind the buttons in Slack, and of the self-check; see `environment`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from trainops.environment import QueueConsumer
from trainops.environment_codec import Environment


@dataclass(frozen=True, kw_only=True)
class ChatAction(Environment):
    """`handlers.chat_action`: verifies that a request is a press of one of our buttons, and queues it."""

    presses_queue_url: str
    secret_name: str
    workspace: str


@dataclass(frozen=True, kw_only=True)
class ChatActionWork(QueueConsumer):
    """`handlers.chat_action_work`: finds out who pressed and whether they may, and answers them."""

    secret_name: str
    workspace: str
    settings_prefix: str
    warm_pools_queue_url: str
    ledger_retention: timedelta


@dataclass(frozen=True, kw_only=True)
class SelfCheck(Environment):
    """`handlers.self_check`: sends a synthetic event, and looks who is subscribed."""

    job_events_queue_url: str | None
    """Where the synthetic event goes; None without a test channel."""
    scope_tags: Mapping[str, str]
    topic_arn: str | None
    subscribers: int
    """How many the settings name for the topic of messages."""
    alarm_topic_arn: str
    ledger_table: str
    alarm_subscribers: int
