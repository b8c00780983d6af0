"""Connections that run one transaction at a time: the writer's, and those that read SQLite."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar

import asyncpg
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.connections.prepared import DirectConnection, as_sqlalchemy

T = TypeVar("T")
Then = Callable[[T], None]
"""Called with the result of a transaction, in the event loop."""

_CLOSING_TIMEOUT = 5.0
"""Seconds to wait for the last transaction when a file is closed, should its disk not respond."""
LOST = (asyncpg.InterfaceError, asyncpg.InternalClientError)
"""The errors of the driver of PostgreSQL itself when a connection is cut at an unlucky moment."""

_CONFLICT = "23505"
"""The SQLSTATE that refuses a row because one with the same key is stored already."""
_CONFLICTS = (
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_ROWID,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
)
"""The extended result codes with which SQLite refuses such a row."""


def nothing(_: object) -> None:
    """Does nothing with a result."""


class WriteConnection(Protocol):
    """A connection with one transaction at a time, which reconnects after a failure."""

    in_doubt: bool
    """After `transact` has raised or was cancelled: whether the transaction may still have been committed."""

    def transact(self, work: Callable[[Connection], T], then: Then[T] = nothing) -> asyncio.Future[T]:
        """Begins to run ``work`` in a transaction of its own; the future has its result after the commit.

        Calls ``then`` with the result between the commit and the end of the future, so before a task that
        awaits the future goes on. The future fails with what ``work`` raises, after a rollback, with any
        error of the database, and with what ``then`` raises.
        """

    async def close(self) -> None: ...


class _Withdrawn(Exception):
    """A transaction was given up before its commit."""


class _Job(asyncio.Future[Any]):
    """A transaction for the thread: either the thread begins to commit it, or it is withdrawn before that."""

    def __init__(
        self, connection: ThreadConnection, work: Callable[[Connection], Any], then: Then[Any]
    ) -> None:
        super().__init__()
        self.work = work
        self._connection = connection
        self._then = then
        self.claims = [None]
        """Empty once it is withdrawn, or the thread has begun to commit it."""

    def claim(self) -> bool:
        """Returns True to the first caller only, in whichever thread: `list.pop` is atomic."""
        try:
            self.claims.pop()
        except IndexError:
            return False
        return True

    def cancel(self, msg: object = None) -> bool:
        """Withdraws the transaction, unless the thread commits it already; its outcome is then not known."""
        if not super().cancel(msg):
            return False
        self._connection.in_doubt = not self.claim()
        return True

    def answer(self, result: Any, error: BaseException | None) -> None:
        """Ends the future with the outcome of the transaction, unless it was cancelled."""
        if self.done():
            return
        if error:
            self.set_exception(error)
            return
        try:
            self._then(result)
        except BaseException as failure:
            self.set_exception(failure)
        else:
            self.set_result(result)


class _Outcomes:
    """Hands the outcomes of a thread's transactions to an event loop, in their order."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._ended: deque[tuple[_Job, Any, BaseException | None]] = deque()
        self._event: int | None = None
        """The descriptor of an eventfd that wakes the loop; None on systems that have none."""
        if hasattr(os, "eventfd"):
            self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
            loop.add_reader(self._event, self._read)

    def put(self, job: _Job, result: Any, error: BaseException | None) -> None:
        """Queues the outcome of a transaction and wakes the loop; called by the thread."""
        self._ended.append((job, result, error))
        if self._event is not None:
            # `call_soon_threadsafe` would take 20 µs more of CPU time, a tenth of a small transaction.
            os.eventfd_write(self._event, 1)
            return
        # The loop may be closed.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._answer)

    def close(self) -> None:
        """Hands over the last outcomes; called by the loop, once the thread has ended."""
        self._answer()
        if self._event is not None:
            self.loop.remove_reader(self._event)
            os.close(self._event)

    def _read(self) -> None:
        assert self._event is not None
        os.eventfd_read(self._event)
        self._answer()

    def _answer(self) -> None:
        while self._ended:
            job, result, error = self._ended.popleft()
            job.answer(result, error)


