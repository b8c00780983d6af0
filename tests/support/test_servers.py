"""`close_late_connections`: a connection that comes while its server is being closed is closed too."""

from __future__ import annotations

import asyncio
import gc
import select
import socket
import warnings

import pytest

from tests.support.ports import HOST


@pytest.mark.real
async def test_a_connection_that_comes_while_its_server_closes_is_closed() -> None:
    gc.collect()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        server = await asyncio.start_server(lambda *_: None, HOST, 0)
        listening = server.sockets[0]
        with socket.create_connection(listening.getsockname()) as coming:
            select.select([listening.fileno()], [], [], 60)
            # After two passes the loop has accepted the connection, but has made no transport for it yet.
            for _ in range(2):
                await asyncio.sleep(0)
            server.close()
            coming.settimeout(60)
            for _ in range(3):
                await asyncio.sleep(0)
            assert coming.recv(1) == b""
        # A transport that was left open would warn now, as it is collected.
        gc.collect()
    assert [str(one.message) for one in told] == []
