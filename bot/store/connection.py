"""The one connection through which a process writes to its database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

T = TypeVar("T")


class WriteConnection(Protocol):
    """A connection with one transaction at a time, which reconnects after a failure."""

    async def transact(self, work: Callable[[Connection], T]) -> T:
        """Runs work in a transaction of its own; returns its result after the commit.

        Raises what work raises, after a rollback, and any error of the database.
        """

    async def close(self) -> None: ...


class ThreadConnection:
    """A connection of a blocking driver, in a thread of its own: one switch of threads per transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._thread = ThreadPoolExecutor(1, "store")

    async def transact(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, work)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _transact(self, work: Callable[[Connection], T]) -> T:
        try:
            self._connection = self._connection or self._engine.connect()
            with self._connection.begin():
                return work(self._connection)
        except BaseException:
            self._close()
            raise

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.invalidate()
            connection.close()


class LoopConnection:
    """A connection of an asyncio driver, in the event loop."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None

    async def transact(self, work: Callable[[Connection], T]) -> T:
        try:
            self._connection = self._connection or await self._engine.connect()
            async with self._connection.begin():
                return await self._connection.run_sync(work)
        except BaseException:
            await self._disconnect()
            raise

    async def close(self) -> None:
        await self._disconnect()
        await self._engine.dispose()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            await connection.invalidate()
            await connection.close()
