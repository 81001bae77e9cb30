"""Requests to the buttons' address as Lambda brings them and Slack signs them, and people as Slack knows them."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from tests.builders import CREATED, arn
from trainops.domain.presses import ChatUser, Press, PressRecord

SIGNING_SECRET = "-".join(("a", "signing", "secret"))
WORKSPACE = "T0123ABCD"
USER = "U0MEMBER"
FORM = "application/x-www-form-urlencoded"
ANSWER_TO = "https://hooks.slack.com/actions/T0123ABCD/1/x"
SUBJECT = f"{arn()}|2026-03-02T09:00:00Z"


def payload(action: str = "stop", subject: str = SUBJECT, **changes: Any) -> dict[str, Any]:
    """The block_actions payload of a press (Slack, "block_actions payload")."""
    pressed: dict[str, Any] = {"action_id": action, "block_id": subject, "type": "button", "action_ts": "1772445600.1"}
    if action == "hold":
        pressed |= {"type": "datetimepicker", "selected_date_time": 1772460000}
    return {
        "type": "block_actions",
        "team": {"id": WORKSPACE, "domain": "example"},
        "user": {"id": USER, "username": "member", "team_id": WORKSPACE},
        "container": {"type": "message", "message_ts": "1772445000.000100", "channel_id": "C0TRAIN"},
        "response_url": ANSWER_TO,
        "actions": [pressed],
        **changes,
    }


def body_of(content: Mapping[str, Any]) -> str:
    return urlencode({"payload": json.dumps(content)})


def event(
    body: str,
    *,
    at: datetime = CREATED,
    signed_at: datetime | None = None,
    secret: str = SIGNING_SECRET,
    encoded: bool = False,
    **headers: str,
) -> dict[str, Any]:
    """A function URL's event, payload format 2.0; `headers` with underscores for hyphens, None to leave one out."""
    stamp = str(int((signed_at or at).timestamp()))
    signature = hmac.new(secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
    sent = {"content-type": FORM, "x-slack-request-timestamp": stamp, "x-slack-signature": f"v0={signature}"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/",
        "headers": sent,
        "requestContext": {"http": {"method": "POST"}, "timeEpoch": int(at.timestamp() * 1000)},
        "body": base64.b64encode(body.encode()).decode() if encoded else body,
        "isBase64Encoded": encoded,
    }


def press_event(action: str = "stop", **changes: Any) -> dict[str, Any]:
    """A press that is in order."""
    return event(body_of(payload(action, **changes)))


def member(**changes: Any) -> ChatUser:
    """Somebody of the workspace, with an address."""
    known: dict[str, Any] = {"id": USER, "workspace": WORKSPACE, "email": "vision-oncall@example.com"}
    return ChatUser(**{**known, "guest": False, "active": True, **changes})


@dataclass
class FakeUsers:
    people: dict[str, ChatUser] = field(default_factory=lambda: {USER: member()})

    def user(self, user_id: str) -> ChatUser | None:
        return self.people.get(user_id)


@dataclass
class FakeAnswers:
    said: list[tuple[str, str, bool]] = field(default_factory=list)
    fault: Exception | None = None

    def say(self, answer_to: str, text: str, *, thread: str | None, to_all: bool) -> None:
        if self.fault:
            raise self.fault
        self.said.append((answer_to, text, to_all))


@dataclass
class FakePresses:
    items: dict[str, PressRecord] = field(default_factory=dict)

    def begin(self, record: PressRecord) -> PressRecord:
        return self.items.setdefault(record.press.id, record)

    def get(self, press: Press) -> PressRecord | None:
        return self.items.get(press.id)

    def put(self, record: PressRecord) -> None:
        self.items[record.press.id] = record
