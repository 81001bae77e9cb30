"""A function that is killed between a channel's acceptance and the record of it: one duplicate, and it is counted."""

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from tests.adapters.bot import BotWorld, bot_world
from tests.adapters.cards import card
from tests.fakes import Crash, FakeChannel
from trainops.adapters.once import Once
from trainops.domain.cards import Card
from trainops.domain.routes import ANYWHERE, Place
from trainops.errors import TryLater
from trainops.outcomes import Counts, Outcome
from trainops.ports import Channel
from trainops.telemetry import Field, Metric
from trainops.workflows.delivery import Delivery

OVER: Any = SimpleNamespace(get_remaining_time_in_millis=lambda: -1000)
"""Of an invocation that has no time left: its record is not waited for."""
ALIVE: Any = SimpleNamespace(get_remaining_time_in_millis=lambda: 30_000)


@pytest.fixture
def world() -> Iterator[BotWorld]:
    with bot_world() as made:
        yield made


class Killed:
    """Delivers, and dies before it can say so."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel

    def deliver(self, card: Card, place: Place = ANYWHERE) -> Counts:
        self.channel.deliver(card, place)
        raise Crash("after the channel took it")


def deliver(world: BotWorld, channel: Channel, message: Mapping[str, Any], context: Any = ALIVE) -> Outcome:
    """One invocation in a process of its own."""
    once = Once(world.table.dynamodb, "t", "slack", Delivery("Slack", channel, None))
    once.register(context)
    return once(message)


@pytest.mark.parametrize("thread", [None, "resnet-1|09:00"])
def test_the_one_duplicate_of_a_killed_function_is_counted(world: BotWorld, thread: str | None) -> None:
    message = card(word="Failed", thread=thread).to_message()
    with pytest.raises(Crash):
        deliver(world, Killed(world.bot()), message, OVER)
    again = deliver(world, world.bot(), message)
    assert again.counts == {Metric.DELIVERED: 1, Field.MAYBE_TWICE: 1}
    assert "may be there twice" in again.reason
    assert deliver(world, world.bot(), message).counts == {}
    assert len(world.workspace.messages) == 2


def test_a_living_invocation_is_waited_for(world: BotWorld) -> None:
    message = card().to_message()
    with pytest.raises(Crash):
        deliver(world, Killed(FakeChannel()), message, ALIVE)
    with pytest.raises(TryLater, match="another invocation"):
        deliver(world, world.bot(), message)


def test_what_failed_before_the_channel_took_it_is_no_duplicate(world: BotWorld) -> None:
    message = card().to_message()
    with pytest.raises(TryLater):
        deliver(world, FakeChannel(TryLater("503")), message)
    assert deliver(world, world.bot(), message).counts == {Metric.DELIVERED: 1}


def test_one_card_for_two_places_is_two_deliveries(world: BotWorld) -> None:
    message = card().to_message()
    for place in ("#finops", "#vision-training", "#finops"):
        deliver(world, world.bot(), {**message, "to": place})
    assert [len(world.workspace.shown_in(name)) for name in ("#finops", "#vision-training")] == [1, 1]
