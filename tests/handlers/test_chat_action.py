"""The buttons' address under attack: what is not a press by our people's Slack goes no further, and is counted."""

import hmac
import json
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest

from tests.builders import CREATED
from tests.chat import ANSWER_TO, SIGNING_SECRET, SUBJECT, USER, WORKSPACE, body_of, event, payload, press_event
from tests.fakes import FakeQueue
from trainops.adapters.function_url import FunctionUrl
from trainops.domain.chat_requests import Refusal, answer_allowed
from trainops.domain.presses import Press
from trainops.errors import NotConfigured, TryLater
from trainops.workflows.chat_action import ChatAction

CONTEXT: Any = None


class Secret:
    """The app's secret, in memory."""

    def __init__(self, **fields: str) -> None:
        self.fields = {"signing_secret": SIGNING_SECRET, **fields}

    def need(self, field: str) -> str:
        if field not in self.fields:
            raise NotConfigured(f"the secret has no {field}")
        return self.fields[field]

    def get(self, field: str) -> str | None:
        return self.fields.get(field)


@pytest.fixture
def queue() -> FakeQueue:
    return FakeQueue()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "chat_action")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "trainops")


def ask(queue: Any, request: dict[str, Any], **fields: str) -> dict[str, Any]:
    return FunctionUrl(ChatAction(Secret(**fields), queue, WORKSPACE))(request, CONTEXT)


def metrics(out: str) -> list[dict[str, Any]]:
    """The lines in the embedded metric format."""
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return [line for line in lines if "_aws" in line]


@pytest.mark.parametrize("encoded", [False, True])
@pytest.mark.parametrize("action", ["stop", "extend", "hold"])
def test_a_press_is_queued_and_acknowledged_with_an_empty_200(queue: FakeQueue, action: str, encoded: bool) -> None:
    answer = ask(queue, event(body_of(payload(action)), encoded=encoded))
    assert answer == {"statusCode": 200, "body": ""}
    [message] = queue.sent
    press = Press.from_message(message)
    assert (press.action, press.key.text, press.user, press.at) == (action, SUBJECT, USER, CREATED)
    assert (press.answer_to, press.thread) == (ANSWER_TO, "1772445000.000100")
    assert (press.until is not None) == (action == "hold")


