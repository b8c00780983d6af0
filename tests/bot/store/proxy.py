"""A TCP proxy before a PostgreSQL server, which cuts connections or swallows what is sent."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit


class Proxy:
    """Forwards bytes between clients and the server's Unix socket."""

    def __init__(self, url: str, rng: random.Random) -> None:
        parts = urlsplit(url)
        (folder,) = parse_qs(parts.query)["host"]
        self._socket = Path(folder) / ".s.PGSQL.5432"
        self._database = parts.path
        self._rng = rng
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""
        self._due: list[int] = []
        """For each cut to come, the number of pieces after the cut before it; for the next, those left."""
        self.silent = False
        """Whether pieces are swallowed, on open connections and on new ones."""
        self.swallows_answers = False
        """Whether the next answers of the server are swallowed, until all connections are cut."""
        self.cuts = 0
        """The scheduled cuts so far."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Proxy]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        self.url = f"postgresql://postgres@127.0.0.1:{port}{self._database}"
        try:
            yield self
        finally:
            server.close()
            self.cut_all()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut_all(self) -> None:
        """Cuts all connections; the answers to new ones are no longer swallowed, unless `silent`."""
        self.swallows_answers = False
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_unix_connection(self._socket)
        pair = (writer, server_writer)
        self._writers.update(pair)
        works = (self._forward(reader, server_writer, pair), self._forward(server_reader, writer, pair))
        for work in works:
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def schedule(self, cuts: int, gaps: range) -> None:
        """Cuts connections this often from now on, after numbers of pieces drawn from a range."""
        self._due = self._rng.choices(gaps, k=cuts)

    def _is_due(self) -> bool:
        """Counts a piece; returns whether its connection is to be cut."""
        if not self._due:
            return False
        self._due[0] -= 1
        if self._due[0]:
            return False
        del self._due[0]
        return True

    async def _forward(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        pair: tuple[asyncio.StreamWriter, ...],
    ) -> None:
        with suppress(OSError):
            while piece := await reader.read(65536):
                if self.silent or (self.swallows_answers and writer is pair[0]):
                    continue
                # Before or after the piece has arrived: the client cannot tell.
                cut = self._is_due()
                if not cut or self._rng.random() < 0.5:
                    writer.write(piece)
                    await writer.drain()
                if cut:
                    self.cuts += 1
                    break
        for one in pair:
            self._writers.discard(one)
            one.close()
