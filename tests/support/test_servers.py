"""A connection that comes while its server is being closed is closed too."""

from __future__ import annotations

import asyncio
import gc
import select
import socket
import warnings

import pytest

from tests.support.ports import HOST


@pytest.mark.real
async def test_no_connection_is_left_by_a_server_that_closes() -> None:
    gc.collect()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        server = await asyncio.start_server(lambda *_: None, HOST, 0)
        listening = server.sockets[0]
        with socket.create_connection(listening.getsockname()) as coming:
            select.select([listening.fileno()], [], [], 60)
            # The loop accepts the connection, and makes a transport for it only after the server is closed.
            for _ in range(2):
                await asyncio.sleep(0)
            server.close()
            coming.settimeout(60)
            for _ in range(3):
                await asyncio.sleep(0)
            assert coming.recv(1) == b""
        gc.collect()
    assert [str(one.message) for one in told] == []
