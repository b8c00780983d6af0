"""The reads of a process: each sees a snapshot, and is tried again while the database does not answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage import StoreError, Unreadable
from bot.store.connections.connection import cut, is_damage
from bot.store.connections.database import FAILURES, Engines
from bot.store.connections.prepared import Prepared
from bot.store.watchdog import Watchdog
from bot.store.writing.writer import ANSWER, ATTEMPT, PATIENCE, SHORT, described, is_transient
from bot.times.delivery_deadline import until

log = logging.getLogger(__name__)

T = TypeVar("T")


@asynccontextmanager
async def _timeout_at(when: float) -> AsyncIterator[None]:
    """Cancels the block at a time of the event loop, then raises `TimeoutError`."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as timeout:
        watchdog = Watchdog(lambda: timeout.reschedule(loop.time()))
        watchdog.begin(when)
        try:
            yield
        finally:
            watchdog.close()


class Reader:
    """Reads within `ANSWER`; raises `StoreError` if the database fails, `Unreadable` at a damaged page."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._is_failing = False
        """Whether a retry was logged since the last successful read: only the first is logged."""

    async def rows(self, query: Prepared, **values: Any) -> Sequence[Sequence[Any]]:
        """The rows that a prepared statement finds; for short reads, such as those of presses."""
        return await self._retried(partial(self._engines.quick.fetch, query, values))

    async def read(self, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        """The result of work in a session of its own.

        Work may run more than once, and returns plain values, not rows that belong to the session.
        """
        return await self._retried(partial(self._in_session, work))

    async def run(self, work: Callable[[Connection], T]) -> T:
        """The result of prepared statements that read many rows.

        If there is a connection for slow reads, they run there, so that presses do not wait for them. As in
        `read`, work may run more than once.
        """
        if slow := self._engines.slow:
            return await self._retried(partial(slow.transact, work))

        async def in_session(session: AsyncSession) -> T:
            return await (await session.connection()).run_sync(work)

        return await self.read(in_session)

    async def _retried(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """The result of an attempt, which is repeated after transient errors while there is time."""
        loop = asyncio.get_running_loop()
        deadline = until(ANSWER)
        for pause in (0.0, *PATIENCE):
            try:
                async with _timeout_at(min(loop.time() + ATTEMPT, deadline)):
                    result = await attempt()
                self._is_failing = False
                return result
            except FAILURES as error:
                why = described(error)
                if is_damage(error):
                    raise Unreadable(f"a page of the file is damaged: {why}") from None
                if not is_transient(error, alone=False) or loop.time() + pause + SHORT > deadline:
                    raise StoreError(why) from None
                if not self._is_failing:
                    log.warning("the database does not answer, reading again: %s", why)
                self._is_failing = True
            await asyncio.sleep(pause)
        raise StoreError(why)

    async def _in_session(self, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        self._engines.check()
        async with self._engines.reads.connect() as connection, AsyncSession(bind=connection) as session:
            try:
                return await work(session)
            except (TimeoutError, asyncio.CancelledError, DBAPIError):
                # The server may not respond: a rollback could wait for ever.
                await cut(connection)
                raise
