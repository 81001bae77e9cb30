"""The part of Slack's Web API that a bot uses, as far as its answers go: messages, threads, people, and limits.

`receivers.SlackReceiver` serves it under /api/. Every answer is HTTP 200 with "ok", but for 429. Source: Slack, Web API
methods chat.postMessage, chat.update, users.lookupByEmail and conversations.open; "Rate limits".
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from local.slack_rules import refusal

CHANNELS = ("#ml-training", "#vision-training", "#finops")
"""Those that a new workspace has, the bot in each."""
TEXT = 40_000


@dataclass
class BotMessage:
    """A message as it is shown now; `thread` is the first message's ts, `versions` what it was before each change."""

    channel: str
    ts: str
    body: dict[str, Any]
    at: datetime
    thread: str | None = None
    versions: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Workspace:
    """Channels by name, people by address; `per_second` limits messages by channel, None does not."""

    now: Callable[[], datetime]
    token: str = "-".join(("xoxb", "local"))
    channels: dict[str, str] = field(
        default_factory=lambda: {name: f"C{index:010}" for index, name in enumerate(CHANNELS, start=1)}
    )
    people: dict[str, str] = field(default_factory=dict)
    id: str = "T0LOCAL01"
    standing: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What users.info says of a person beside the address, such as is_restricted, by ID."""
    archived: set[str] = field(default_factory=set)
    down: dict[str, datetime] = field(default_factory=dict)
    """Channels, by name, whose every call is answered with 503 until then; "*" is all of them."""
    denied: dict[str, str] = field(default_factory=dict)
    """Methods that are answered with this code, such as missing_scope; "*" is all of them."""
    per_second: float | None = None
    messages: list[BotMessage] = field(default_factory=list)
    limited: int = 0
    calls: list[str] = field(default_factory=list)
    _next: dict[str, datetime] = field(default_factory=dict)

    def shown_in(self, channel: str) -> list[BotMessage]:
        """The channel's own messages, without what is in threads."""
        return [message for message in self.messages if message.channel == self.id_of(channel) and not message.thread]

    def replies_to(self, root: BotMessage) -> list[BotMessage]:
        """What is in a message's thread."""
        return [message for message in self.messages if message.thread == root.ts]

    def id_of(self, channel: str) -> str | None:
        """A channel's ID by its name or ID; a direct channel is D and the person's ID."""
        direct = {f"D{person}" for person in self.people.values()}
        return self.channels.get(channel) or (channel if channel in {*self.channels.values(), *direct} else None)

    async def answer(self, request: Request) -> Response:
        """One call of the Web API."""
        method = request.url.path.rpartition("/")[2]
        self.calls.append(method)
        arguments = await self._arguments(request)
        if arguments is None:
            return _no("invalid_json")
        if request.headers.get("authorization") != f"Bearer {self.token}":
            return _no("invalid_auth")
        if code := self.denied.get(method, self.denied.get("*")):
            return _no(code)
        if waiting := self._outage(str(arguments.get("channel", ""))):
            return waiting
        handle = METHODS.get(method)
        return handle(self, arguments) if handle else _no("unknown_method")

    async def _arguments(self, request: Request) -> dict[str, Any] | None:
        if request.method == "GET":
            return dict(request.query_params)
        if "json" not in request.headers.get("content-type", ""):
            return dict(parse_qsl((await request.body()).decode()))
        try:
            found = json.loads(await request.body() or "{}")
        except ValueError:
            return None
        return found if isinstance(found, dict) else None

    def _outage(self, channel: str) -> Response | None:
        names = {name for name, known in self.channels.items() if channel in {name, known}} | {"*"}
        until = [self.down[name] for name in names if name in self.down]
        return Response("upstream connect error", 503) if any(self.now() < when for when in until) else None

    def post(self, arguments: Mapping[str, Any]) -> Response:
        """chat.postMessage."""
        channel = self.id_of(str(arguments.get("channel", "")))
        if reason := self._refusal(channel, arguments):
            return _no(reason)
        if (wait := self._too_soon(str(channel))) > 0:
            self.limited += 1
            return JSONResponse({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": str(math.ceil(wait))})
        thread = arguments.get("thread_ts")
        if thread and thread not in {message.ts for message in self.messages}:
            return _no("thread_not_found")
        ts = f"{self.now().timestamp():.0f}.{len(self.messages):06}"
        self.messages.append(BotMessage(str(channel), ts, dict(arguments), self.now(), thread))
        return JSONResponse({"ok": True, "channel": channel, "ts": ts})

    def update(self, arguments: Mapping[str, Any]) -> Response:
        """chat.update, which takes a channel's ID and no name."""
        if arguments.get("channel") in self.channels:
            return _no("channel_not_found")
        found = [m for m in self.messages if (m.channel, m.ts) == (arguments.get("channel"), arguments.get("ts"))]
        if not found:
            return _no("message_not_found")
        if reason := self._refusal(found[0].channel, arguments):
            return _no(reason)
        found[0].versions.append(found[0].body)
        found[0].body = dict(arguments)
        return JSONResponse({"ok": True, "channel": found[0].channel, "ts": found[0].ts})

    def person(self, arguments: Mapping[str, Any]) -> Response:
        """users.lookupByEmail."""
        user = self.people.get(str(arguments.get("email", "")))
        return JSONResponse({"ok": True, "user": {"id": user}}) if user else _no("users_not_found")

    def described(self, arguments: Mapping[str, Any]) -> Response:
        """users.info."""
        found = [email for email, person in self.people.items() if person == arguments.get("user")]
        if not found:
            return _no("user_not_found")
        known = {"id": arguments["user"], "team_id": self.id, "profile": {"email": found[0]}}
        return JSONResponse({"ok": True, "user": {**known, **self.standing.get(known["id"], {})}})

    def open(self, arguments: Mapping[str, Any]) -> Response:
        """conversations.open with one person."""
        user = arguments.get("users")
        known = user in self.people.values()
        return JSONResponse({"ok": True, "channel": {"id": f"D{user}"}}) if known else _no("user_not_found")

    def _refusal(self, channel: str | None, arguments: Mapping[str, Any]) -> str | None:
        if channel is None:
            return "channel_not_found"
        if channel in {self.channels.get(name) for name in self.archived}:
            return "is_archived"
        if len(str(arguments.get("text") or "")) > TEXT:
            return "msg_too_long"
        return refusal({key: arguments.get(key) for key in ("text", "blocks") if arguments.get(key) is not None})

    def _too_soon(self, channel: str) -> float:
        """Seconds until the channel takes another message, which counts as sent now when that is 0."""
        if self.per_second is None:
            return 0
        wait = (self._next.get(channel, self.now()) - self.now()).total_seconds()
        if wait <= 0:
            self._next[channel] = self.now() + timedelta(seconds=1 / self.per_second)
        return wait


def _no(error: str) -> JSONResponse:
    return JSONResponse({"ok": False, "error": error})


METHODS: dict[str, Callable[[Workspace, Mapping[str, Any]], Response]] = {
    "chat.postMessage": Workspace.post,
    "chat.update": Workspace.update,
    "users.lookupByEmail": Workspace.person,
    "conversations.open": Workspace.open,
    "users.info": Workspace.described,
    "auth.test": lambda _, __: JSONResponse({"ok": True, "team": "local", "user": "trainops"}),
}
