"""The webhook's address is a secret: read anew, checked, and never written anywhere."""

import json
import logging
from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from tests.adapters.cards import card
from tests.adapters.slack import SECRET, URL, FakeWebhook, always, chain, channel, failure, slack_server
from trainops.adapters.slack_webhook import SlackSecret, SlackWebhook, webhook
from trainops.errors import NotConfigured, TryLater


@pytest.mark.parametrize(
    "secret",
    [
        "",
        "not json " + URL,
        "[]",
        '"' + URL + '"',
        "{}",
        json.dumps({"webhook_url": None}),
        json.dumps({"webhook_url": 5}),
        json.dumps({"webhook_url": "very-secret"}),
        json.dumps({"webhook_url": "ftp://host/very-secret"}),
        json.dumps({"webhook_url": "https:///very-secret"}),
        json.dumps({"webhook_url": "https://host:port/very-secret"}),
        json.dumps({"webhook_url": "https://host/very secret"}),
        json.dumps({"webhook_url": "https://[very-secret"}),
    ],
)
def test_a_secret_that_cannot_be_used_is_named_and_never_quoted(secret: str) -> None:
    error = failure(lambda: channel(FakeWebhook(), secret).deliver(card()))
    assert isinstance(error, NotConfigured)
    assert "trainops/slack" in str(error)
    assert '{"webhook_url": "https://' in str(error)
    assert not any("very" in str(link) or "hooks.slack" in str(link) for link in chain(error))


def test_more_keys_in_the_secret_are_fine() -> None:
    fake = FakeWebhook()
    channel(fake, json.dumps({"token": "x", "signing_secret": "y", "webhook_url": URL, "api_url": "z"})).deliver(card())
    assert fake.sent


@pytest.mark.case("NO-21")
@pytest.mark.parametrize(
    "fake",
    [
        FakeWebhook(400, f"invalid request to {URL}"),
        FakeWebhook(500, f"cannot serve {URL}"),
        FakeWebhook(429, URL),
    ],
)
def test_an_answer_that_echoes_the_address_is_not_quoted(fake: FakeWebhook) -> None:
    error = failure(lambda: channel(fake).deliver(card()))
    assert not any("very-secret" in str(link) for link in chain(error))


@pytest.mark.case("NO-21")
def test_a_client_error_that_quotes_the_address_is_neither_quoted_nor_chained() -> None:
    fake = FakeWebhook()
    fake.error = ValueError(f"Invalid URL detected: {URL}")
    error = failure(lambda: channel(fake).deliver(card()))
    assert isinstance(error, TryLater)
    assert list(chain(error)) == [error]
    assert "very-secret" not in str(error)
    assert "very-secret" not in repr(channel(fake))


@pytest.mark.case("NO-21")
@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, "ok", None),
        (429, "x", TryLater),
        (404, "no_service", NotConfigured),
        (500, "", TryLater),
        (0, "", TryLater),
    ],
)
def test_the_real_client_tries_once_and_logs_no_address(
    status: int, body: str, kind: type[Exception] | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with slack_server(status, body, {"Retry-After": "7"}) as (url, got):
        real = SlackWebhook("s", always(json.dumps({"webhook_url": url})), webhook)
        if kind is None:
            real.deliver(card())
        else:
            error = failure(lambda: real.deliver(card()))
            assert isinstance(error, kind)
            assert getattr(error, "after", None) == (timedelta(seconds=7) if status == 429 else None)
    assert len(got) == 1
    assert "very-secret" not in caplog.text


def test_a_server_that_is_not_there_is_tried_later(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with slack_server(200, "ok", {}) as (url, _):
        gone = url
    error = failure(lambda: SlackWebhook("s", always(json.dumps({"webhook_url": gone})), webhook).deliver(card()))
    assert isinstance(error, TryLater)
    assert list(chain(error)) == [error]
    assert "very-secret" not in caplog.text


def secrets_client() -> Any:
    return boto3.client("secretsmanager", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y")


def test_the_secret_is_read_from_secrets_manager_and_kept_for_a_minute() -> None:
    client = secrets_client()
    with Stubber(client) as stub:
        stub.add_response("get_secret_value", {"SecretString": SECRET}, {"SecretId": "trainops/slack"})
        secret = SlackSecret.of(client, "trainops/slack")
        assert secret() == SECRET
        assert secret() == SECRET
        stub.assert_no_pending_responses()


@pytest.mark.parametrize("code", ["ResourceNotFoundException", "AccessDeniedException"])
def test_a_secret_that_cannot_be_read_waits_for_a_person(code: str) -> None:
    client = secrets_client()
    with Stubber(client) as stub:
        stub.add_client_error("get_secret_value", code)
        error = failure(lambda: SlackWebhook("s", SlackSecret.of(client, "trainops/slack")).deliver(card()))
    assert isinstance(error, NotConfigured)
    assert "trainops/slack" in str(error)
