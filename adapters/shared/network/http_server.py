"""An HTTP server: uvicorn, with bounds on its connections and on the time for a request."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

_HEAD_TIMEOUT = 5.0
"""Seconds from the start of a connection, or from an answer, until the head of a request must be there."""
_MOST_HEAD_BYTES = 16_384
"""The most bytes of the head of a request."""
_MOST_CONNECTIONS = 256
"""Open connections at which the one that has waited longest for a request is closed.

At the same number uvicorn would refuse every request.
"""
_SHUTDOWN_TIMEOUT = 5
"""Seconds to wait, when the server stops, for the requests that it still handles."""


class HttpServer(uvicorn.Server):
    """A uvicorn server with bounds on connections and waits; `adapters.hosting.serve` handles signals."""

    def __init__(self, app: ASGIApp) -> None:
        config = uvicorn.Config(
            app,
            http=_ImpatientProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            # Uvicorn warns of every request that is not HTTP, and strangers can send any number of these.
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_keep_alive=int(_HEAD_TIMEOUT),
            timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT,
            h11_max_incomplete_event_size=_MOST_HEAD_BYTES,
        )
        super().__init__(config)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _ImpatientProtocol(H11Protocol):
    """A connection that is closed if the head of its next request does not arrive in time.

    Uvicorn has a timeout only between an answer and the first byte of the next request.
    """

    _since = 0.0
    """When the connection began to wait for a request, in the time of the event loop."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin_wait()
        if len(self.connections) >= _MOST_CONNECTIONS:
            self._close_oldest()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline:
            self._deadline.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._begin_wait()

    def _begin_wait(self) -> None:
        """Gives the next request `_HEAD_TIMEOUT` seconds to arrive."""
        if self._deadline:
            self._deadline.cancel()
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(_HEAD_TIMEOUT, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self._is_idle:
            self.transport.close()

    @property
    def _is_idle(self) -> bool:
        """Whether the head of the next request has not arrived yet."""
        # Uvicorn's annotation leaves out that there is no cycle before the first request.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _close_oldest(self) -> None:
        """Closes the connection that has waited longest for a request."""
        waiting = [
            connection
            for connection in self.connections
            if isinstance(connection, _ImpatientProtocol)
            and connection._is_idle
            and not connection.transport.is_closing()
        ]
        min(waiting, key=lambda connection: connection._since).transport.abort()
