"""What comes to the function URL: whether it is Slack, telling of one press of one of our buttons.

Everything is refused that is not, each for one named reason. Pure and light: `chat_action` must answer within three
seconds, its start included. Sources: Slack, "Verifying requests from Slack" (version v0, five minutes), "Handling user
interaction" and the block_actions payload; Lambda, function URL payload format 2.0.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any
from urllib.parse import parse_qs, urlsplit

from trainops.domain.cards import ActionName
from trainops.domain.presses import Press
from trainops.domain.training_jobs import JobKey

MOST_BYTES = 64 * 1024
WINDOW = timedelta(minutes=5)
VERSION = "v0"
FORM = "application/x-www-form-urlencoded"
SLACK = "hooks.slack.com"


class Refusal(Enum):
    """Why a request is refused, for the log, and the HTTP status of the answer, whose body is empty."""

    SIZE = ("over 64 KB", 413)
    CONTENT_TYPE = ("not a form", 415)
    TIMESTAMP = ("no time within five minutes: a replay, or a wrong clock", 401)
    SIGNATURE = ("not signed with our secret", 401)
    FORM = ("not a press of one button", 400)
    WORKSPACE = ("from another workspace", 403)
    GUEST = ("by a guest", 403)
    ACTION = ("an action that we do not have", 400)

    @property
    def reason(self) -> str:
        """In words."""
        return self.value[0]

    @property
    def status(self) -> int:
        """Of the answer."""
        return self.value[1]


class RequestRefused(Exception):
    """A request that is not a press of ours."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class WebRequest:
    """A request as it came; header names are in lower case. `at` is when Lambda got it."""

    headers: Mapping[str, str]
    body: bytes
    at: datetime


def request_of(event: Mapping[str, Any]) -> WebRequest:
    """From Lambda's event. Raises RequestRefused for a body that is too long, before it is decoded, or not base64."""
    text = event.get("body") or ""
    encoded = bool(event.get("isBase64Encoded"))
    if len(text) > (MOST_BYTES * 4 // 3 + 4 if encoded else MOST_BYTES):
        raise RequestRefused(Refusal.SIZE)
    try:
        body = base64.b64decode(text, validate=True) if encoded else text.encode()
    except (binascii.Error, ValueError) as error:
        raise RequestRefused(Refusal.FORM) from error
    if len(body) > MOST_BYTES:
        raise RequestRefused(Refusal.SIZE)
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    return WebRequest(headers, body, datetime.fromtimestamp(event["requestContext"]["timeEpoch"] / 1000, UTC))


def check_signature(request: WebRequest, signing_secret: str) -> None:
    """Raise RequestRefused unless Slack signed this body within the last five minutes. Compared in constant time."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise RequestRefused(Refusal.CONTENT_TYPE)
    stamp = request.headers.get("x-slack-request-timestamp", "")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 11):
        raise RequestRefused(Refusal.TIMESTAMP)
    if abs(request.at - datetime.fromtimestamp(int(stamp), UTC)) > WINDOW:
        raise RequestRefused(Refusal.TIMESTAMP)
    signed = b":".join((VERSION.encode(), stamp.encode(), request.body))
    wanted = f"{VERSION}={hmac.new(signing_secret.encode(), signed, hashlib.sha256).hexdigest()}"
    if not hmac.compare_digest(wanted.encode(), request.headers.get("x-slack-signature", "").encode(errors="replace")):
        raise RequestRefused(Refusal.SIGNATURE)


def press_in(request: WebRequest, workspace: str, api_url: str | None) -> Press:
    """The press in a request whose signature is good. Raises RequestRefused."""
    try:
        payload = _payload(request.body)
        user, [action] = payload["user"], payload["actions"]
        teams = {payload["team"]["id"], user["team_id"]}
        if payload["type"] != "block_actions" or not answer_allowed(payload["response_url"], api_url):
            raise RequestRefused(Refusal.FORM)
        if teams != {workspace}:
            raise RequestRefused(Refusal.WORKSPACE)
        if user.get("is_restricted") or user.get("is_ultra_restricted"):
            raise RequestRefused(Refusal.GUEST)
        if action["action_id"] not in set(ActionName):
            raise RequestRefused(Refusal.ACTION)
        return _press(payload, action, request.at)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError, RecursionError) as error:
        raise RequestRefused(Refusal.FORM) from error


def answer_allowed(url: str, api_url: str | None) -> bool:
    """Whether an answer may be sent to this address: Slack's, or the host that the secret names, and no other."""
    parts = urlsplit(url)
    if parts.username is not None or parts.password is not None:
        return False
    allowed = {("https", SLACK)}
    if api_url and (own := urlsplit(api_url)).netloc:
        allowed |= {(own.scheme, own.netloc), (own.scheme, f"hooks.{own.netloc}")}
    return (parts.scheme, parts.netloc) in allowed


def _payload(body: bytes) -> Mapping[str, Any]:
    fields = parse_qs(body.decode(), strict_parsing=True, max_num_fields=5)
    [text] = fields["payload"]
    found: Mapping[str, Any] = json.loads(text)
    return found


def _press(payload: Mapping[str, Any], action: Mapping[str, Any], at: datetime) -> Press:
    arn, _, created = str(action["block_id"]).partition("|")
    user = str(payload["user"]["id"])
    if ":training-job/" not in arn or not re.fullmatch(r"[UW][A-Z0-9]{1,30}", user):
        raise ValueError("no pool, or nobody")
    name, container = ActionName(action["action_id"]), payload.get("container") or {}
    until = datetime.fromtimestamp(int(action["selected_date_time"]), UTC) if name is ActionName.HOLD else None
    return Press(
        id=f"{user}#{action['action_ts']}",
        action=name,
        key=JobKey.of(arn, datetime.fromisoformat(created)),
        user=user,
        at=at,
        until=until,
        answer_to=payload["response_url"],
        thread=container.get("message_ts"),
    )