TWO = [{"action_id": "stop", "block_id": SUBJECT, "action_ts": "1"}] * 2
ATTACKS: dict[str, tuple[Refusal, dict[str, Any]]] = {
    "another secret": (Refusal.SIGNATURE, event(body_of(payload()), secret="guessed")),
    "no signature": (Refusal.SIGNATURE, event(body_of(payload()), x_slack_signature="")),
    "a signature that is no text of ours": (
        Refusal.SIGNATURE,
        event(body_of(payload()), x_slack_signature="v0=\udc80"),
    ),
    "a body that was changed": (
        Refusal.SIGNATURE,
        {**press_event("extend"), "body": body_of(payload("stop"))},
    ),
    "a later time over an old signature": (
        Refusal.SIGNATURE,
        event(body_of(payload()), x_slack_request_timestamp=str(int(CREATED.timestamp()) + 1)),
    ),
    "a replay after five minutes": (
        Refusal.TIMESTAMP,
        event(body_of(payload()), signed_at=CREATED - timedelta(minutes=5, seconds=1)),
    ),
    "a time to come": (Refusal.TIMESTAMP, event(body_of(payload()), signed_at=CREATED + timedelta(minutes=6))),
    "no time": (Refusal.TIMESTAMP, event(body_of(payload()), x_slack_request_timestamp="")),
    "a time that is none": (Refusal.TIMESTAMP, event(body_of(payload()), x_slack_request_timestamp="soon")),
    "a time beyond all": (Refusal.TIMESTAMP, event(body_of(payload()), x_slack_request_timestamp="9" * 11)),
    "a time of many digits": (Refusal.TIMESTAMP, event(body_of(payload()), x_slack_request_timestamp="9" * 5000)),
    "more than 64 KB": (Refusal.SIZE, event("payload=" + "x" * 65536)),
    "more than 64 KB in base64": (Refusal.SIZE, event("payload=" + "x" * 65536, encoded=True)),
    "base64 that is none": (Refusal.FORM, {**press_event(), "isBase64Encoded": True}),
    "JSON": (Refusal.CONTENT_TYPE, event(json.dumps(payload()), content_type="application/json")),
    "no content type": (Refusal.CONTENT_TYPE, event(body_of(payload()), content_type="")),
    "no body": (Refusal.FORM, event("")),
    "no payload": (Refusal.FORM, event("ssl_check=1")),
    "no JSON": (Refusal.FORM, event("payload=%7B")),
    "JSON without end": (Refusal.FORM, event("payload=" + "[" * 60000)),
    "many fields": (Refusal.FORM, event("&".join(f"a{number}=1" for number in range(1000)))),
    "a list": (Refusal.FORM, event("payload=[]")),
    "a form that was filled in": (Refusal.FORM, press_event(type="view_submission")),
    "no action": (Refusal.FORM, press_event(actions=[])),
    "two actions": (Refusal.FORM, press_event(actions=TWO)),
    "an action without its time": (Refusal.FORM, press_event(actions=[{"action_id": "hold", "block_id": SUBJECT}])),
    "a subject that is no job": (Refusal.FORM, press_event(subject="everything|2026-03-02T09:00:00Z")),
    "a subject without its time": (Refusal.FORM, press_event(subject=SUBJECT.partition("|")[0])),
    "nobody": (Refusal.FORM, press_event(user={"id": "../x", "team_id": WORKSPACE})),
    "an answer to somewhere else": (Refusal.FORM, press_event(response_url="https://hooks.slack.com.example.com/x")),
    "an answer without TLS": (Refusal.FORM, press_event(response_url="http://hooks.slack.com/x")),
    "an answer to a metadata service": (Refusal.FORM, press_event(response_url="http://169.254.169.254/latest")),
    "another workspace": (Refusal.WORKSPACE, press_event(team={"id": "T0OTHER99"})),
    "somebody of another workspace in a shared channel": (
        Refusal.WORKSPACE,
        press_event(user={"id": USER, "team_id": "T0OTHER99"}),
    ),
    "a guest": (Refusal.GUEST, press_event(user={"id": USER, "team_id": WORKSPACE, "is_restricted": True})),
    "a guest of one channel": (
        Refusal.GUEST,
        press_event(user={"id": USER, "team_id": WORKSPACE, "is_ultra_restricted": True}),
    ),
    "an action of another app": (Refusal.ACTION, press_event("delete_everything")),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_no_press_of_ours_is_refused_without_a_word_and_counted(
    queue: FakeQueue, attack: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    refusal, request = ATTACKS[attack]
    answer = ask(queue, request)
    assert answer == {"statusCode": refusal.status, "body": ""}
    assert 400 <= refusal.status < 500
    assert queue.sent == []
    out = capsys.readouterr().out
    assert [vars(record).get("refusal") for record in caplog.records] == [refusal.name]
    assert [line["PressesRefused"] for line in metrics(out)] == [[1.0]]
    said = out + str([vars(record) for record in caplog.records])
    assert SIGNING_SECRET not in said
    assert "hooks.slack.com" not in said


def test_a_replay_within_five_minutes_is_the_same_press_to_the_ledger(queue: FakeQueue) -> None:
    request = press_event()
    for later in (0, 299):
        request["requestContext"]["timeEpoch"] = int((CREATED.timestamp() + later) * 1000)
        assert ask(queue, request)["statusCode"] == 200
    first, second = map(Press.from_message, queue.sent)
    assert first.id == second.id


def test_signatures_are_compared_in_constant_time(queue: FakeQueue) -> None:
    with patch("hmac.compare_digest", wraps=hmac.compare_digest) as compared:
        ask(queue, press_event())
    assert compared.call_count == 1


def test_a_press_is_not_acknowledged_while_the_secret_lacks_its_field_or_the_queue_is_away(
    queue: FakeQueue, capsys: pytest.CaptureFixture[str]
) -> None:
    del_secret = Secret()
    del del_secret.fields["signing_secret"]
    assert FunctionUrl(ChatAction(del_secret, queue, WORKSPACE))(press_event(), CONTEXT)["statusCode"] == 503
    assert '"NotConfigured"' in capsys.readouterr().out

    class Away(FakeQueue):
        def send(self, *_: Any) -> None:
            raise TryLater("SendMessageBatch: ServiceUnavailable")

    with pytest.raises(TryLater):
        ask(Away(), press_event())


@pytest.mark.parametrize(
    ("url", "api_url", "allowed"),
    [
        ("https://hooks.slack.com/actions/x", None, True),
        ("https://hooks.slack.com:8443/x", None, False),
        ("https://user@hooks.slack.com/x", None, False),
        ("https://hooks.slack.com@example.com/x", None, False),
        ("https://slack.com/x", None, False),
        ("https://hooks.slack-gov.com/x", "https://slack-gov.com/api/", True),
        ("http://127.0.0.1:9000/x", "http://127.0.0.1:9000/api/", True),
        ("http://127.0.0.1:9001/x", "http://127.0.0.1:9000/api/", False),
    ],
)
def test_answers_go_to_slack_or_to_where_the_secret_says_slack_is(url: str, api_url: str | None, allowed: bool) -> None:
    assert answer_allowed(url, api_url) is allowed
