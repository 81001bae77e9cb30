"""Handling once, over the ledger's table; the kill switch; and what a function of a schedule does with its time."""

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from moto import mock_aws

from tests.fakes import FakeChannel, FakeQueue
from trainops.adapters.aws import client, passing_faults
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.once import Once
from trainops.adapters.queue_consumer import Handle
from trainops.adapters.scheduled import ScheduledTask
from trainops.domain.cards import Card, Tone
from trainops.errors import NotConfigured, PoisonMessage, Refused, TryLater
from trainops.outcomes import Outcome
from trainops.telemetry import Field, Metric
from trainops.workflows.delivery import Delivery

CONTEXT: Any = SimpleNamespace(get_remaining_time_in_millis=lambda: 30_000)


@pytest.fixture
def dynamodb() -> Iterator[Any]:
    with mock_aws():
        found = boto3.client("dynamodb")
        found.create_table(
            TableName="t",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        )
        yield found


class Effect:
    """Counts what really happened; raises what it is told to, first."""

    def __init__(self, *faults: Exception) -> None:
        self.faults, self.done = list(faults), list[str]()

    def __call__(self, message: Mapping[str, Any]) -> Outcome:
        if self.faults:
            raise self.faults.pop(0)
        self.done.append(message["key"])
        return Outcome("sent", {Metric.DELIVERED: 1})


def once(dynamodb: Any, effect: Handle, name: str = "slack") -> Once:
    guarded = Once(dynamodb, "t", name, effect)
    guarded.register(CONTEXT)
    return guarded


@pytest.mark.case("NO-01")
def test_a_repeated_message_has_one_effect_in_any_process(dynamodb: Any) -> None:
    effect = Effect()
    assert once(dynamodb, effect)({"key": "a", "title": "x"}).counts == {Metric.DELIVERED: 1}
    again = once(dynamodb, effect)({"key": "a", "title": "said differently"})
    assert (again.reason, again.counts) == ("a: was done before", {})
    once(dynamodb, effect)({"key": "b"})
    assert effect.done == ["a", "b"]


def test_each_channel_has_its_own_memory(dynamodb: Any) -> None:
    effect = Effect()
    once(dynamodb, effect, "slack")({"key": "a"})
    once(dynamodb, effect, "email")({"key": "a"})
    assert effect.done == ["a", "a"]


@pytest.mark.parametrize("fault", [TryLater("429", timedelta(seconds=7)), NotConfigured("x"), PoisonMessage("y")])
def test_what_failed_is_tried_again_and_its_error_is_kept(dynamodb: Any, fault: Exception) -> None:
    effect = Effect(fault)
    with pytest.raises(type(fault)) as caught:
        once(dynamodb, effect)({"key": "a"})
    assert caught.value is fault
    once(dynamodb, effect)({"key": "a"})
    assert effect.done == ["a"]


def test_while_another_is_at_it_the_message_comes_back_later(dynamodb: Any) -> None:
    inner = once(dynamodb, Effect())

    class Meanwhile(Effect):
        def __call__(self, message: Mapping[str, Any]) -> Outcome:
            with pytest.raises(TryLater, match="another invocation"):
                inner(message)
            return super().__call__(message)

    outer = Meanwhile()
    once(dynamodb, outer)({"key": "a"})
    assert outer.done == ["a"]


def test_a_card_that_both_channels_refuse_is_parked_once_each_has_had_it(dynamodb: Any) -> None:
    """Each channel has the card under one key; whoever refuses it hands a copy to the other."""
    queues = {name: FakeQueue() for name in ("slack", "email")}
    refusing = {
        name: once(dynamodb, Delivery(name, FakeChannel(Refused("no")), queues[other]), name)
        for name, other in (("slack", "email"), ("email", "slack"))
    }
    card = Card(key="a", job_name="j", tone=Tone.GOOD, title="t", summary="s").to_message()
    for refuse in refusing.values():
        refuse(card)
    for name, queue in queues.items():
        [copy] = queue.sent
        with pytest.raises(PoisonMessage, match="nobody got it"):
            refusing[name](copy)


def test_a_card_that_one_channel_took_is_not_told_again_by_the_other_ones_copy(dynamodb: Any) -> None:
    channel = FakeChannel()
    email = once(dynamodb, Delivery("email", channel, None), "email")
    card = Card(key="a", job_name="j", tone=Tone.GOOD, title="t", summary="s").to_message()
    email(card)
    assert email({**card, "fallback": True}).reason == "a: was done before"
    assert len(channel.delivered) == 1


def test_a_table_that_cannot_be_reached_means_later(dynamodb: Any) -> None:
    dynamodb.delete_table(TableName="t")
    with pytest.raises(TryLater, match="cannot be reached"):
        once(dynamodb, Effect())({"key": "a"})


def test_a_message_without_a_key_is_poison(dynamodb: Any) -> None:
    with pytest.raises(PoisonMessage, match="no key"):
        once(dynamodb, Effect())({"title": "x"})


@pytest.mark.parametrize(("value", "on"), [("off", False), (" OFF ", False), ("on", True), ("stop", True), ("0", True)])
def test_anything_but_off_is_on(value: str, on: bool) -> None:
    with mock_aws():
        ssm = boto3.client("ssm")
        ssm.put_parameter(Name="/trainops/kill-switch", Value=value, Type="String")
        assert SsmKillSwitch.of(ssm, "/trainops/kill-switch").is_on() is on


def test_a_kill_switch_that_cannot_be_read_is_no_permission_to_act() -> None:
    with mock_aws():
        switch = SsmKillSwitch.of(boto3.client("ssm"), "/trainops/kill-switch")
        with pytest.raises(NotConfigured, match="/trainops/kill-switch cannot be read"):
            switch.is_on()


def test_a_refusal_is_not_mistaken_for_a_passing_fault() -> None:
    refused = ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "PutEvents")
    with pytest.raises(ClientError), passing_faults("PutEvents"):
        raise refused
    broken = ClientError({"Error": {"Code": "X"}, "ResponseMetadata": {"HTTPStatusCode": 503}}, "PutEvents")  # type: ignore[typeddict-item]
    with pytest.raises(TryLater, match="PutEvents: X"), passing_faults("PutEvents"):
        raise broken
    with pytest.raises(TryLater, match="PutEvents: EndpointConnectionError"), passing_faults("PutEvents"):
        raise EndpointConnectionError(endpoint_url="https://events")


def test_clients_give_up_soon_because_the_queue_does_the_waiting() -> None:
    config = client("sagemaker").meta.config
    assert config.retries["total_max_attempts"] == 3
    assert config.connect_timeout + config.read_timeout <= 20


@pytest.mark.parametrize(("left", "has_time"), [(30_001, True), (30_000, False)])
def test_a_scheduled_task_keeps_half_a_minute_in_reserve(left: int, has_time: bool) -> None:
    seen: list[bool] = []

    def task(event: Mapping[str, Any], asks: Any) -> Outcome:
        seen.append(asks())
        return Outcome("walked", {})

    ScheduledTask(task)({}, SimpleNamespace(get_remaining_time_in_millis=lambda: left))  # type: ignore[arg-type]
    assert seen == [has_time]


def test_a_scheduled_task_counts_what_it_did(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ScheduledTask(lambda event, asks: Outcome("walked", {Field.JOBS_FOUND: 3, Metric.WALK_CUT_SHORT: 1}))({}, CONTEXT)
    [metrics] = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"_aws"' in line]
    assert metrics["WalkCutShort"] == [1.0]
    assert vars(caplog.records[-1])["jobs_found"] == 3, "what no alarm needs is a field of the log line"
