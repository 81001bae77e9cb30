"""One channel down for an hour, on a clock that is stepped: all is delivered afterwards, others are not disturbed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from tests.adapters.bot import BotWorld, bot_world, headline
from tests.adapters.cards import card
from trainops.adapters.once import Once
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.environment import QueueConsumer
from trainops.workflows.delivery import Delivery

CONTEXT: Any = SimpleNamespace(get_remaining_time_in_millis=lambda: 30_000)
RECEIVES = 40
"""As the queue is deployed."""


@pytest.fixture
def world() -> Iterator[BotWorld]:
    with bot_world() as made:
        yield made


@dataclass
class Message:
    body: str
    visible: datetime
    received: int = 0


@dataclass
class Queue:
    """The channel's queue as Lambda's event source works through it, five at a time; time jumps to what comes next."""

    world: BotWorld
    messages: dict[str, Message] = field(default_factory=dict)
    parked: list[str] = field(default_factory=list)
    most_received: int = 0

    def put(self, key: str, place: str, at: datetime) -> None:
        said = card(key=key, title=key, word="QuotaChanged").to_message()
        self.messages[key] = Message(json.dumps({**said, "to": place}), at)

    def change_message_visibility(self, *, QueueUrl: str, ReceiptHandle: str, VisibilityTimeout: int) -> None:  # noqa: N803
        self.messages[ReceiptHandle].visible = self.world.now + timedelta(seconds=VisibilityTimeout)

    def send_message(self, **request: Any) -> None:
        self.parked.append(request["MessageBody"])

    def work_through(self) -> None:
        env = QueueConsumer(queue_url="q", dead_letter_queue_url="d", ledger_table="t")
        delivery = Delivery("Slack", self.world.bot(timedelta(seconds=1)), None)
        once = Once(self.world.table.dynamodb, "t", "slack", delivery)
        consumer = SqsConsumer(env, once, self, once.register)
        while self.messages:
            self.world.now = max(self.world.now, min(message.visible for message in self.messages.values()))
            batch = [key for key, message in self.messages.items() if message.visible <= self.world.now][:5]
            failed = consumer({"Records": [self._record(key) for key in batch]}, CONTEXT)["batchItemFailures"]
            for key in set(batch) - {item["itemIdentifier"] for item in failed}:
                del self.messages[key]

    def _record(self, key: str) -> dict[str, Any]:
        message = self.messages[key]
        message.received += 1
        self.most_received = max(self.most_received, message.received)
        return {
            "messageId": key,
            "receiptHandle": key,
            "body": message.body,
            "attributes": {"ApproximateReceiveCount": str(message.received)},
            "messageAttributes": {},
            "eventSource": "aws:sqs",
            "eventSourceARN": "arn:aws:sqs:us-east-1:111122223333:q",
        }


def test_an_hour_without_one_channel_delays_its_cards_and_nobody_elses(world: BotWorld) -> None:
    began, queue = world.now, Queue(world)
    over = began + timedelta(hours=1)
    world.workspace.down["#ml-training"] = over
    world.workspace.per_second = 1
    for minute in range(12):
        at = began + timedelta(minutes=3 * minute)
        queue.put(f"broken-{minute:02}", "#ml-training", at)
        queue.put(f"other-{minute:02}", "#vision-training", at)
    queue.work_through()
    late, others = world.workspace.shown_in("#ml-training"), world.workspace.shown_in("#vision-training")
    assert sorted(map(headline, late)) == [f"broken-{minute:02}" for minute in range(12)]
    assert sorted(map(headline, others)) == [f"other-{minute:02}" for minute in range(12)]
    assert all(over <= message.at <= over + timedelta(minutes=18) for message in late), "at most one pause after it"
    for message in others:
        asked = began + timedelta(minutes=3 * int(headline(message)[-2:]))
        assert message.at - asked <= timedelta(seconds=12), "at most one batch that waits its turn"
    assert (queue.parked, queue.most_received < RECEIVES) == ([], True)


def test_a_burst_is_spread_over_the_seconds_that_slack_wants(world: BotWorld) -> None:
    world.workspace.per_second = 1
    queue = Queue(world)
    for number in range(60):
        queue.put(f"card-{number:02}", "#ml-training", world.now)
    queue.work_through()
    times = sorted(message.at for message in world.workspace.shown_in("#ml-training"))
    assert len(times) == 60
    assert all(later - earlier >= timedelta(seconds=1) for earlier, later in pairwise(times))
    assert (world.workspace.limited, queue.parked) == (0, []), (
        "the pace keeps below the limit, so that Slack never says 429"
    )


def test_when_slack_says_429_all_the_same_the_card_comes_back_as_asked(world: BotWorld) -> None:
    world.workspace.per_second = 0.2
    queue = Queue(world)
    for number in range(20):
        queue.put(f"card-{number:02}", "#ml-training", world.now)
    queue.work_through()
    assert len(world.workspace.shown_in("#ml-training")) == 20
    assert world.workspace.limited > 0
    assert (queue.parked, queue.most_received < RECEIVES) == ([], True)
