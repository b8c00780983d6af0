"""The sockets at which the bot listens."""

from __future__ import annotations

import asyncio
import re
import socket

import pytest

from adapters.shared.network.listener import listener, open_listener
from bot.ports import NotAdmitted


async def test_each_answer_is_sent_at_once() -> None:
    """Nagle's algorithm, which would hold the second part of an answer back, is off."""
    at_once = asyncio.get_running_loop().create_future()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        at_once.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    door = listener("127.0.0.1", 0)
    async with await asyncio.start_server(serve, sock=door):
        _, writer = await asyncio.open_connection("127.0.0.1", door.getsockname()[1])
        assert await at_once
        writer.close()


def test_a_port_that_is_taken_is_said_plainly() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        expected = (
            f"The bot can't listen at 127.0.0.1, port {port} (another program listens there). "
            "Choose another in INN_PORT."
        )
        with pytest.raises(NotAdmitted, match=f"^{re.escape(expected)}$"):
            open_listener("127.0.0.1", port, "INN_PORT")
