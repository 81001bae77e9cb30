"""The Slack channel: the message it posts, and what each answer means."""

import json
from datetime import timedelta

import pytest

from tests.adapters.cards import card
from tests.adapters.slack import FakeWebhook, channel, failure
from trainops.adapters.slack_webhook import SlackWebhook
from trainops.errors import NotConfigured, Refused, TryLater


def test_a_card_is_posted_with_blocks_and_a_fallback_text() -> None:
    fake = FakeWebhook()
    channel(fake).deliver(card())
    assert fake.sent[0]["text"].startswith("\N{CROSS MARK} resnet-1 failed")
    assert fake.sent[0]["blocks"][0]["type"] == "header"
    assert fake.sent[0]["unfurl_links"] is False


@pytest.mark.parametrize("header", ["Retry-After", "retry-after"])
def test_slacks_wish_to_wait_is_kept(header: str) -> None:
    error = failure(lambda: channel(FakeWebhook(429, "rate_limited", {header: "30"})).deliver(card()))
    assert isinstance(error, TryLater)
    assert error.after == timedelta(seconds=30)


def test_a_wait_without_a_number_is_left_to_the_queue() -> None:
    error = failure(lambda: channel(FakeWebhook(429, "", {"Retry-After": "soon"})).deliver(card()))
    assert isinstance(error, TryLater)
    assert error.after is None


@pytest.mark.parametrize("status", [408, 500, 502, 503])
def test_an_outage_is_waited_out(status: int) -> None:
    assert isinstance(failure(lambda: channel(FakeWebhook(status, "rollup_error")).deliver(card())), TryLater)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "invalid_payload"),
        (403, "posting_to_general_channel_denied"),
        (404, "channel_not_found"),
        (410, "channel_is_archived"),
    ],
)
def test_a_lasting_no_is_refused_with_slacks_own_code(status: int, code: str) -> None:
    error = failure(lambda: channel(FakeWebhook(status, code)).deliver(card()))
    assert isinstance(error, Refused)
    assert code in str(error)
    assert str(status) in str(error)


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (400, "invalid_token", "invalid_token"),
        (403, "invalid_token", "invalid_token"),
        (403, "action_prohibited", "action_prohibited"),
        (404, "no_service", "no_service"),
        (404, "no_team", "no_team"),
        (410, "no_active_hooks", "no_active_hooks"),
        (404, "<html>very-secret</html>", "an answer without a code"),
    ],
)
def test_a_webhook_that_lets_nobody_post_is_for_a_person_to_repair(status: int, body: str, said: str) -> None:
    error = failure(lambda: channel(FakeWebhook(status, body)).deliver(card()))
    assert isinstance(error, NotConfigured)
    assert f"the webhook in the secret trainops/slack lets nobody post: {said} (HTTP {status})" in str(error)
    assert "very-secret" not in str(error)


def test_an_answer_that_is_not_ok_is_no_delivery() -> None:
    error = failure(lambda: channel(FakeWebhook(200, "<html>Sign in</html>")).deliver(card()))
    assert isinstance(error, Refused)
    assert "Sign in" not in str(error)


@pytest.mark.case("NO-21")
def test_a_webhook_that_was_replaced_in_the_secret_is_used_at_once() -> None:
    revoked, working = FakeWebhook(404, "no_service"), FakeWebhook()
    urls = {False: "https://hooks.slack.com/services/old", True: "https://hooks.slack.com/services/new"}
    clients = {urls[False]: revoked, urls[True]: working}

    def secret(*, fresh: bool = False) -> str:
        return json.dumps({"webhook_url": urls[fresh]})

    SlackWebhook("trainops/slack", secret, lambda url: clients[url]).deliver(card())
    assert len(working.sent) == 1
    urls[True] = urls[False]
    error = failure(lambda: SlackWebhook("trainops/slack", secret, lambda url: clients[url]).deliver(card()))
    assert isinstance(error, NotConfigured)
    assert len(revoked.sent) == 2, "the same address is not tried twice"
