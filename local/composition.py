"""The local AWS put together: MiniStack with its patches, SageMaker, the control routes, one port.

Imported by `local.server` after the process environment was set, because MiniStack reads it when imported.
"""

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config

from local.api_calls import ApiCalls, Recorded
from local.authorisations import Authorisations
from local.control_routes import PREFIX, ControlRoutes
from local.control_routes import serve as answer_control
from local.event_faults import EventFaults
from local.limits import SAGEMAKER, SERVICE_QUOTAS, Limited, Limits
from local.ministack_seam import calls, patches
from local.ministack_seam.metrics import Sampling, functions_at_work
from local.ministack_seam.sessions import role_session
from local.price_list.api import PriceListApi
from local.sagemaker.api import Api
from local.sagemaker.clock import Clock
from local.sagemaker.http import handler
from local.sagemaker.quota_admission import admission_by
from local.sagemaker.simulator import Simulator
from local.scripted_failures import Failing, ScriptedFailures
from local.service_quotas.account import Quotas
from local.service_quotas.api import ServiceQuotasApi
from local.service_quotas.control import routes as quota_routes
from local.training.processes import Processes, endpoint_client

TICK_SECONDS = 0.05
PLAIN = (b"x-local-transport", b"plain")
"""The header of a request that a test wants judged as one without TLS."""


def make_app(simulator: Simulator, faults: EventFaults) -> Any:
    """MiniStack, SageMaker and the control routes as one ASGI app."""
    record = Authorisations()
    inner = patches.compose(simulator.clock, record)
    limits, failures = Limits(), ScriptedFailures()
    api_calls = ApiCalls(simulator.clock, calls.publish)
    limited = Limited[calls.RequestCaller](Failing(Api(simulator), failures), limits, SAGEMAKER)
    sagemaker = Recorded[calls.RequestCaller](limited, api_calls)
    calls.add_service("sagemaker", "SageMaker", handler(sagemaker, calls.RequestCaller))
    quotas = Quotas(simulator.clock)
    simulator.admission = admission_by(quotas.applied)
    service_quotas = Limited[calls.RequestCaller](Failing(ServiceQuotasApi(quotas), failures), limits, SERVICE_QUOTAS)
    calls.add_service("servicequotas", "ServiceQuotasV20190624", handler(service_quotas, calls.RequestCaller))
    prices = Failing(PriceListApi(), failures)
    calls.add_service("pricing", "AWSPriceListService", handler(prices, calls.RequestCaller))
    more = {**limits.routes(), **failures.routes(), **quota_routes(quotas, simulator), **faults.routes()}
    more |= api_calls.routes()
    routes = ControlRoutes(simulator, record, calls.publish, more=more, settle=faults.flush, at_work=functions_at_work)

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"].startswith(PREFIX):
            await answer_control(routes, scope, receive, send)
            return
        # AWS is reached by TLS; without this every policy that denies aws:SecureTransport=false denies all.
        plain = scope["type"] != "http" or PLAIN in scope["headers"]
        await inner(scope if plain else {**scope, "scheme": "https"}, receive, send)

    return app


async def _tick(simulator: Simulator, faults: EventFaults, processes: Processes) -> None:
    """Let jobs move on without anybody asking, so that events come by themselves; metrics too."""
    sample = Sampling(simulator.clock)
    while True:
        await asyncio.sleep(TICK_SECONDS)
        processes.poll()
        simulator.tick()
        faults.flush()
        sample()


async def run(host: str, port: int, parent: int, clock_rate: float, python: Path) -> None:
    """Serve until SIGTERM, SIGINT, a fault of the simulator or the end of the parent process."""
    config = Config()
    config.bind = [f"{host}:{port}"]
    config.keep_alive_timeout = 75
    config.loglevel = "WARNING"
    clock = Clock(clock_rate)
    faults = EventFaults(clock, calls.publish)
    simulator = Simulator(clock, faults)
    app = make_app(simulator, faults)
    client = endpoint_client(f"http://{host}:{port}")
    processes = Processes(simulator, role_session, client, python, Path.cwd() / "jobs")
    processes.attach()
    ticker = asyncio.create_task(_tick(simulator, faults, processes))
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)

    async def ended() -> None:
        while not ending.is_set() and not ticker.done() and os.getppid() == parent:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), 0.5)

    await serve(app, config, shutdown_trigger=ended)
    if ticker.done():
        ticker.result()  # raises what ended the simulator, so that the log says it
