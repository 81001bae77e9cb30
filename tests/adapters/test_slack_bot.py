"""The Slack bot against a Slack-shaped server: threads, people, channels that refuse, tokens that change."""

import json
import logging
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from tests.adapters.bot import BotWorld, bot_world
from tests.adapters.cards import any_card, card
from tests.adapters.slack import chain, failure, slack_server
from trainops.adapters.slack_api import SlackRefusal
from trainops.domain.cards import Card, Tone
from trainops.domain.routes import Place
from trainops.errors import TryLater
from trainops.telemetry import Field, Metric

OWNER = "owner@example.com"


@pytest.fixture
def world() -> Iterator[BotWorld]:
    with bot_world() as made:
        yield made


def of_run(word: str, key: str | None = None, **fields: object) -> Card:
    """One card of one run."""
    return card(key=key or word, title=f"resnet-1 {word}", word=word, thread="resnet-1|09:00", **fields)


def test_a_job_is_one_message_from_start_to_end_and_the_rest_is_in_its_thread(world: BotWorld) -> None:
    for said in (
        of_run("Started", tone=Tone.NEUTRAL),
        of_run("Interrupted", tone=Tone.WARNING),
        of_run("Failed"),
        of_run("WarmPoolEnding", tone=Tone.NEUTRAL),
    ):
        world.bot().deliver(said, Place())
    assert world.shown() == ["resnet-1 Failed"]
    assert world.in_thread() == ["resnet-1 Interrupted", "resnet-1 Failed", "resnet-1 WarmPoolEnding"]
    [root] = world.workspace.shown_in("#ml-training")
    assert "resnet-1 Started" in str(root.versions[0]["text"])
    ending = next(reply for reply in world.workspace.messages if reply.thread and "Failed" in reply.body["text"])
    assert ending.body["reply_broadcast"] is True, "a change notifies nobody, and a failure is for the channel"


def test_two_runs_and_two_channels_have_threads_of_their_own(world: BotWorld) -> None:
    world.bot().deliver(of_run("Started"), Place())
    world.bot().deliver(of_run("Started"), Place("#vision-training"))
    world.bot().deliver(card(key="other", title="other", word="Started", thread="other|09:00"), Place())
    world.bot().deliver(card(key="alone", title="alone", word="QuotaChanged"), Place())
    assert world.shown() == ["resnet-1 Started", "other", "alone"]
    assert world.shown("#vision-training") == ["resnet-1 Started"]


def test_while_one_card_opens_the_thread_the_others_wait_and_a_dead_one_is_taken_over(world: BotWorld) -> None:
    assert world.bot().threads.root("#ml-training", "resnet-1|09:00", "Started") is None
    error = failure(lambda: world.bot().deliver(of_run("Interrupted"), Place()))
    assert isinstance(error, TryLater)
    assert world.shown() == []
    world.bot().deliver(of_run("Started"), Place())
    world.bot().deliver(of_run("Interrupted"), Place())
    assert (world.shown(), world.in_thread()) == (["resnet-1 Started"], ["resnet-1 Interrupted"])
    assert world.bot().threads.root("#ml-training", "other", "killed") is None
    world.step(minutes=3)
    assert world.bot().threads.root("#ml-training", "other", "next") is None


def test_a_first_message_that_somebody_deleted_is_posted_anew(world: BotWorld) -> None:
    world.bot().deliver(of_run("Started"), Place())
    world.workspace.messages.clear()
    world.bot().deliver(of_run("Completed", tone=Tone.GOOD), Place())
    assert world.shown() == ["resnet-1 Completed"]
    world.workspace.messages.clear()
    world.bot().deliver(of_run("WarmPoolEnded"), Place())
    assert world.shown() == ["resnet-1 WarmPoolEnded"]


@pytest.mark.case("NO-07")
def test_an_owner_is_written_to_directly_and_looked_up_once_a_week(world: BotWorld) -> None:
    world.workspace.people[OWNER] = "U0000000001"
    for key in ("a", "b"):
        assert world.bot().deliver(card(key=key), Place(OWNER, "#vision-training")) == {}
    assert len(world.workspace.shown_in("DU0000000001")) == 2
    assert world.workspace.calls.count("users.lookupByEmail") == 1
    world.step(days=8)
    world.bot().deliver(card(key="c"), Place(OWNER))
    assert world.workspace.calls.count("users.lookupByEmail") == 2


