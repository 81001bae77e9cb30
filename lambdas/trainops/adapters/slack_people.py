"""Who pressed a button, asked of Slack, and the way to answer them.

Sources: Slack, users.info (scopes users:read and users:read.email); "Handling user interaction" (a response_url takes
five answers within half an hour); "Rate limits". The token and a response_url are credentials: no error of the client's
is chained or quoted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from trainops.adapters.chat_secret import ChatSecret
from trainops.adapters.slack_webhook import Webhook, webhook
from trainops.domain.chat_requests import answer_allowed
from trainops.domain.presses import ChatUser
from trainops.errors import NotConfigured, Refused, TryLater

TIMEOUT_SECONDS = 10
UNKNOWN = frozenset({"user_not_found", "user_not_visible"})
PASSING = frozenset({"fatal_error", "internal_error", "ratelimited", "request_timeout", "service_unavailable"})


def web_client(token: str, api_url: str | None) -> Any:
    """slack_sdk's client without retries of its own: waiting is the queue's job."""
    return WebClient(token, base_url=api_url or WebClient.BASE_URL, timeout=TIMEOUT_SECONDS, retry_handlers=[])


@dataclass(frozen=True, slots=True)
class SlackUsers:
    """Implements `chat_ports.ChatUsers`."""

    secret: ChatSecret
    connect: Callable[[str, str | None], Any] = web_client

    def user(self, user_id: str) -> ChatUser | None:
        """users.info. Raises TryLater for a passing fault and NotConfigured when the app may not ask."""
        client = self.connect(self.secret.need("token"), self.secret.get("api_url"))
        fault: Exception | None = None
        try:
            found = client.users_info(user=user_id)["user"]
        except SlackApiError as error:
            code = str(error.response.get("error", ""))
            if code in UNKNOWN:
                return None
            fault = _judged(error.response.status_code, code, error.response.headers)
        except Exception as error:  # whatever it is: its text may quote the token
            fault = TryLater(f"users.info: {type(error).__name__}")
        if fault:
            raise fault
        return ChatUser(
            id=user_id,
            workspace=found.get("team_id"),
            email=(found.get("profile") or {}).get("email"),
            guest=bool(found.get("is_restricted") or found.get("is_ultra_restricted") or found.get("is_stranger")),
            active=not (found.get("deleted") or found.get("is_bot")),
        )


@dataclass(frozen=True, slots=True)
class SlackAnswers:
    """Implements `chat_ports.ChatAnswers` by a message's response_url."""

    secret: ChatSecret
    connect: Callable[[str], Webhook] = webhook

    def say(self, answer_to: str, text: str, *, thread: str | None, to_all: bool) -> None:
        """POST, to Slack alone. Raises TryLater for a passing fault, Refused when Slack takes no answer any more."""
        if not answer_allowed(answer_to, self.secret.get("api_url")):
            raise Refused("the address for the answer is not Slack's")
        body: dict[str, Any] = {"text": text, "replace_original": False}
        body |= {"response_type": "in_channel" if to_all else "ephemeral"} | ({"thread_ts": thread} if thread else {})
        try:
            status = self.connect(answer_to).send_dict(body).status_code
        except Exception as error:
            status, name = 0, type(error).__name__
        if not status:
            raise TryLater(f"Slack cannot be reached: {name}")
        if status == 429 or status >= 500:
            raise TryLater(f"Slack takes no answer now (HTTP {status})")
        if status >= 300:
            raise Refused(f"Slack takes no answer any more (HTTP {status})")


def _judged(status: int, code: str, headers: Any) -> Exception:
    if status == 429 or status >= 500 or code in PASSING:
        after = str(dict(headers or {}).get("Retry-After", ""))
        return TryLater(
            f"users.info: {code} (HTTP {status})", timedelta(seconds=int(after)) if after.isdigit() else None
        )
    return NotConfigured(f"users.info: {code}; the app's token needs the scopes users:read and users:read.email")
