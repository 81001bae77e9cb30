"""A Slack bot against the Slack-shaped server, with a ledger in memory and a clock that a test turns."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
from moto import mock_aws

from local.receivers import SlackReceiver
from local.slack_api import BotMessage
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.pace import Paces
from trainops.adapters.slack_api import SlackApi
from trainops.adapters.slack_bot import SlackBot
from trainops.adapters.slack_memory import People, Threads


@dataclass
class BotWorld:
    """`now` is everybody's time; `secret` is what Secrets Manager holds, `seen` what the function remembers of it."""

    table: LedgerTable
    now: datetime = datetime(2026, 3, 2, 9, tzinfo=UTC)
    secret: dict[str, Any] = field(default_factory=dict)
    seen: str | None = None

    def __post_init__(self) -> None:
        self.slack = SlackReceiver(lambda: self.now)
        self.workspace = self.slack.workspace

    def step(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)

    def bot(self, spacing: timedelta = timedelta(0)) -> SlackBot:
        """The bot of a new process."""
        self.seen = None
        paces = Paces(spacing, monotonic=lambda: self.now.timestamp(), sleep=self._sleep)  # noqa: PLW0108
        api = SlackApi("trainops/slack", self.text, paces)
        return SlackBot(
            api, Threads(self.table, lambda: self.now), People(self.table, lambda: self.now), "#ml-training"
        )

    def text(self, *, fresh: bool = False) -> str:
        """The secret, as remembered or anew."""
        if fresh or self.seen is None:
            self.seen = json.dumps(self.secret)
        return self.seen

    def shown(self, channel: str = "#ml-training") -> list[str]:
        """The headlines in a channel, threads apart."""
        return [headline(message) for message in self.workspace.shown_in(channel)]

    def in_thread(self, channel: str = "#ml-training", root: int = 0) -> list[str]:
        """The headlines in one message's thread."""
        return [headline(message) for message in self.workspace.replies_to(self.workspace.shown_in(channel)[root])]

    def _sleep(self, seconds: float) -> None:
        self.step(seconds=seconds)


def headline(message: BotMessage) -> str:
    """The first words that a person sees, without their symbol."""
    return str(message.body["text"]).partition(" ")[2].partition(" \N{EN DASH} ")[0]


@contextmanager
def bot_world() -> Iterator[BotWorld]:
    """A workspace and a ledger's table."""
    with mock_aws():
        dynamodb = boto3.client("dynamodb", region_name="us-east-1")
        dynamodb.create_table(
            TableName="t",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        )
        world = BotWorld(LedgerTable(dynamodb, "t"))
        world.slack.start()
        world.secret = {"token": world.workspace.token, "api_url": world.slack.api_url}
        try:
            yield world
        finally:
            world.slack.stop()
