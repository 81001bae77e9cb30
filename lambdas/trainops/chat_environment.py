"""The environment of the functions behind the buttons in Slack; see `environment`."""

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
