"""Where a card goes that its channel will not take: to the other channel, back onto the queue, or among the dead."""

from datetime import timedelta
from typing import Any

import pytest

from tests.adapters.cards import card as any_card
from tests.fakes import FakeChannel, FakeQueue
from trainops.errors import NotConfigured, PoisonMessage, Refused, TryLater
from trainops.telemetry import Metric
from trainops.workflows.delivery import Delivery


def card() -> dict[str, Any]:
    return any_card().to_message()


def delivery(channel: FakeChannel, fallback: FakeQueue | None = None) -> Delivery:
    return Delivery("Slack", channel, fallback)


def test_a_lasting_refusal_moves_the_card_to_the_other_channel_with_the_reason() -> None:
    other = FakeQueue()
    outcome = delivery(FakeChannel(Refused("channel_is_archived")), fallback=other)(card())
    assert outcome.counts == {Metric.DELIVERY_FAILED: 1}
    assert other.sent[0]["context"][-1] == "Sent here because Slack refused it: channel_is_archived"
    assert other.sent[0]["key"] == card()["key"], "the other channel may have sent it already"


def test_a_card_that_both_channels_refuse_is_parked() -> None:
    other = FakeQueue()
    delivery(FakeChannel(Refused("archived")), fallback=other)(card())
    with pytest.raises(PoisonMessage, match="no other channel is left: unverified"):
        delivery(FakeChannel(Refused("unverified")), fallback=FakeQueue())(other.sent[0])


def test_a_refusal_without_another_channel_is_parked() -> None:
    with pytest.raises(PoisonMessage, match="no other channel is left"):
        delivery(FakeChannel(Refused("archived")))(card())


def test_a_passing_fault_leaves_the_card_on_the_queue() -> None:
    other = FakeQueue()
    with pytest.raises(TryLater, match="429"):
        delivery(FakeChannel(TryLater("429", timedelta(seconds=7))), fallback=other)(card())
    assert other.sent == []


def test_what_a_person_has_to_repair_moves_the_card_at_once_and_is_counted_as_that() -> None:
    other = FakeQueue()
    outcome = delivery(FakeChannel(NotConfigured("token_revoked")), fallback=other)(card())
    assert outcome.counts == {Metric.NOT_CONFIGURED: 1}
    [moved] = other.sent
    assert moved["context"][-1] == "Sent here because Slack needs a repair: token_revoked"
    assert moved["key"] == card()["key"], "the other channel may have sent it already"


def test_without_another_channel_it_waits_for_the_repair() -> None:
    with pytest.raises(NotConfigured, match="token_revoked"):
        delivery(FakeChannel(NotConfigured("token_revoked")))(card())


def test_a_card_that_came_from_the_other_channel_waits_for_the_repair_and_does_not_go_back() -> None:
    mails, cards = FakeQueue(), FakeQueue()
    delivery(FakeChannel(Refused("archived")), fallback=mails)(card())
    with pytest.raises(NotConfigured, match="no secret"):
        delivery(FakeChannel(NotConfigured("no secret")), fallback=cards)(mails.sent[0])
    assert cards.sent == []
