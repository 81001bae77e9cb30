"""The receivers of notifications answer as Slack and a mail server do."""

import smtplib
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import httpx
import pytest

from local.receivers import Mailbox, SlackReceiver
from local.slack_rules import refusal


@pytest.fixture
def slack() -> Iterator[SlackReceiver]:
    receiver = SlackReceiver()
    receiver.start()
    yield receiver
    receiver.stop()


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def header(text: str, kind: str = "plain_text") -> dict[str, Any]:
    return {"type": "header", "text": {"type": kind, "text": text}}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"text": "hello"}, None),
        ({"blocks": [section("x" * 3000)]}, None),
        ({"blocks": [section("x" * 3001)]}, "invalid_blocks"),
        ({"blocks": [section("")]}, "invalid_blocks"),
        ({"blocks": [header("x" * 150)]}, None),
        ({"blocks": [header("x" * 151)]}, "invalid_blocks"),
        ({"blocks": [header("x", "mrkdwn")]}, "invalid_blocks"),
        ({"blocks": [section("x")] * 50}, None),
        ({"blocks": [section("x")] * 51}, "invalid_blocks"),
        ({"blocks": [{"type": "section", "fields": [{"type": "mrkdwn", "text": "x" * 2000}] * 10}]}, None),
        ({"blocks": [{"type": "section", "fields": [{"type": "mrkdwn", "text": "x"}] * 11}]}, "invalid_blocks"),
        ({"blocks": [{"type": "context", "elements": [{"type": "mrkdwn", "text": "x"}] * 11}]}, "invalid_blocks"),
        ({"blocks": [{"type": "banner"}]}, "invalid_blocks"),
        ({}, "no_text"),
        ([], "invalid_payload"),
    ],
)
def test_the_limits_of_a_message_are_those_of_slack(message: Any, reason: str | None) -> None:
    assert refusal(message) == reason


def test_an_accepted_message_is_answered_ok_and_kept(slack: SlackReceiver) -> None:
    answer = httpx.post(slack.url("T/B/vision"), json={"text": "done"})
    assert (answer.status_code, answer.text) == (200, "ok")
    assert slack.to("T/B/vision") == [{"text": "done"}]


def test_scripted_failures_come_first_and_only_so_often(slack: SlackReceiver) -> None:
    slack.fail(429, retry_after=3)
    slack.fail(503)
    limited, broken, accepted = (httpx.post(slack.url(), json={"text": "x"}) for _ in range(3))
    assert (limited.status_code, limited.headers["Retry-After"]) == (429, "3")
    assert (broken.status_code, accepted.status_code) == (503, 200)
    assert (slack.attempts, len(slack.messages)) == (3, 1)


def test_a_removed_webhook_and_a_broken_body_are_refused(slack: SlackReceiver) -> None:
    broken = httpx.post(slack.url(), content=b"{")
    slack.remove()
    gone = httpx.post(slack.url(), json={"text": "x"})
    assert (broken.status_code, broken.text) == (400, "invalid_payload")
    assert (gone.status_code, gone.text) == (404, "no_service")


def test_the_mailbox_keeps_the_parsed_message() -> None:
    mailbox = Mailbox()
    mailbox.start()
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "jobs@trainops.example", "team@trainops.example", "Grüße"
    message.set_content("plain")
    message.add_alternative("<p>rich", subtype="html")
    host, _, port = mailbox.address.partition(":")
    with smtplib.SMTP(host, int(port)) as client:
        client.send_message(message)
    mailbox.stop()
    [mail] = mailbox.to("team@trainops.example")
    assert (mail.subject, mail.body().strip(), mail.body("html").strip()) == ("Grüße", "plain", "<p>rich")
