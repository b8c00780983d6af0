"""Ports of this machine for programs that tests start."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

HOST = "127.0.0.1"


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port that only whoever is told of it takes during the block, as often as they like.

    It is bound and nobody listens at it: the system gives it to no one who asks for any free port, and lets
    those listen who name it.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((HOST, 0))
        port: int = held.getsockname()[1]
        yield port
