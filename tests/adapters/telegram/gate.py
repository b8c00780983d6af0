"""A TCP proxy before the emulator that can refuse connections, go silent, and lose answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from tests.adapters.telegram.emulator import Emulator
from tests.adapters.telegram.world import World, opened, served
from tests.support.ports import HOST, reserved_port
from tests.support.waiting import Waiting


class Gate:
    """The proxy: passes bytes between the bot and the emulator while it is open."""

    def __init__(self, url: str, port: int) -> None:
        self.beyond = urlsplit(url).port or 0
        self._port = port
        self._server: asyncio.Server | None = None
        self.ends: set[asyncio.Transport] = set()
        """Both ends of each open connection."""
        self.losing = b""
        """If not empty: the answer to the next request with these bytes is lost, with its connection."""
        self.silent = False
        """Whether the proxy accepts requests and drops them unanswered."""

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port}"

    async def open(self) -> None:
        """Starts to accept connections."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Outer(self), HOST, self._port)

    async def shut(self) -> None:
        """Breaks all connections and refuses new ones."""
        if self._server:
            self._server.close()
        waiting = Waiting("all connections through the gate to break")
        while self.ends:
            waiting.check()
            for end in tuple(self.ends):
                end.abort()
            await asyncio.sleep(0)


class _End(asyncio.Protocol):
    """One end of a proxied connection; if one end closes, the other is aborted."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.transport: asyncio.Transport | None = None
        self.other: _End | None = None
        self.lost = False
        """Whether the next answer aborts the connection instead of being passed on."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.gate.ends.add(transport)

    def connection_lost(self, _: Exception | None) -> None:
        if self.transport:
            self.gate.ends.discard(self.transport)
        if self.other and self.other.transport:
            self.other.transport.abort()


class _Outer(_End):
    """The bot's end of a connection; keeps its bytes until the emulator's end is connected."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(gate)
        self._waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connecting = asyncio.create_task(self._connect())

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        _, other = await loop.create_connection(lambda: _Inner(self.gate, self), HOST, self.gate.beyond)
        self.other = other
        assert other.transport
        if self.transport and self.transport.is_closing():
            other.transport.abort()
        other.transport.write(self._waiting)

    def data_received(self, data: bytes) -> None:
        if self.gate.losing and self.gate.losing in data:
            self.gate.losing, self.lost = b"", True
        if self.gate.silent:
            return
        if self.other and self.other.transport:
            self.other.transport.write(data)
        else:
            self._waiting += data


class _Inner(_End):
    """The emulator's end of a connection."""

    def __init__(self, gate: Gate, outer: _Outer) -> None:
        super().__init__(gate)
        self.other = outer

    def data_received(self, data: bytes) -> None:
        assert self.other
        assert self.other.transport
        if self.other.lost:
            self.other.transport.abort()
        else:
            self.other.transport.write(data)


@asynccontextmanager
async def gated() -> AsyncIterator[tuple[World, Gate]]:
    """Runs a bot that reaches the emulator through a gate."""
    emulator = Emulator()
    with reserved_port() as port:
        async with served(emulator) as url:
            gate = Gate(url, port)
            await gate.open()
            try:
                async with opened(emulator, address=gate.url) as world:
                    yield world, gate
            finally:
                await gate.shut()
