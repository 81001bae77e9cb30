"""users.info and response_url as Slack answers them, and the app's secret."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from moto import mock_aws
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from tests.adapters.slack import FakeWebhook, failure, slack_server
from tests.builders import REGION
from tests.chat import ANSWER_TO, USER, WORKSPACE
from trainops.adapters.chat_secret import ChatSecret
from trainops.adapters.slack_people import SlackAnswers, SlackUsers
from trainops.errors import NotConfigured, Refused, TryLater

NAME = "trainops/slack"
TOKEN = "-".join(("x" + "oxb", "1", "very-secret"))
PERSON = {"id": USER, "team_id": WORKSPACE, "deleted": False, "profile": {"email": "vision-oncall@example.com"}}


@contextmanager
def secret(**fields: str) -> Iterator[ChatSecret]:
    with mock_aws():
        client = boto3.client("secretsmanager", REGION, aws_access_key_id="a", aws_secret_access_key="b")
        client.create_secret(Name=NAME, SecretString=json.dumps({"token": TOKEN, **fields}))
        yield ChatSecret.of(client, NAME)


class Client:
    """slack_sdk's WebClient with one answer."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __call__(self, token: str, api_url: str | None) -> "Client":
        assert token == TOKEN
        return self

    def users_info(self, user: str) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return {"ok": True, "user": {**self.answer, "id": user}}


def refused(code: str, status: int = 200, **headers: str) -> SlackApiError:
    answer = SlackResponse(
        client=None,
        http_verb="POST",
        api_url="",
        req_args={},
        data={"error": code},
        headers=headers,
        status_code=status,
    )
    return SlackApiError("no", answer)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("changes", "guest", "active"),
    [
        ({}, False, True),
        ({"is_restricted": True}, True, True),
        ({"is_ultra_restricted": True}, True, True),
        ({"is_stranger": True}, True, True),
        ({"deleted": True}, False, False),
        ({"is_bot": True}, False, False),
    ],
)
def test_a_person_is_known_by_workspace_address_and_standing(changes: Any, guest: bool, active: bool) -> None:
    with secret() as found:
        user = SlackUsers(found, Client({**PERSON, **changes})).user(USER)
    assert user is not None
    assert (user.workspace, user.email, user.guest, user.active) == (
        WORKSPACE,
        "vision-oncall@example.com",
        guest,
        active,
    )


def test_a_person_without_a_shown_address_and_one_nobody_knows() -> None:
    with secret() as found:
        user = SlackUsers(found, Client({**PERSON, "profile": {}})).user(USER)
        assert user is not None
        assert user.email is None
        assert SlackUsers(found, Client(refused("user_not_found"))).user(USER) is None


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refused("missing_scope"), NotConfigured),
        (refused("account_inactive"), NotConfigured),
        (refused("ratelimited", 429, **{"Retry-After": "7"}), TryLater),
        (refused("internal_error"), TryLater),
        (OSError(f"cannot connect with {TOKEN}"), TryLater),
    ],
)
def test_what_slack_will_not_say_now_is_asked_again_and_no_error_quotes_the_token(answer: Any, error: Any) -> None:
    with secret() as found:
        fault = failure(lambda: SlackUsers(found, Client(answer)).user(USER))
    assert isinstance(fault, error)
    assert TOKEN not in str(fault)
    assert fault.__cause__ is fault.__context__ is None
    if "ratelimited" in str(fault):
        assert isinstance(fault, TryLater)
        assert fault.after is not None
        assert fault.after.total_seconds() == 7


@pytest.mark.parametrize(("to_all", "kind"), [(True, "in_channel"), (False, "ephemeral")])
def test_an_answer_replaces_nothing_and_is_in_the_thread(to_all: bool, kind: str) -> None:
    fake = FakeWebhook()
    with secret() as found:
        SlackAnswers(found, lambda _url: fake).say(ANSWER_TO, "It was ended.", thread="1.1", to_all=to_all)
    [sent] = fake.sent
    assert sent == {"text": "It was ended.", "replace_original": False, "response_type": kind, "thread_ts": "1.1"}


@pytest.mark.parametrize(("status", "error"), [(404, Refused), (410, Refused), (429, TryLater), (503, TryLater)])
def test_an_address_that_is_used_up_is_let_go_and_an_outage_waited_out(status: int, error: Any) -> None:
    fake = FakeWebhook(status, "expired_url")
    with secret() as found, pytest.raises(error):
        SlackAnswers(found, lambda _url: fake).say(ANSWER_TO, "x", thread=None, to_all=False)


def test_an_answer_goes_to_no_other_host() -> None:
    with secret() as found, pytest.raises(Refused, match="is not Slack's"):
        SlackAnswers(found).say("https://example.com/x", "x", thread=None, to_all=False)


def test_an_answer_is_posted_to_the_host_that_the_secret_names() -> None:
    with slack_server(200, "ok", {}) as (url, got), secret(api_url=f"{url.rpartition('/')[0]}/api/") as found:
        SlackAnswers(found).say(url, "done", thread=None, to_all=False)
    assert got[0]["text"] == "done"


def test_a_secret_without_the_field_says_which_and_one_that_is_no_json_is_not_quoted() -> None:
    with secret() as found, pytest.raises(NotConfigured, match="has no signing_secret"):
        found.need("signing_secret")
    with mock_aws():
        client = boto3.client("secretsmanager", REGION, aws_access_key_id="a", aws_secret_access_key="b")
        client.create_secret(Name=NAME, SecretString=f"plain {TOKEN}")
        fault = failure(lambda: ChatSecret.of(client, NAME).get("token"))
    assert TOKEN not in str(fault)
    assert fault.__suppress_context__
