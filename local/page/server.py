"""Serves the page: static files, and what it shows as JSON under `api/`."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local.cdk import ROOT
from local.laptop import Laptop
from local.page.lanes import lanes
from local.page.variables import chosen
from local.page.widgets import Screen
from local.problems import need_file
from local.web import WebServer

STATIC = Path(__file__).with_name("static")
CHARTS = ROOT / "node_modules/echarts/dist/echarts.min.js"
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
"""Nothing from elsewhere is loaded and no script within a message runs; e-mails bring styles of their own."""
HOURS = 24
LONGEST = 24 * 31


class Page:
    """What a running laptop shows, for its browser routes; handlers run in threads, clients are shared."""

    def __init__(self, laptop: Laptop) -> None:
        self._laptop = laptop
        self._sagemaker, self._cloudwatch = laptop.client("sagemaker"), laptop.client("cloudwatch")

    def clock(self, _request: Request) -> Response:
        """Simulated time and its rate."""
        health = self._laptop.control.health()
        return JSONResponse({"now": health["now"], "rate": health["rate"]})

    def messages(self, _request: Request) -> Response:
        """The channel and the mailbox, oldest first."""
        slack = [{"at": one.at.isoformat(), "body": one.body} for one in list(self._laptop.slack.messages)]
        mail = [
            {"at": one.at.isoformat(), "from": one.sender, "to": one.recipients, "subject": one.subject,
             "html": one.body("html"), "text": one.body()}
            for one in list(self._laptop.mailbox.mails)
        ]  # fmt: skip
        return JSONResponse({"slack": slack, "mail": mail})

    def timeline(self, request: Request) -> Response:
        """Jobs and pools of the last `hours`, in lanes by team and instance type."""
        now = self._laptop.control.now()
        start = now - timedelta(hours=_hours(request))
        pages = self._sagemaker.get_paginator("search").paginate(Resource="TrainingJob")
        jobs = [result["TrainingJob"] for page in pages for result in page["Results"]]
        groups = [
            {"team": team, "type": kind, "lanes": [asdict(lane)["runs"] for lane in found]}
            for (team, kind), found in lanes(jobs, now).items()
        ]
        return _json({"start": start, "now": now, "groups": groups})

    def dashboards(self, _request: Request) -> Response:
        """The names of the deployed dashboards."""
        entries = self._cloudwatch.list_dashboards()["DashboardEntries"]
        return JSONResponse([entry["DashboardName"] for entry in entries])

    def dashboard(self, request: Request) -> Response:
        """One dashboard's widgets with what they show of the last `hours`; its variables are parameters by their id."""
        now = self._laptop.control.now()
        start = now - timedelta(hours=_hours(request))
        name = request.path_params["name"]
        try:
            body = self._cloudwatch.get_dashboard(DashboardName=name)["DashboardBody"]
        except self._cloudwatch.exceptions.ResourceNotFound:
            return JSONResponse({"error": f"there is no dashboard {name}"}, 404)
        screen = Screen(self._cloudwatch, self._laptop.client("logs"), start, now + timedelta(minutes=1))
        filled, variables = chosen(body, request.query_params)
        widgets = [screen.widget(widget) for widget in filled.get("widgets", ())]
        return _json({"name": name, "start": start, "now": now, "widgets": widgets, "variables": variables})


@contextmanager
def serving(laptop: Laptop, port: int = 0) -> Iterator[str]:
    """Serve the page of a running laptop meanwhile; its address. LaptopError when the charting library is missing."""
    need_file(CHARTS, "the charting library echarts")
    page = Page(laptop)
    routes = [
        Route("/", lambda _request: FileResponse(STATIC / "index.html")),
        Route("/echarts.js", lambda _request: FileResponse(CHARTS)),
        Route("/api/clock", page.clock),
        Route("/api/messages", page.messages),
        Route("/api/timeline", page.timeline),
        Route("/api/dashboards", page.dashboards),
        Route("/api/dashboards/{name}", page.dashboard),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    # Another site's page that resolves its name to this machine sends its own name as the host.
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    server = WebServer(_Guarded(Starlette(routes=routes, middleware=[hosts])), "page", port)
    try:
        yield f"{server.url}/"
    finally:
        server.stop()


class _Guarded:
    """Sends the content security policy with every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", POLICY.encode()),
                    (b"cache-control", b"no-store"),
                ]
            await send(message)

        await self._app(scope, receive, guarded)


def _hours(request: Request) -> float:
    """How far back is asked for; a day unless it is a number up to a month."""
    try:
        return min(max(float(request.query_params.get("hours", HOURS)), 0.1), LONGEST)
    except ValueError:
        return HOURS


def _json(shape: Mapping[str, Any]) -> Response:
    return Response(json.dumps(shape, default=str), media_type="application/json")
