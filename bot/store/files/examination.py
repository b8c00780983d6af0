"""Examines a store without changing it: access, version of the schema, damaged pages, the server's clock."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, NullPool, create_engine, text

from bot.file_errors import file_error_text, server_error_text, store_error_text
from bot.storage import StoreError
from bot.store.connections.database import (
    BUSY_TIMEOUT,
    FAILURES,
    alembic,
    engines_at,
    file_of,
    newest,
    revision,
)
from bot.store.connections.file import is_served
from bot.store.files.damage import Damage, find_damage
from bot.store.schema import TABLES
from bot.store.writing.writer import described
from engines.game import Text
from engines.values import Value

_READING_TIMEOUT = 10.0
"""Seconds for reading the pages of a file."""
_NOT_WRITABLE = """
    SELECT current_setting('transaction_read_only') = 'on' OR coalesce(
        (
            SELECT bool_or(NOT (
                has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
                AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
            ))
            FROM pg_class
            WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname = ANY(:names)
        ),
        NOT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
    )
"""
"""Asks PostgreSQL whether the user lacks a right to read or write one of the tables ``names``.

If none of them exists, the right to make tables counts. True also on a read-only server.
"""

Tables = Literal["none", "older", "current", "newer"]
"""How the schema of a store compares with that of this program; ``none`` without tables."""


class StoreState(Value):
    """The findings of an examination of a store."""

    has_address: bool = True
    """Whether the setting is an address of a store."""
    failure: Text | str = ""
    """Why the store does not answer, or why its file can't be opened or, if missing, made; else empty.

    It does not contain the store's address.
    """
    file: Path | None = None
    """The file of the store; None if it is missing, or the store is on a server."""
    tables: Tables = "none"
    """The schema, compared with this program's; ``none`` also if it was not read."""
    read_only: bool = False
    """Whether a server answers, but does not let the program write; see `_NOT_WRITABLE`."""
    missing: Path | None = None
    """The path at which the file of the store is missing; None if it is there, or on a server."""
    is_served: bool = False
    """Whether a process still serves from the missing file: it was deleted or moved while in use."""
    damage: Damage | None = None
    """What was found in the pages of the file; None if they cannot be read, or the store is on a server."""
    ahead: float | None = None
    """The seconds by which this machine's clock is ahead of a server's; None for a file, or on failure."""


async def examine_store(url: str, now: Callable[[], float]) -> StoreState:
    """Examines the store at an address; ``now`` tells this machine's time."""
    try:
        file = file_of(url)
    except StoreError:
        return StoreState(has_address=False)
    if file:
        return await asyncio.to_thread(_examine_file, file)
    engines = engines_at(url)
    try:
        async with engines.reads.connect() as connection:
            read_only = await connection.run_sync(_is_read_only)
            tables = "none" if read_only else await connection.run_sync(_tables)
            return StoreState(
                tables=tables, read_only=read_only, ahead=await connection.run_sync(_ahead, now)
            )
    except FAILURES as error:
        return StoreState(failure=server_error_text(described(error)))
    finally:
        await engines.close()


def _examine_file(file: Path) -> StoreState:
    """Examines a store in a file, whose pages it reads too."""
    why = _why_not_opened(file)
    try:
        if not file.exists():
            return StoreState(missing=file, failure=why, is_served=is_served(file))
    except OSError:
        # The program may not look into a folder above it.
        pass
    if why:
        return StoreState(failure=why, file=file)
    # Without the pragmas of the bot's own connections, which change a file that is not the bot's.
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(
            f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_TIMEOUT, isolation_level=None
        ),
        poolclass=NullPool,
        hide_parameters=True,
    )
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA query_only = ON")
            tables = _tables(connection)
            return StoreState(tables=tables, file=file, damage=_damage(connection))
    except FAILURES as error:
        return StoreState(failure=store_error_text(described(error)), file=file)
    except sqlite3.Error as error:
        return StoreState(failure=store_error_text(str(error)), file=file)


def _damage(connection: Connection) -> Damage:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return find_damage(driver, _READING_TIMEOUT)


def _why_not_opened(file: Path) -> Text | str:
    """Why a file can't be opened or made, to be read and written; empty if it can."""
    try:
        folder = next(one for one in file.absolute().parents if one.exists())
        if not folder.is_dir():
            return Text("there is no such folder")
        if not os.access(folder, os.W_OK):
            # SQLite keeps other files beside it, such as the journal.
            return Text("the bot may not write to the folder")
        with file.open("r+b"):
            return ""
    except FileNotFoundError:
        return ""
    except OSError as error:
        return file_error_text(error)


def _is_read_only(connection: Connection) -> bool:
    names: Sequence[str] = [*TABLES, "alembic_version"]
    return bool(connection.execute(text(_NOT_WRITABLE), {"names": names}).scalar_one())


def _tables(connection: Connection) -> Tables:
    if (found := revision(connection)) is None:
        return "none"
    if found == newest(connection):
        return "current"
    try:
        ScriptDirectory.from_config(alembic(connection)).get_revision(found)
    except CommandError:
        return "newer"
    return "older"


def _ahead(connection: Connection, now: Callable[[], float]) -> float:
    """The seconds by which this machine's clock is ahead of the server's."""
    asked = now()
    told = connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one()
    return (asked + now()) / 2 - float(told)
