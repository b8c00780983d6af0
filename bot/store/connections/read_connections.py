"""The connections for reads of few rows, by prepared statements."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import asyncpg
from sqlalchemy import Dialect

from bot.store.connections.connection import LOST, ThreadConnection
from bot.store.connections.prepared import Prepared

CONNECTIONS = 10
"""Maximum number of PostgreSQL connections for reads of few rows; further such reads wait for one of them."""


class ReadConnections(Protocol):
    """Runs prepared statements that read, each in a transaction of its own."""

    async def fetch(self, query: Prepared, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows found with these parameters.

        Raises any error of the database, and `StoreError` if an SQLite file is not in its place.
        """

    async def close(self) -> None: ...


class ThreadReads:
    """Reads SQLite in a thread of its own.

    One read at a time, since each takes microseconds; reads of many rows have other connections.
    """

    def __init__(self, connection: ThreadConnection) -> None:
        self._connection = connection

    async def fetch(self, query: Prepared, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        return await self._connection.transact(partial(_run, query, values))

    async def close(self) -> None:
        await self._connection.close()


def _run(query: Prepared, values: Mapping[str, Any], connection: Any) -> Sequence[Sequence[Any]]:
    return query.run(connection, values)


class LoopReads:
    """Reads PostgreSQL by its driver, whose connections keep their statements prepared."""

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]], dialect: Dialect) -> None:
        self._connect = connect
        self._dialect = dialect
        self._idle: list[asyncpg.Connection] = []
        """The connections that run no statement, the one used last at the end."""
        self._free = asyncio.Semaphore(CONNECTIONS)

    async def fetch(self, query: Prepared, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        text, ordered = query.compiled(self._dialect)
        arguments = ordered(values)
        async with self._free:
            connection = self._idle.pop() if self._idle else await self._connect()
            try:
                rows: Sequence[Sequence[Any]] = await connection.fetch(text, *arguments)
            except BaseException as error:
                # The server may not respond: to close the connection in order could take for ever.
                connection.terminate()
                if isinstance(error, (asyncpg.PostgresError, *LOST)):
                    # What cut this connection may have cut the others.
                    self._drop_idle()
                raise
            self._idle.append(connection)
            return rows

    async def close(self) -> None:
        self._drop_idle()

    def _drop_idle(self) -> None:
        """Ends the idle connections without waiting for their server."""
        idle, self._idle = self._idle, []
        for connection in idle:
            connection.terminate()