@pytest.mark.case("NO-07")
def test_an_owner_whom_slack_does_not_know_is_named_in_the_teams_channel_and_counted(world: BotWorld) -> None:
    for key in ("a", "b"):
        counts = world.bot().deliver(card(key=key), Place(OWNER, "#vision-training"))
        assert counts == {Field.OWNER_UNRESOLVED: 1}
    first, second = world.workspace.shown_in("#vision-training")
    for message in (first, second):
        assert f"Meant for {OWNER}, where it could not go: users_not_found" in json.dumps(message.body)
    assert world.workspace.calls.count("users.lookupByEmail") == 1, "nobody is remembered for an hour"
    assert world.bot().deliver(card(key="c"), Place(OWNER)) == {Field.OWNER_UNRESOLVED: 1}
    assert len(world.shown()) == 1, "without a team's channel it is the default one"


def test_no_address_is_kept_in_the_ledger(world: BotWorld) -> None:
    world.workspace.people[OWNER] = "U0000000001"
    world.bot().deliver(of_run("Started"), Place(OWNER))
    items = world.table.dynamodb.scan(TableName="t")["Items"]
    assert len(items) == 2
    assert "example.com" not in json.dumps(items)
    assert all("expires_at" in item for item in items)


@pytest.mark.parametrize("broken", ["archived", "gone"])
def test_a_channel_that_refuses_for_good_is_replaced_by_the_default_one(world: BotWorld, broken: str) -> None:
    if broken == "archived":
        world.workspace.archived.add("#vision-training")
    else:
        del world.workspace.channels["#vision-training"]
    assert world.bot().deliver(of_run("Failed"), Place("#vision-training")) == {Metric.DELIVERY_FAILED: 1}
    [message] = world.workspace.shown_in("#ml-training")
    assert "Meant for #vision-training, where it could not go" in json.dumps(message.body)
    del world.workspace.channels["#ml-training"]
    assert isinstance(failure(lambda: world.bot().deliver(card(), Place("#vision-training"))), SlackRefusal)


@pytest.mark.case("NO-21")
def test_a_channel_that_refused_one_card_keeps_no_other_waiting(world: BotWorld) -> None:
    del world.workspace.channels["#vision-training"]
    for word in ("Started", "Completed"):
        world.bot().deliver(of_run(word, tone=Tone.GOOD), Place("#vision-training"))
    assert world.shown() == ["resnet-1 Completed"]


def test_a_429_closes_its_channel_for_as_long_as_slack_says_and_no_other(world: BotWorld) -> None:
    world.workspace.per_second = 0.1
    bot = world.bot()
    bot.deliver(card(key="a"), Place())
    error = failure(lambda: bot.deliver(card(key="b"), Place()))
    assert isinstance(error, TryLater)
    assert error.after is not None
    assert error.after.total_seconds() == 10
    calls = len(world.workspace.calls)
    assert isinstance(failure(lambda: bot.deliver(card(key="b"), Place())), TryLater)
    assert len(world.workspace.calls) == calls, "Slack is not asked again before its time"
    bot.deliver(card(key="c"), Place("#finops"))
    world.step(seconds=10)
    bot.deliver(card(key="b"), Place())
    assert (len(world.shown()), world.workspace.limited) == (2, 1)


@pytest.mark.parametrize(
    ("status", "body"), [(503, "upstream"), (500, '{"ok": false, "error": "internal_error"}'), (0, "")]
)
def test_an_outage_is_waited_out_and_nothing_of_the_request_is_quoted(
    world: BotWorld, status: int, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with slack_server(status, body, {"Content-Type": "text/plain"}) as (url, _):
        world.secret["api_url"] = url
        error = failure(lambda: world.bot().deliver(card(), Place()))
    assert isinstance(error, TryLater)
    assert list(chain(error)) == [error]
    assert "very-secret" not in caplog.text + str(error)
    assert world.workspace.token not in caplog.text + str(error)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(any_card())
def test_slack_takes_any_card_at_all(world: BotWorld, said: Card) -> None:
    world.workspace.messages.clear()
    world.bot().deliver(said, Place())
    assert len(world.workspace.messages) == 1
