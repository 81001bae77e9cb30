"""Slack's Web API as the bot calls it: an answer is a result, a "not now", a "never", or a setting to repair.

Used by `slack_bot`. The token is read from the secret, at most a minute old, and anew when Slack does not take it, so
that a rotated one needs no deploy. It never appears in a log, an error or an error's chain. The client does not retry:
waiting is the queue's job. Source: Slack, Web API methods and "Rate limits".
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from trainops.adapters.pace import Paces
from trainops.adapters.slack_webhook import TIMEOUT, Secret, retry_after
from trainops.errors import NotConfigured, Refused, TryLater

API_URL = "https://slack.com/api/"
ACCEPTED = 'a JSON object {"token": "…"}; "signing_secret", "webhook_url" and "api_url" may be there too'
BAD_TOKEN = frozenset({"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"})
BAD_APP = frozenset({"ekm_access_denied", "missing_scope", "no_permission", "not_allowed_token_type"})
LIMITED = frozenset({"ratelimited", "rate_limited"})
PASSING = frozenset({"fatal_error", "internal_error", "request_timeout", "service_unavailable"})
REPAIRS = {
    "channel_not_found": "the channel does not exist, or is private and the app is not in it",
    "is_archived": "unarchive the channel, or name another one",
    "missing_scope": "give the app the scopes of docs/channels.md and install it again",
    "not_in_channel": "invite the app into the channel",
    "restricted_action": "a workspace administrator restricts posting there",
}
SHORTEST_WAIT = timedelta(seconds=1)
"""For a 429 without a Retry-After: about one message a second and channel is allowed."""


class SlackRefusal(Refused):
    """Slack will never do this; `code` is its own word for why."""

    def __init__(self, code: str) -> None:
        super().__init__(f"{code}: {REPAIRS[code]}" if code in REPAIRS else code)
        self.code = code


Fault = Mapping[str, Any]
"""An answer that is not "ok": `error`, `status` and `headers`; empty when it is."""


class Client(Protocol):
    """The part of slack_sdk's WebClient that is used."""

    def api_call(self, api_method: str, *, params: Any = None, json: Any = None) -> Any:
        """POST to a method; SlackApiError when the answer is not "ok"."""


def web_client(token: str, api_url: str) -> Client:
    """slack_sdk's client without retries of its own, and with a logger that is off: it would write requests."""
    silent = logging.getLogger(f"{__name__}.silent")
    silent.disabled = True
    timeout = int(TIMEOUT.total_seconds())
    return WebClient(token, base_url=api_url, timeout=timeout, retry_handlers=[], logger=silent)


@dataclass(frozen=True, slots=True)
class SlackApi:
    """Each call raises TryLater (with Slack's Retry-After), SlackRefusal or NotConfigured. `secret` gives the secret's
    text; calls are spaced by channel.
    """

    secret_name: str
    secret: Secret
    paces: Paces
    connect: Callable[[str, str], Client] = web_client

    def post(
        self, channel: str, message: Mapping[str, Any], *, thread: str | None = None, broadcast: bool = False
    ) -> tuple[str, str]:
        """chat.postMessage, into a thread if one is named; the channel's ID and the message's ts come back."""
        body = {"channel": channel, "unfurl_links": False, "unfurl_media": False, **message}
        if thread:
            body |= {"thread_ts": thread, "reply_broadcast": broadcast}
        answer = self._call("chat.postMessage", channel, json=body)
        return str(answer["channel"]), str(answer["ts"])

    def update(self, channel: str, ts: str, message: Mapping[str, Any]) -> None:
        """chat.update: replace a message of this bot's."""
        self._call("chat.update", channel, json={"channel": channel, "ts": ts, **message})

    def test(self) -> None:
        """auth.test: whether Slack takes the token."""
        self._call("auth.test", "test")

    def direct_channel(self, email: str) -> str:
        """users.lookupByEmail and conversations.open: where a person is written to."""
        found = self._call("users.lookupByEmail", "people", params={"email": email})
        opened = self._call("conversations.open", "people", json={"users": found["user"]["id"]})
        return str(opened["channel"]["id"])

    def _call(self, method: str, near: str, **arguments: Any) -> Any:
        self.paces.wait(near)
        token, api_url = self._credentials()
        fault, answer = self._ask(token, api_url, method, arguments)
        if fault and _code(fault) in BAD_TOKEN:
            newer, api_url = self._credentials(fresh=True)
            if newer != token:
                fault, answer = self._ask(newer, api_url, method, arguments)
        if fault:  # raised here and not where it was caught, so that no chain leads to the client's own error
            raise self._judged(fault, method, near)
        return answer

    def _ask(self, token: str, api_url: str, method: str, arguments: Mapping[str, Any]) -> tuple[Fault, Any]:
        try:
            return {}, self.connect(token, api_url).api_call(method, **arguments)
        except SlackApiError as error:
            return _fault(error), None
        except Exception as error:  # whatever it is: its text may quote the request
            return {"error": "", "status": 0, "what": type(error).__name__}, None

    def _judged(self, fault: Fault, method: str, near: str) -> Exception:
        code, status = _code(fault), fault["status"]
        if status == 429 or code in LIMITED:
            after = retry_after(fault["headers"]) or SHORTEST_WAIT
            self.paces.close(near, after)
            return TryLater(f"{method}: Slack asks to wait (HTTP 429)", after)
        if code in BAD_TOKEN:
            return NotConfigured(f"{method}: Slack does not take the token in the secret {self.secret_name} ({code})")
        if code in BAD_APP:
            return NotConfigured(f"{method}: the Slack app may not do this: {SlackRefusal(code)}")
        if code in PASSING or not code:
            return TryLater(f"{method}: Slack is not available: {code or fault.get('what') or f'HTTP {status}'}")
        return SlackRefusal(code)

    def _credentials(self, *, fresh: bool = False) -> tuple[str, str]:
        try:
            found = json.loads(self.secret(fresh=fresh))
            token, api_url = found["token"], found.get("api_url") or API_URL
            usable = all(isinstance(text, str) and re.fullmatch(r"[\x21-\x7e]+", text) for text in (token, api_url))
        except (ValueError, KeyError, TypeError, AttributeError):
            usable = False
        if not usable:
            raise NotConfigured(f"the secret {self.secret_name} holds no usable token; accepted is {ACCEPTED}")
        return token, f"{api_url.rstrip('/')}/"


def _fault(error: SlackApiError) -> Fault:
    """Code, status and headers of an answer; slack_sdk gives a plain mapping when the body was no JSON."""
    answer = error.response
    if isinstance(answer, dict):
        return {"error": "", "status": answer.get("status", 0), "headers": answer.get("headers") or {}}
    data = answer.data if isinstance(answer.data, dict) else {}
    return {"error": data.get("error", ""), "status": answer.status_code, "headers": answer.headers}


def _code(fault: Fault) -> str:
    """Slack's code, when it is one; any other text may echo the request and is not quoted. "" means none."""
    text = str(fault.get("error", ""))
    return text if re.fullmatch(r"[a-z][a-z_]{1,60}", text) else ""
