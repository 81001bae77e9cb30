"""A Starlette app that listens on 127.0.0.1 in a thread of this process."""

import socket
import threading

import uvicorn
from starlette.types import ASGIApp

HOST = "127.0.0.1"


class WebServer:
    """Started once; `port` 0 takes a free one. A port that is in use is an OSError."""

    def __init__(self, app: ASGIApp, name: str, port: int = 0) -> None:
        self._listener = socket.create_server((HOST, port))
        self.port = int(self._listener.getsockname()[1])
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        sockets = {"sockets": [self._listener]}
        self._thread = threading.Thread(target=self._server.run, kwargs=sockets, name=name, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://{HOST}:{self.port}"

    def stop(self) -> None:
        """Stop listening, at once also for a connection that a browser keeps open."""
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(timeout=10)
