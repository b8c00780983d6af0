"""The writer of a process: stores in one transaction the changes that wait, at most `MOST_IN_GROUP`."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.measures import Measures
from bot.model.batches import Batch, BatchVerdict, Taken
from bot.storage import StoreError, Uncertain, Unreadable
from bot.store.common import checked_start
from bot.store.connections.connection import (
    LOST,
    WriteConnection,
    is_conflict,
    is_damage,
    primary_code,
    sqlstate,
)
from bot.store.watchdog import Watchdog
from bot.store.writing import leases, seats
from bot.store.writing.append import Appending
from bot.store.writing.known_leases import KnownLeases
from bot.store.writing.upserts import Saving
from bot.times.delivery_deadline import until

log = logging.getLogger(__name__)

MOST_IN_GROUP = 200
"""Maximum number of changes in a transaction."""
MOST_WAITING = 2000
"""Maximum number of changes that wait for their transaction; any more are refused at once."""
ANSWER = 4.5
"""The most seconds from a change to its outcome; one without an outcome by then is refused, or uncertain."""
ATTEMPT = 2.0
"""Maximum seconds that a transaction may take before it is given up and tried again."""
SHORT = 0.3
"""A change with fewer seconds left is refused: in so little time a slow database would store nothing."""
DAMAGE_SPARED = 10.0
"""Seconds without a stored change after which a damaged page counts as a failure of the whole database."""
PATIENCE = (0.02, 0.05, 0.1, 0.2, *(0.3,) * 12)
"""Seconds before each retry, while the database is unreachable or locked."""


_TRANSIENT = ("08", "40", "53", "55", "57", "58")
"""The classes of SQLSTATEs after which a retry may succeed.

They mean: connection, rollback (by a deadlock), resources, state of an object, operator, system.
"""
_FULL = "53100"
"""The SQLSTATE of a full disk, which does not end within the time of an answer."""
_LASTING = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
"""The errors of SQLite that do not end within the time of an answer."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """A change to store, the future of its outcome, and the event loop's time to answer by."""

    work: Batch | Saving
    done: asyncio.Future[Any]
    deadline: float
    unsure: bool = False
    """Whether a commit that may have stored the change has failed."""


