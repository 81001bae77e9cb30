"""Stand-ins for Slack: a client that answers at will, and a web server on this machine."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from slack_sdk.webhook import WebhookResponse

from trainops.adapters.slack_webhook import Secret, SlackWebhook, Webhook
from trainops.errors import TrainopsError

URL = "https://hooks.slack.com/services/T000/B000/very-secret"
SECRET = json.dumps({"webhook_url": URL})


class FakeWebhook:
    """Answers every message the same way and remembers it."""

    def __init__(self, status: int = 200, body: str = "ok", headers: dict[str, str] | None = None) -> None:
        self.answer = WebhookResponse(url=URL, status_code=status, body=body, headers=headers or {})
        self.error: Exception | None = None
        self.sent: list[dict[str, Any]] = []

    def send_dict(self, body: dict[str, Any]) -> WebhookResponse:
        if self.error:
            raise self.error
        self.sent.append(body)
        return self.answer

    def connect(self, url: str) -> Webhook:
        assert url == URL
        return self


def always(text: str) -> Secret:
    """A secret that nobody rotates."""
    return lambda *, fresh=False: text


def channel(fake: FakeWebhook, secret: str = SECRET) -> SlackWebhook:
    return SlackWebhook("trainops/slack", always(secret), fake.connect)


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and everything it leads to."""
    while error:
        yield error
        error = error.__cause__ or error.__context__


def failure(deliver: Callable[[], object]) -> TrainopsError:
    with pytest.raises(TrainopsError) as caught:
        deliver()
    return caught.value


@contextmanager
def slack_server(status: int, body: str, headers: dict[str, str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A web server on this machine that answers as Slack would, or hangs up when the status is 0."""
    got: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            if not status:
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the base class's name
            """Quiet."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/very-secret", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
