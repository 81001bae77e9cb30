"""The Slack-shaped Web API refuses what Slack documents that it refuses."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from local.receivers import SlackReceiver

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Slack:
    """A receiver whose clock a test turns, and a bot's calls of it."""

    def __init__(self) -> None:
        self.now = NOW
        self.receiver = SlackReceiver(lambda: self.now)
        self.workspace = self.receiver.workspace

    def call(self, method: str, *, token: str | None = None, **body: Any) -> httpx.Response:
        authorization = {"Authorization": f"Bearer {token or self.workspace.token}"}
        return httpx.post(f"{self.receiver.api_url}{method}", json=body, headers=authorization)

    def error(self, method: str, **body: Any) -> str | None:
        answer = self.call(method, **body)
        assert answer.status_code == 200, "Slack says no with HTTP 200"
        return answer.json().get("error")  # type: ignore[no-any-return]


@pytest.fixture
def slack() -> Iterator[Slack]:
    made = Slack()
    made.receiver.start()
    yield made
    made.receiver.stop()


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"text": "hello"}, None),
        ({"text": "x", "blocks": [section("x")] * 50}, None),
        ({"text": "x", "blocks": [section("x")] * 51}, "invalid_blocks"),
        ({"text": "x", "blocks": [section("x" * 3001)]}, "invalid_blocks"),
        (
            {"text": "x", "blocks": [{"type": "section", "fields": [{"type": "mrkdwn", "text": "x"}] * 11}]},
            "invalid_blocks",
        ),
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({}, "no_text"),
        ({"text": "x", "channel": "#nowhere"}, "channel_not_found"),
        ({"text": "x", "thread_ts": "1.000001"}, "thread_not_found"),
    ],
)
def test_a_message_has_slacks_limits(slack: Slack, body: dict[str, Any], error: str | None) -> None:
    assert slack.error("chat.postMessage", **{"channel": "#ml-training", **body}) == error


def test_a_channel_takes_about_one_message_a_second_and_says_how_long_to_wait(slack: Slack) -> None:
    slack.workspace.per_second = 0.5
    post = {"channel": "#ml-training", "text": "x"}
    assert slack.error("chat.postMessage", **post) is None
    limited = slack.call("chat.postMessage", **post)
    assert (limited.status_code, limited.headers["Retry-After"], limited.json()["error"]) == (429, "2", "ratelimited")
    assert slack.error("chat.postMessage", **{**post, "channel": "#finops"}) is None
    slack.now += timedelta(seconds=2)
    assert slack.error("chat.postMessage", **post) is None
    assert len(slack.workspace.shown_in("#ml-training")) == 2


def test_a_message_is_changed_by_the_channels_id_and_its_ts(slack: Slack) -> None:
    posted = slack.call("chat.postMessage", channel="#ml-training", text="before").json()
    assert slack.error("chat.update", channel="#ml-training", ts=posted["ts"], text="after") == "channel_not_found"
    assert slack.error("chat.update", channel=posted["channel"], ts="1.000001", text="after") == "message_not_found"
    assert slack.error("chat.update", channel=posted["channel"], ts=posted["ts"], text="after") is None
    [shown] = slack.workspace.shown_in("#ml-training")
    assert (shown.body["text"], shown.versions[0]["text"]) == ("after", "before")


def test_people_tokens_methods_and_archived_channels(slack: Slack) -> None:
    slack.workspace.people["ann@example.com"] = "U0000000001"
    slack.workspace.archived.add("#finops")
    assert slack.error("users.lookupByEmail", email="bob@example.com") == "users_not_found"
    assert slack.call("users.lookupByEmail", email="ann@example.com").json()["user"]["id"] == "U0000000001"
    assert slack.call("conversations.open", users="U0000000001").json()["channel"]["id"] == "DU0000000001"
    assert slack.error("conversations.open", users="U9") == "user_not_found"
    assert slack.error("chat.postMessage", channel="#finops", text="x") == "is_archived"
    assert slack.error("auth.test", token="stale") == "invalid_auth"
    assert slack.error("chat.delete") == "unknown_method"
