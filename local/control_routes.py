"""The `/_local/` routes of the server, by which tests and demonstrations steer what no AWS client can."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote

from local.authorisations import Authorisations
from local.sagemaker.failures import plan_from_json
from local.sagemaker.simulator import Scope, Simulator
from local.sagemaker.switches import Switches

PREFIX = "/_local/"
Body = dict[str, Any]
Query = Mapping[str, list[str]]


@dataclass(frozen=True)
class ControlRoutes:
    """Pure request → answer; `publish` injects a raw event into EventBridge.

    `more` are routes of other parts; one that ends in `/` gets the rest of the path as `body["name"]`, and the
    body as `body["body"]`. `settle` delivers what an advance of the clock made due.
    """

    simulator: Simulator
    record: Authorisations
    publish: Callable[[Scope, Body], None]
    more: Mapping[tuple[str, str], Callable[[Body, Query], Any]] = field(default_factory=dict)
    settle: Callable[[], None] = lambda: None
    at_work: Callable[[], int] = lambda: 0
    """How many functions run."""

    def answer(self, method: str, path: str, query: Query, body: Body) -> tuple[int, Any]:
        """Status and JSON answer; an unknown route is 404, a wrong body 400 with the reason."""
        route = path.removeprefix(PREFIX).rstrip("/")
        plan = route.startswith("sagemaker/plans/")
        run = self._routes().get((method, "sagemaker/plans/" if plan else route))
        folder, _, name = route.rpartition("/")
        if run is None and (run := self.more.get((method, f"{folder}/"))):
            body = {"name": unquote(name), "body": body}
        if run is None:
            return 404, {"error": f"no route {method} {path}"}
        if plan:
            body = {"job": unquote(route.removeprefix("sagemaker/plans/")), "plan": body}
        try:
            return 200, run(body, query)
        except (KeyError, TypeError, ValueError) as error:
            return 400, {"error": f"{type(error).__name__}: {error}"}

    def _routes(self) -> dict[tuple[str, str], Callable[[Body, Query], Any]]:
        return {
            ("GET", "health"): self._health,
            ("PUT", "clock"): self._set_clock,
            ("GET", "clock"): lambda _body, _query: self._clock(),
            ("PUT", "sagemaker/plans/"): self._plan,
            ("PUT", "sagemaker/emission"): self._emission,
            ("PUT", "sagemaker/switches"): self._switch,
            ("GET", "sagemaker/switches"): lambda _body, _query: asdict(self.simulator.switches),
            ("GET", "sagemaker/events"): lambda _body, _query: self.simulator.history,
            ("POST", "events"): self._inject,
            ("GET", "authorisations"): self._authorisations,
            ("DELETE", "authorisations"): lambda _body, _query: self.record.clear(),
            **self.more,
        }

    def _health(self, _body: Body, _query: Query) -> Body:
        return {"status": "ok", "functions_at_work": self.at_work(), **self._clock()}

    def _clock(self) -> Body:
        clock = self.simulator.clock
        return {"now": clock.now().isoformat(), "rate": clock.rate}

    def _set_clock(self, body: Body, _query: Query) -> Body:
        _only(body, {"rate", "advance_seconds"})
        if "rate" in body:
            self.simulator.clock.set_rate(float(body["rate"]))
        if "advance_seconds" in body:
            self.simulator.clock.advance(timedelta(seconds=float(body["advance_seconds"])))
        self.simulator.tick()
        self.settle()
        return self._clock()

    def _plan(self, body: Body, _query: Query) -> None:
        self.simulator.plans[body["job"]] = plan_from_json(body["plan"])

    def _emission(self, body: Body, _query: Query) -> None:
        _only(body, {"emit"})
        self.simulator.emit = bool(body["emit"])

    def _switch(self, body: Body, _query: Query) -> Body:
        self.simulator.switches = Switches.from_json(body, current=self.simulator.switches)
        return asdict(self.simulator.switches)

    def _inject(self, body: Body, _query: Query) -> None:
        """A raw event in EventBridge's own envelope; `account` and `region` choose the bus."""
        scope = Scope(body["account"], body["region"])
        entry = {"Source": body["source"], "DetailType": body["detail-type"], "Detail": body["detail"]}
        if "time" in body:
            entry["Time"] = float(body["time"])
        self.publish(scope, {**entry, "Resources": body.get("resources", [])})

    def _authorisations(self, _body: Body, query: Query) -> list[Body]:
        return self.record.listed(query.get("principal", [None])[0])


def _only(body: Body, known: set[str]) -> None:
    if unknown := set(body) - known:
        raise ValueError(f"unknown field(s) {sorted(unknown)}; known: {sorted(known)}")


async def serve(routes: ControlRoutes, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
    """Answer one HTTP request for a `/_local/` path."""
    raw = b""
    more = True
    while more:
        message = await receive()
        raw += message.get("body", b"")
        more = message.get("more_body", False)
    try:
        body = json.loads(raw or b"{}")
        query = parse_qs(scope.get("query_string", b"").decode())
        status, shape = routes.answer(scope["method"], scope["path"], query, body)
    except json.JSONDecodeError as error:
        status, shape = 400, {"error": f"the body is not JSON: {error}"}
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(shape, default=str).encode()})