class Writer:
    """Writes changes in groups; answers each within `ANSWER`, after its commit or when it has failed.

    A change may still be stored if the task that waits for it is cancelled.
    """

    def __init__(
        self,
        connection: WriteConnection,
        patience: Sequence[float] = PATIENCE,
        measures: Measures | None = None,
        *,
        shared: bool = False,
    ) -> None:
        self._connection = connection
        self._leases = KnownLeases(shared=shared)
        self._patience = patience
        self._measures = measures or Measures()
        self._appending = Appending()
        self._waiting: list[_Waiting] = []
        self._busy = False
        """Whether changes are written, or will be in the next step of the event loop."""
        self._work: asyncio.Future[Any] | None = None
        """The first attempt to write a group, or the task that tries it again; None between groups."""
        self._expiry: asyncio.TimerHandle | None = None
        """The timer that refuses changes which have waited too long."""
        self._attempt: asyncio.Future[Any] | None = None
        """The latest attempt to write a group."""
        # asyncio.timeout would take several times the CPU time.
        self._watchdog = Watchdog(self._give_up)
        self._overdue = False
        """Whether the latest attempt was given up."""
        self._closed = False
        self._failing: str | None = None
        """The failure of the database that was logged last; None while changes are stored."""
        self._stored_at: float | None = None
        """The loop's time when damage was found, or when a change was last stored since; None without it."""

    def append(self, batch: Batch) -> asyncio.Future[BatchVerdict]:
        """The verdict on a batch, after its commit."""
        checked_start(batch)
        return self._submit(batch)

    def save(self, saving: Saving) -> asyncio.Future[Any]:
        """The outcome of a change, after its commit."""
        return self._submit(saving)

    async def close(self) -> None:
        """Refuses new changes, and waits until those that wait are answered."""
        self._closed = True
        while self._busy:
            await (asyncio.wait([self._work]) if self._work else asyncio.sleep(0))
        self._watchdog.close()
        if self._expiry:
            self._expiry.cancel()

    def _submit(self, work: Batch | Saving) -> asyncio.Future[Any]:
        """Lets a change wait for its transaction. Raises `StoreError` if too many wait, or after `close`."""
        if self._closed:
            raise StoreError("the store is closed")
        if len(self._waiting) >= MOST_WAITING:
            raise StoreError(f"{MOST_WAITING} changes wait for the database already")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(work, loop.create_future(), until(ANSWER))
        self._waiting.append(waiting)
        if not self._busy:
            # What comes in the same step of the event loop is written together.
            self._busy = True
            loop.call_soon(self._write_next)
        elif self._expiry is None or waiting.deadline < self._expiry.when():
            if self._expiry:
                self._expiry.cancel()
            self._expiry = loop.call_at(waiting.deadline, self._expire)
        return waiting.done

    def _expire(self) -> None:
        """Refuses the changes that have waited too long for their transaction to begin."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        late = [one for one in self._waiting if one.deadline <= now]
        self._waiting = [one for one in self._waiting if one.deadline > now]
        self._fail(late, StoreError("the database is too slow"))
        self._expiry = None
        if self._waiting:
            self._expiry = loop.call_at(_first_deadline(self._waiting), self._expire)

    def _write_next(self) -> None:
        """Begins to write the changes that have waited longest."""
        self._work = None
        while self._waiting:
            oldest, self._waiting = self._waiting[:MOST_IN_GROUP], self._waiting[MOST_IN_GROUP:]
            if group := self._in_time(oldest, TimeoutError()):
                # A task for each transaction would take more CPU time than a small transaction.
                self._work = self._begin(group, again=False)
                self._work.add_done_callback(partial(self._go_on, group))
                return
        self._busy = False

    def _go_on(self, group: Sequence[_Waiting], attempt: asyncio.Future[Any]) -> None:
        """Goes on after the first attempt at a group: with the next group, or with this one again."""
        self._watchdog.end()
        error: BaseException | None
        if attempt.cancelled():
            if not self._overdue:
                # The event loop ends.
                self._busy = False
                return
            error = TimeoutError()
        else:
            error = attempt.exception()
        if error is None:
            self._write_next()
            return
        self._work = asyncio.ensure_future(self._retry(group, error))
        self._work.add_done_callback(lambda _: self._write_next())

    async def _retry(self, group: Sequence[_Waiting], error: BaseException) -> None:
        """Writes a group after an attempt has failed, with retries, and answers each change."""
        for pause in (*self._patience, None):
            if not isinstance(error, Exception):
                raise error
            if self._connection.in_doubt:
                for one in group:
                    one.unsure = True
            transient = is_transient(error, alone=len(group) == 1)
            if not transient and (not _is_lasting(error) or is_damage(error)):
                await self._write_singly(group, error)
                return
            if not transient or pause is None:
                self._fail(group, error)
                return
            self._measures.store_retries += 1
            self._log(error)
            await asyncio.sleep(pause)
            if not (group := self._in_time(group, error)):
                return
            if (failure := await self._try(group)) is None:
                return
            error = failure

    async def _try(self, group: Sequence[_Waiting]) -> Exception | None:
        """Writes a group in one transaction, and answers each change; returns the error if that failed."""
        try:
            await self._begin(group, again=any(one.unsure for one in group))
        except asyncio.CancelledError:
            if not self._overdue:
                raise
            return TimeoutError()
        except Exception as error:
            return error
        finally:
            self._watchdog.end()
        return None

    def _begin(self, group: Sequence[_Waiting], *, again: bool) -> asyncio.Future[Any]:
        """Begins to write a group in one transaction, whose commit answers each change.

        ``again`` tells that an earlier commit may have stored the group.
        """
        works = [one.work for one in group]
        self._overdue = False
        self._watchdog.begin(min(_first_deadline(group), asyncio.get_running_loop().time() + ATTEMPT))
        # `_succeed` wakes the callers before `_go_on` begins the next group, which then has their changes.
        self._attempt = self._connection.transact(
            partial(self._perform, works, again), partial(self._succeed, group)
        )
        return self._attempt

    def _give_up(self) -> None:
        """Ends an attempt that takes too long."""
        assert self._attempt is not None
        self._overdue = True
        self._attempt.cancel()

    def _in_time(self, group: Sequence[_Waiting], error: Exception) -> Sequence[_Waiting]:
        """The changes of a group with at least `SHORT` seconds left; refuses the others with this error."""
        latest = asyncio.get_running_loop().time() + SHORT
        if _first_deadline(group) >= latest:
            return group
        self._fail([one for one in group if one.deadline < latest], error)
        return [one for one in group if one.deadline >= latest]

    async def _write_singly(self, group: Sequence[_Waiting], error: Exception) -> None:
        """Writes each change of a failed group alone, so that only bad ones fail.

        Refuses the change of a group of one.
        """
        if len(group) == 1:
            self._fail(group, error)
            return
        for one in group:
            if self._in_time([one], error) and (failure := await self._try([one])):
                await self._retry([one], failure)

    def _succeed(self, group: Sequence[_Waiting], outcomes: Sequence[Any]) -> None:
        """Answers the changes of a group that is committed."""
        self._watchdog.end()
        must_note = self._failing is not None or self._stored_at is not None
        if must_note and any(map(_has_written, group, outcomes)):
            self._note_stored()
        for one, outcome in zip(group, outcomes, strict=True):
            if isinstance(one.work, Batch) and isinstance(outcome, Taken):
                self._appending.committed(one.work)
            self._leases.committed(outcome)
            _answer(one, outcome)

    def _note_stored(self) -> None:
        """Notes that changes are stored again, or are still stored although the file is damaged."""
        if self._failing is not None:
            log.warning("the database stores changes again")
            self._failing, self._measures.store_refusal = None, ""
        if self._stored_at is not None:
            self._stored_at = asyncio.get_running_loop().time()

    def _fail(self, group: Sequence[_Waiting], error: Exception) -> None:
        """Answers each change of a group: it is refused, or uncertain."""
        if not group:
            return
        why = described(error)
        if isinstance(error, Unreadable):
            # The table is to blame, not the database; such a change fails alone.
            _answer(group[0], error)
            return
        self._measures.store_lost += len(group)
        if not self._costs_only_some(error):
            self._measures.store_refusal = why
            self._log(error)
        for one in group:
            _answer(one, Uncertain(why) if one.unsure else StoreError(why))

    def _costs_only_some(self, error: Exception) -> bool:
        """Whether an error is a damaged page, which for `DAMAGE_SPARED` is no failure of the whole database.

        That time begins when damage is found, and anew with each stored change. Notes the damage, and logs it
        the first time.
        """
        if not is_damage(error):
            return False
        now = asyncio.get_running_loop().time()
        if self._stored_at is None:
            self._stored_at, self._measures.store_damage = now, described(error)
            log.error(
                "the file of the database is damaged, and changes that need a damaged page are refused (%s); "
                "the command doctor tells what the damage costs",
                described(error),
            )
        return now - self._stored_at < DAMAGE_SPARED

    def _log(self, error: Exception) -> None:
        """Logs an error, but not the same one again for each change that it refuses."""
        if (why := described(error)) != self._failing:
            self._failing = why
            log.error("the database does not store changes: %s", why)

    def _perform(self, works: Sequence[Batch | Saving], again: bool, connection: Connection) -> list[Any]:
        """Makes changes, moved chats first, then batches, then the others; returns the outcome of each."""
        if len(works) == 1 and isinstance(work := works[0], Batch):
            if work.seated:
                seats.lock(connection, works)
            return self._leases.take(connection, works, self._appending.run(connection, (work,), (), again))
        seats.lock(connection, works)
        batches = {i: work for i, work in enumerate(works) if isinstance(work, Batch)}
        savings = {i: work for i, work in enumerate(works) if isinstance(work, Saving)}
        order = sorted(savings, key=lambda i: savings[i].order)
        results: dict[int, Any] = {}
        for i in order:
            if savings[i].moves:
                results[i] = savings[i].perform(connection, again=again)
        games = {saving.game for saving in savings.values() if saving.game is not None}
        if batches or games:
            outcomes = self._appending.run(connection, list(batches.values()), games, again)
            results |= zip(batches, outcomes, strict=True)
        if games and len(works) > 1:
            leases.lock(
                connection, games | {batch.listing.game for batch in batches.values() if batch.keeper}
            )
        for i in order:
            if not savings[i].moves:
                results[i] = savings[i].perform(connection, again=again)
        return self._leases.take(connection, works, [results[i] for i in range(len(works))])


def _has_written(one: _Waiting, outcome: object) -> bool:
    """Whether a change that succeeded is sure to have written a row; on a full disk, others may succeed."""
    return one.work.writes if isinstance(one.work, Saving) else isinstance(outcome, Taken)


def _first_deadline(group: Sequence[_Waiting]) -> float:
    return min([one.deadline for one in group])


def _is_lasting(error: Exception) -> bool:
    """Whether a retry is useless for some time: the disk is full, or the file read-only, lost or damaged.

    Damage fails only changes that need a damaged page; see `is_damage`.
    """
    if isinstance(error, DBAPIError):
        return primary_code(error) in _LASTING or sqlstate(error) == _FULL
    return isinstance(error, StoreError) and not isinstance(error, Unreadable)


def is_transient(error: Exception, *, alone: bool) -> bool:
    """Whether a retry may succeed: the database is unreachable or busy, or a row is stored already.

    A conflict mostly means that another process has just stored the row: a retry gives the right verdict.
    In a group, ``alone`` is False, and a conflict is not transient: the changes are written singly.
    """
    if isinstance(error, IntegrityError):
        return alone and is_conflict(error)
    if isinstance(error, DBAPIError):
        if _is_lasting(error):
            return False
        if error.connection_invalidated:
            return True
    if state := sqlstate(error):
        return state.startswith(_TRANSIENT)
    return isinstance(error, (*LOST, OSError, OperationalError, InterfaceError, PoolTimeout))


def _answer(one: _Waiting, outcome: object) -> None:
    if one.done.done():
        return
    if isinstance(outcome, StoreError):
        one.done.set_exception(outcome)
    else:
        one.done.set_result(outcome)


def described(error: Exception) -> str:
    """The type and the SQLSTATE of an error; its message only if that cannot quote a row, with its seed."""
    if isinstance(error, StoreError):
        return str(error)
    name = type(error).__name__
    if isinstance(error, DBAPIError):
        if state := sqlstate(error):
            return f"{name}: {type(error.driver_exception).__name__} {state}"
        # For these types, the message of SQLite tells only of the file.
        return f"{name}: {error.orig}" if type(error) in (DatabaseError, OperationalError) else name
    if state := sqlstate(error):
        return f"{name} {state}"
    said = (error.strerror or str(error)) if isinstance(error, OSError) else ""
    return f"{name}: {said}" if said else name
