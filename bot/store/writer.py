"""The writer of a process: stores all waiting changes together, in one transaction."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, InterfaceError, OperationalError

from bot.measures import Measures
from bot.model import Batch
from bot.ports import StoreError
from bot.store.append import Answer, Appending
from bot.store.common import first
from bot.store.connection import WriteConnection
from bot.store.upserts import Saving

log = logging.getLogger(__name__)

GROUP = 200
"""Maximum number of changes in a transaction."""
PATIENCE = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Seconds before each retry, while the database is unreachable or locked."""


_TRANSIENT = ("08", "40", "53", "55", "57", "58")
"""Classes of SQLSTATEs after which a retry may succeed.

They mean: connection, deadlock, resources, state of an object, intervention of an operator, system.
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A change to store, and the future of its outcome."""

    work: Batch | Saving
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Writer:
    """Writes changes in groups, and answers each only after the commit.

    A change may still be stored if the task that waits for it is cancelled.
    """

    def __init__(
        self, line: WriteConnection, patience: Sequence[float] = PATIENCE, measures: Measures | None = None
    ) -> None:
        self._connection = line
        self._patience = patience
        self._measures = measures or Measures()
        self._appending = Appending()
        self._waiting: list[_Waiting] = []
        self._work: asyncio.Task[None] | None = None
        self._closed = False

    async def append(self, batch: Batch) -> Answer:
        """The verdict on a batch, after its commit."""
        first(batch)
        return cast("Answer", await self._submit(batch))

    async def save(self, saving: Saving) -> Any:
        return await self._submit(saving)

    async def close(self) -> None:
        """Refuses new changes, and writes those that wait."""
        self._closed = True
        if self._work:
            await self._work

    async def _submit(self, work: Batch | Saving) -> Any:
        if self._closed:
            raise StoreError("the store is closed")
        waiting = _Waiting(work)
        self._waiting.append(waiting)
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._write_all())
        return await waiting.done

    async def _write_all(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            await self._write(group)

    async def _write(self, group: Sequence[_Waiting]) -> None:
        """Writes a group, with retries, and answers each change."""
        works, again = [one.work for one in group], False
        for pause in (*self._patience, None):
            try:
                outcomes = await self._connection.transact(partial(self._perform, works, again))
            except Exception as error:
                if not _is_transient(error, alone=len(group) == 1):
                    await self._write_singly(group, error)
                    return
                if pause is None:
                    self._fail(group, error)
                    return
                self._measures.store_retries += 1
                log.warning("the database does not respond; trying again: %s", described(error))
                again = True
                await asyncio.sleep(pause)
            else:
                self._appending.committed(works, outcomes)
                for one, outcome in zip(group, outcomes, strict=True):
                    _answer(one, outcome)
                return

    async def _write_singly(self, group: Sequence[_Waiting], error: Exception) -> None:
        """Writes each change of a failed group in its own transaction, so that only the bad ones fail."""
        if len(group) == 1:
            self._fail(group, error)
            return
        for one in group:
            await self._write([one])

    def _fail(self, group: Sequence[_Waiting], error: Exception) -> None:
        self._measures.store_lost += len(group)
        log.error("the store lost %d changes: %s", len(group), described(error))
        for one in group:
            _answer(one, StoreError(described(error)))

    def _perform(self, works: Sequence[Batch | Saving], again: bool, connection: Connection) -> list[Any]:
        """Makes the changes and returns their outcomes: chats move first, then batches, then the rest."""
        batches = {i: work for i, work in enumerate(works) if isinstance(work, Batch)}
        savings = {i: work for i, work in enumerate(works) if isinstance(work, Saving)}
        order = sorted(savings, key=lambda i: savings[i].order)
        results: dict[int, Any] = {}
        for i in order:
            if savings[i].moves:
                results[i] = savings[i].run(connection)
        games = {saving.game for saving in savings.values() if saving.game is not None}
        if batches or games:
            outcomes = self._appending.run(connection, list(batches.values()), games, again)
            results |= zip(batches, outcomes, strict=True)
        for i in order:
            if not savings[i].moves:
                results[i] = savings[i].run(connection)
        return [results[i] for i in range(len(works))]


def _is_transient(error: Exception, *, alone: bool) -> bool:
    """Whether a retry may succeed: the database is unreachable or busy, or a row is in conflict.

    A conflict means that another process has just stored the row; a retry then gives the right verdict.
    In a group, ``alone`` is False, and a conflict is not transient: the changes are written singly.
    """
    if isinstance(error, IntegrityError):
        return alone
    if isinstance(error, DBAPIError):
        if error.connection_invalidated:
            return True
        if state := _state(error):
            return state.startswith(_TRANSIENT)
    return isinstance(error, (OSError, OperationalError, InterfaceError))


def _state(error: DBAPIError) -> str:
    """The SQLSTATE of a PostgreSQL error; empty for other errors."""
    return str(getattr(error.driver_exception, "sqlstate", None) or "")


def _answer(one: _Waiting, outcome: object) -> None:
    if one.done.done():
        return
    if isinstance(outcome, StoreError):
        one.done.set_exception(outcome)
    else:
        one.done.set_result(outcome)


def described(error: Exception) -> str:
    """The type and the SQLSTATE of an error; its message only if that cannot hold a row, and so a seed."""
    name = type(error).__name__
    if isinstance(error, DBAPIError):
        if state := _state(error):
            return f"{name}: {type(error.driver_exception).__name__} {state}"
        # For these types, the message of SQLite tells only of the file.
        return f"{name}: {error.orig}" if type(error) in (DatabaseError, OperationalError) else name
    return f"{name}: {error.strerror or error}" if isinstance(error, OSError) else name
