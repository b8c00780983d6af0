"""Ports of this machine for programs that tests start."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

HOST = "127.0.0.1"


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port of this machine that during the block no program gets unless it names the port.

    It is bound, but nothing listens at it: the system gives it to no program that asks for any free port, and
    lets programs that name it listen there, one after another.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((HOST, 0))
        port: int = held.getsockname()[1]
        yield port
