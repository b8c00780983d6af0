"""Looks for damaged pages in an SQLite file, and counts the tables of players that they cost."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

from bot.store.schema import ENTRIES, GAMES, SEATS
from engines.values import Value

_INTERRUPTION_PAUSE = 0.05
"""Seconds until the next interruption: an interruption between two statements has no effect."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Damage(Value):
    """The findings of an examination of all pages of a file."""

    parts: tuple[str, ...] = ()
    """The tables of the database with damaged pages, in themselves or in an index; empty if all is well."""
    games: int = 0
    """The number of players' tables whose rows cannot be read; 0 also if they could not be counted."""
    is_complete: bool = True
    """Whether the time sufficed to read all pages and, if some are damaged, to count the players' tables."""


def find_damage(connection: sqlite3.Connection, seconds: float) -> Damage:
    """Reads the pages of all tables and indexes, as many as it can in this time.

    Raises `sqlite3.Error` if the list of tables cannot be read, or if reading fails for another reason than
    damage.
    """
    parts, until = list[str](), time.monotonic() + seconds
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    with interrupted_after(connection, seconds):
        try:
            for name in names:
                if time.monotonic() >= until:
                    return Damage(tuple(parts), is_complete=False)
                if not _is_whole(connection, name):
                    parts.append(name)
            return Damage(tuple(parts), _unreadable(connection, set(names)) if parts else 0)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            return Damage(tuple(parts), is_complete=False)


def _is_whole(connection: sqlite3.Connection, name: str) -> bool:
    return _read(connection, f'PRAGMA quick_check("{name}")') == [("ok",)]


def _unreadable(connection: sqlite3.Connection, names: set[str]) -> int:
    """The number of players' tables whose rows cannot be read; 0 if it cannot be told."""
    selects = [
        f'SELECT * FROM "{table.name}" WHERE {column} = ?'
        for table, column in ((GAMES, "id"), (ENTRIES, "game"), (SEATS, "game"))
        if table.name in names
    ]
    games = _read(connection, f'SELECT id FROM "{GAMES.name}"') if GAMES.name in names else None
    return sum(any(_read(connection, one, game) is None for one in selects) for game in games or ())


def _read(
    connection: sqlite3.Connection, statement: str, values: Sequence[object] = ()
) -> list[tuple[object, ...]] | None:
    """The rows; None if a page that they need is damaged."""
    try:
        return connection.execute(statement, values).fetchall()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in _DAMAGED:
            return None
        raise


@contextmanager
def interrupted_after(connection: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Interrupts each statement that a connection runs in the block once this time is over."""
    done = Event()

    def interrupt() -> None:
        pause = seconds
        while not done.wait(pause):
            connection.interrupt()
            pause = _INTERRUPTION_PAUSE

    thread = Thread(target=interrupt, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
