"""The ends of the notifications on the laptop: a Slack-shaped receiver (webhooks and the Web API) and an SMTP mailbox.

Both listen on 127.0.0.1 at a free port, in threads of the process that starts them.
"""

import email
import email.policy
import socket
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from local.sagemaker.clock import real_time
from local.slack_api import Workspace
from local.slack_rules import refusal
from local.web import HOST, WebServer


@dataclass(frozen=True)
class SlackMessage:
    """One accepted message and the path of the webhook that it came through."""

    path: str
    body: dict[str, Any]
    at: datetime


@dataclass(frozen=True)
class Failure:
    """An answer that Slack is scripted to give instead of looking at the message."""

    status: int
    text: str
    retry_after: int | None = None


@dataclass
class SlackReceiver:
    """Incoming webhooks: any path under /services/ exists unless removed; answers as Slack does. `workspace` is what a
    bot sees.

    `now` dates the messages.
    """

    now: Callable[[], datetime] = real_time
    messages: list[SlackMessage] = field(default_factory=list)
    attempts: int = 0
    _failures: dict[str, deque[Failure]] = field(default_factory=lambda: defaultdict(deque))
    _removed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.workspace = Workspace(self.now)

    def start(self) -> None:
        """Listen; returns when connections are accepted."""
        app = Starlette(
            routes=[
                Route("/services/{rest:path}", self._receive, methods=["POST"]),
                Route("/api/{method}", self.workspace.answer, methods=["GET", "POST"]),
            ]
        )
        self._server = WebServer(app, "slack-receiver")

    def stop(self) -> None:
        """Stop listening; messages stay readable."""
        self._server.stop()

    def url(self, name: str = "T000/B000/trainops") -> str:
        """The webhook's address."""
        return f"{self._server.url}/services/{name}"

    @property
    def api_url(self) -> str:
        """Where the bot's Web API is."""
        return f"{self._server.url}/api/"

    def clear(self) -> None:
        """Forget messages, failures and removals."""
        self.messages.clear()
        self.heal()
        self.attempts = 0

    def heal(self) -> None:
        """Forget scripted failures and removals; what was accepted stays."""
        self._failures.clear()
        self._removed.clear()

    def fail(self, status: int, text: str = "", *, times: int = 1, retry_after: int | None = None,
             name: str = "T000/B000/trainops") -> None:  # fmt: skip
        """Give the next `times` messages of a webhook this answer: (429, retry_after=3), (503), (403, "…")."""
        answer = Failure(status, text or DEFAULT_TEXT.get(status, "server_error"), retry_after)
        self._failures[f"/services/{name}"].extend([answer] * times)

    def remove(self, name: str = "T000/B000/trainops") -> None:
        """Revoke a webhook: 404 `no_service` from now on."""
        self._removed.add(f"/services/{name}")

    def to(self, name: str) -> list[dict[str, Any]]:
        """The messages that one webhook accepted."""
        return [message.body for message in self.messages if message.path == f"/services/{name}"]

    async def _receive(self, request: Request) -> Response:
        path = request.url.path
        self.attempts += 1
        if path in self._removed:
            return PlainTextResponse("no_service", 404)
        if waiting := self._failures[path]:
            failure = waiting.popleft()
            headers = {} if failure.retry_after is None else {"Retry-After": str(failure.retry_after)}
            return PlainTextResponse(failure.text, failure.status, headers)
        try:
            body = await request.json()
        except ValueError:
            return PlainTextResponse("invalid_payload", 400)
        if reason := refusal(body):
            return PlainTextResponse(reason, 400)
        self.messages.append(SlackMessage(path, body, self.now()))
        return PlainTextResponse("ok")


DEFAULT_TEXT = {403: "action_prohibited", 404: "no_service", 410: "channel_is_archived", 429: "rate_limited"}


@dataclass(frozen=True)
class Mail:
    """One e-mail as it was handed over by SMTP: the envelope, the parsed message and when it came."""

    sender: str
    recipients: tuple[str, ...]
    message: EmailMessage
    at: datetime

    @property
    def subject(self) -> str:
        """The subject, decoded."""
        return str(self.message["Subject"])

    def body(self, kind: str = "plain") -> str:
        """The decoded text of the `plain` or `html` part; "" when there is none."""
        part = self.message.get_body((kind,))
        return "" if part is None else str(part.get_content())


class Mailbox:
    """An SMTP server that accepts everything and keeps it; `now` dates the mails."""

    def __init__(self, now: Callable[[], datetime] = real_time) -> None:
        self._now = now
        self.mails: list[Mail] = []

    def start(self) -> None:
        """Listen; returns when connections are accepted."""
        with socket.create_server((HOST, 0)) as probe:
            port = int(probe.getsockname()[1])
        self._controller = Controller(_Keep(self.mails.append, self._now), hostname=HOST, port=port)
        self._controller.start()
        self.address = f"{HOST}:{port}"

    def stop(self) -> None:
        """Stop listening; mails stay readable."""
        self._controller.stop()

    def clear(self) -> None:
        """Forget all mails."""
        self.mails.clear()

    def to(self, recipient: str) -> list[Mail]:
        """The mails for one address."""
        return [mail for mail in self.mails if recipient in mail.recipients]


class _Keep:
    """aiosmtpd calls handle_DATA for every message; the answer is SMTP's."""

    def __init__(self, keep: Callable[[Mail], None], now: Callable[[], datetime]) -> None:
        self._keep, self._now = keep, now

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        message = email.message_from_bytes(envelope.original_content or b"", policy=email.policy.default)
        if not isinstance(message, EmailMessage):
            return "550 unreadable message"
        self._keep(Mail(envelope.mail_from or "", tuple(envelope.rcpt_tos), message, self._now()))
        return "250 OK"