class ThreadConnection:
    """A connection to SQLite, in a thread of its own: one switch of threads per transaction.

    A thread cannot be cancelled: a transaction that is given up goes on as far as its commit, where it is
    rolled back, and the next one waits for it. An executor would take twice the CPU time.
    """

    def __init__(self, engine: Engine, check: Callable[[], None], begin: str = "BEGIN IMMEDIATE") -> None:
        self.in_doubt = False
        self._engine = engine
        self._begin = begin
        self._check = check
        """Raises `StoreError` if the file is no longer in its place."""
        self._connection: DirectConnection | None = None
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._outcomes: _Outcomes | None = None

    def transact(self, work: Callable[[Connection], T], then: Then[T] = nothing) -> asyncio.Future[T]:
        self.in_doubt = False
        job = _Job(self, work, then)
        if self._outcomes is None:
            outcomes = self._outcomes = _Outcomes(job.get_loop())
            self._thread = Thread(target=self._run, args=(outcomes,), name="store", daemon=True)
            self._thread.start()
        assert self._outcomes.loop is job.get_loop()
        self._jobs.put(job)
        return job

    async def close(self) -> None:
        thread, self._thread = self._thread, None
        outcomes, self._outcomes = self._outcomes, None
        if thread and outcomes:
            self._jobs.put(None)
            await asyncio.get_running_loop().run_in_executor(None, thread.join, _CLOSING_TIMEOUT)
            if not thread.is_alive():
                outcomes.close()

    def _run(self, outcomes: _Outcomes) -> None:
        """Performs transactions until the connection is closed."""
        while job := self._jobs.get():
            if job.claims:
                try:
                    result = self._transact(job)
                except BaseException as error:
                    outcomes.put(job, None, error)
                else:
                    outcomes.put(job, result, None)
        self._close()

    def _transact(self, job: _Job) -> Any:
        try:
            connection = self._connection or self._connect()
            # SQLAlchemy would take 50 µs of CPU time to begin a transaction and to commit it.
            connection.driver.execute(self._begin)
            result = job.work(connection)
            # Not after the commit: a file that is lost then takes all earlier changes with it as well.
            self._check()
            if not job.claim():
                raise _Withdrawn
            self._commit(connection)
        except sqlite3.Error as error:
            self._close()
            raise as_sqlalchemy(error) from error
        except BaseException:
            self._close()
            raise
        return result

    def _commit(self, connection: DirectConnection) -> None:
        try:
            if connection.in_transaction():
                connection.commit()
            else:
                connection.driver.execute("COMMIT")
        except (sqlite3.Error, DBAPIError) as error:
            # After an I/O error the commit may be in the file, but not if a write failed: the page that
            # makes it valid is written last. SQLite rolls back other commits that fail.
            self.in_doubt = (
                primary_code(error) == sqlite3.SQLITE_IOERR and _code(error) != sqlite3.SQLITE_IOERR_WRITE
            )
            raise

    def _connect(self) -> DirectConnection:
        """A new connection to the file; raises `StoreError` if that is not in its place."""
        self._check()
        self._connection = DirectConnection(self._engine)
        return self._connection

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.invalidate()
            connection.close()


def is_damage(error: Exception) -> bool:
    """Whether a page of the file is damaged, so that only what needs it fails."""
    return isinstance(error, DBAPIError) and primary_code(error) == sqlite3.SQLITE_CORRUPT


def is_conflict(error: IntegrityError) -> bool:
    """Whether the error says that a row with the same key is stored already.

    Other integrity errors come again with each retry, such as that of a row whose table is not stored.
    """
    return sqlstate(error) == _CONFLICT or _code(error) in _CONFLICTS


def sqlstate(error: Exception) -> str:
    """The SQLSTATE of a PostgreSQL error; empty for other errors."""
    return str(getattr(getattr(error, "driver_exception", error), "sqlstate", None) or "")


def primary_code(error: DBAPIError | sqlite3.Error) -> int:
    """The primary result code of an error of SQLite; 0 for other errors."""
    return _code(error) & 0xFF


def _code(error: DBAPIError | sqlite3.Error) -> int:
    """The extended result code of an error of SQLite; 0 for other errors."""
    return int(getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlite_errorcode", 0))


class LoopConnection:
    """A connection of an asyncio driver, in the event loop."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.in_doubt = False
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._late: set[asyncio.Future[None]] = set()
        """Tasks that close connections whose opening was cancelled, once they are open."""

    def transact(self, work: Callable[[Connection], T], then: Then[T] = nothing) -> asyncio.Future[T]:
        self.in_doubt = False
        return asyncio.ensure_future(self._transact(work, then))

    async def _transact(self, work: Callable[[Connection], T], then: Then[T]) -> T:
        try:
            connection = self._connection = self._connection or await self._connect()
            transaction = await connection.begin()
            result = await connection.run_sync(work)
            self.in_doubt = True
            await transaction.commit()
            self.in_doubt = False
            then(result)
        except BaseException as error:
            if self.in_doubt:
                self.in_doubt = not _is_refusal(error)
            await self._disconnect()
            raise
        return result

    async def close(self) -> None:
        await self._disconnect()
        await asyncio.gather(*self._late)
        await self._engine.dispose()

    async def _connect(self) -> AsyncConnection:
        """A new connection; if this is cancelled, the connection is closed once it is there."""
        opening = asyncio.ensure_future(self._engine.connect().start())
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            # A cancelled connect would lose the connection that it has just made.
            late = asyncio.ensure_future(_close_once_open(opening))
            self._late.add(late)
            late.add_done_callback(self._late.discard)
            raise

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            await _close(connection)


async def _close_once_open(opening: asyncio.Future[AsyncConnection]) -> None:
    # A connection that fails to open, or to close, is gone all the same.
    with suppress(Exception):
        await _close(await opening)


async def _close(connection: AsyncConnection) -> None:
    await cut(connection)
    await connection.close()


def _is_refusal(error: BaseException) -> bool:
    """Whether the server itself answered a commit with an error, and so has rolled back.

    An error of class 57 may come from a server that stops just after it has committed.
    """
    state = str(getattr(getattr(error, "driver_exception", None), "sqlstate", None) or "")
    return bool(state) and not state.startswith(("08", "57"))


async def cut(connection: AsyncConnection) -> None:
    """Drops a connection without telling the server, which may not respond."""
    if not connection.closed and not connection.invalidated:
        driver = (await connection.get_raw_connection()).driver_connection
        if terminate := getattr(driver, "terminate", None):
            terminate()
        await connection.invalidate()
