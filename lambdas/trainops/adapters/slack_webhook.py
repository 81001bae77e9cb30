"""Posts cards to a Slack incoming webhook, whose address is a secret.

Used by `slack_delivery`. The address is read from Secrets Manager, at most a minute old, and anew when Slack does not
know it any more, so that a new one needs no deploy. It is a credential: it never appears in a log, an error or an
error's chain, so no exception of the client is chained or quoted. Waiting is the queue's job: the client does not
retry, and "not now" becomes TryLater.
Source: Slack, "Sending messages using incoming webhooks" and "Rate limits".
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Protocol
from urllib.parse import urlsplit

from aws_lambda_powertools.utilities.parameters import SecretsProvider
from slack_sdk.webhook import WebhookClient, WebhookResponse

from trainops.adapters.pace import Pace
from trainops.adapters.parameters import text_of
from trainops.adapters.slack_blocks import blocks, fallback_text
from trainops.domain.cards import Card
from trainops.domain.routes import ANYWHERE, Place
from trainops.errors import NotConfigured, Refused, TryLater
from trainops.outcomes import Counts

SECRET_MAX_AGE = timedelta(minutes=1)
TIMEOUT = timedelta(seconds=10)
ACCEPTED = 'a JSON object {"webhook_url": "https://…"}; "token", "signing_secret" and "api_url" may be there too'
REVOKED = frozenset({"invalid_token", "no_active_hooks", "no_service", "no_service_id"})
"""Slack's codes for an address that is not valid any more."""
SHUT = frozenset({401, 403, 404, 410})
"""The statuses of an address that lets nobody post, unless the code speaks of its channel."""
CHANNEL = frozenset({"channel_is_archived", "channel_not_found", "posting_to_general_channel_denied"})
REPAIRS = {
    "action_prohibited": "a workspace administrator restricts posting there",
    "channel_is_archived": "unarchive the channel, or make a webhook for another one",
    "channel_not_found": "the channel is gone; make a webhook for another one",
    "invalid_token": "the webhook is not valid any more; make a new one",
    "no_active_hooks": "the webhook is disabled; make a new one",
    "no_service": "the webhook was removed or disabled; make a new one",
    "no_service_id": "the webhook's address is incomplete; copy it again",
    "no_team": "the workspace is gone or its address is wrong",
    "posting_to_general_channel_denied": "posting to #general is restricted",
    "team_disabled": "the workspace is disabled",
}


class Secret(Protocol):
    """Gives the secret's text."""

    def __call__(self, *, fresh: bool = False) -> str:
        """As remembered for a moment, or read anew."""


class Webhook(Protocol):
    """The part of slack_sdk's WebhookClient that is used."""

    def send_dict(self, body: dict[str, Any]) -> WebhookResponse:
        """POST a message."""


def webhook(url: str) -> Webhook:
    """slack_sdk's client without retries of its own, and with a logger that is off: it would write the address."""
    silent = logging.getLogger(f"{__name__}.silent")
    silent.disabled = True
    timeout = int(TIMEOUT.total_seconds())
    return WebhookClient(url, timeout=timeout, retry_handlers=[], logger=silent)


@dataclass(frozen=True, slots=True)
class SlackSecret:
    """Reads the text of the secret through a boto3 `secretsmanager` client."""

    provider: SecretsProvider
    name: str

    @classmethod
    def of(cls, secretsmanager: Any, name: str) -> "SlackSecret":
        """The secret of this name or ARN."""
        return cls(SecretsProvider(boto3_client=secretsmanager), name)

    def __call__(self, *, fresh: bool = False) -> str:
        """GetSecretValue, at most a minute old, or anew. Raises NotConfigured when it cannot be read."""
        return text_of(self.provider, self.name, SECRET_MAX_AGE, f"the secret {self.name}", fresh=fresh)


@dataclass(frozen=True, slots=True)
class SlackWebhook:
    """Implements `ports.Channel`. `secret` gives the secret's text anew for each message."""

    secret_name: str
    secret: Secret
    connect: Callable[[str], Webhook] = webhook
    pace: Pace = field(default_factory=lambda: Pace(timedelta(0)))

    def deliver(self, card: Card, place: Place = ANYWHERE) -> Counts:  # noqa: ARG002 a webhook has one place
        """Post the card. Raises TryLater (with Slack's Retry-After), Refused (with Slack's code) when the channel or
        the message is at fault, and NotConfigured when the secret is, or the webhook was revoked.
        """
        body = {"text": fallback_text(card), "blocks": blocks(card), "unfurl_links": False, "unfurl_media": False}
        url = self.url()
        answer = self._post(url, body)
        if _code(answer.body) in REVOKED and (newer := self.url(fresh=True)) != url:
            answer = self._post(newer, body)
        self._judge(answer)
        return {}

    def _post(self, url: str, body: dict[str, Any]) -> WebhookResponse:
        fault = ""
        self.pace.wait()
        try:
            answer = self.connect(url).send_dict(body)
        except Exception as error:  # whatever it is: its text may quote the address
            fault = type(error).__name__
        if fault:  # raised here and not above, so that the chain does not lead to the client's own error
            raise TryLater(f"Slack cannot be reached: {fault}")
        return answer

    def _judge(self, answer: WebhookResponse) -> None:
        """Turn an answer into an error unless the message was accepted: 200 and the body "ok"."""
        status, code = answer.status_code, _code(answer.body)
        if status == 200 and code == "ok":
            return
        if status == 429:
            raise TryLater("Slack asks to wait (HTTP 429)", retry_after(answer.headers))
        if status >= 500 or status == 408:
            raise TryLater(f"Slack is not available: {code} (HTTP {status})")
        said = f"{code} (HTTP {status})" + (f": {REPAIRS[code]}" if code in REPAIRS else "")
        if code in REVOKED or (status in SHUT and code not in CHANNEL):
            raise NotConfigured(f"the webhook in the secret {self.secret_name} lets nobody post: {said}")
        raise Refused(said)

    def url(self, *, fresh: bool = False) -> str:
        """The address, which is a secret. Raises NotConfigured when the secret holds none that can be used."""
        text = self.secret(fresh=fresh)
        try:
            url = json.loads(text)["webhook_url"]
            parts = urlsplit(url)
            usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and _is_bare(url) and parts.port != 0
        except (ValueError, KeyError, TypeError, AttributeError):
            usable = False
        if not usable:
            raise NotConfigured(f"the secret {self.secret_name} holds no usable webhook_url; accepted is {ACCEPTED}")
        return str(url)


def _is_bare(url: str) -> bool:
    return url.isascii() and not re.search(r"[\s<>\"\\]", url)


def _code(body: str | None) -> str:
    """Slack's code, when the body is one; any other text may echo the request and is not quoted."""
    text = (body or "").strip()
    return text if re.fullmatch(r"[a-z][a-z_]{1,60}", text) else "an answer without a code"


def retry_after(headers: Mapping[str, Any]) -> timedelta | None:
    """The seconds of Retry-After, in whatever case the header came; None when there are none."""
    for name, value in dict(headers).items():
        if name.lower() == "retry-after" and str(value).strip().isdigit():
            return timedelta(seconds=int(str(value).strip()))
    return None
