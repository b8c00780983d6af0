"""Patches asyncio, which forgets to close a connection that comes while its server is being closed."""

from __future__ import annotations

import socket
from asyncio import BaseTransport, Server
from asyncio.selector_events import BaseSelectorEventLoop
from typing import Any, cast

_make = cast(Any, BaseSelectorEventLoop)._make_socket_transport


def close_late_connections() -> None:
    """Makes event loops close a connection to a server that is being closed.

    Its transport would stay open, and fail a later test.
    """

    def make(
        loop: BaseSelectorEventLoop,
        connected: socket.socket,
        *given: Any,
        server: Server | None = None,
        **named: Any,
    ) -> BaseTransport:
        if server is not None and not server.sockets:
            connected.close()
            raise ConnectionAbortedError
        transport: BaseTransport = _make(loop, connected, *given, server=server, **named)
        return transport

    cast(Any, BaseSelectorEventLoop)._make_socket_transport = make
