"""An HTTP server within the bot's event loop."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp


class HttpServer(uvicorn.Server):
    """A uvicorn server that leaves signals to `adapters.serve`, and logs no requests."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, server_header=False)
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
