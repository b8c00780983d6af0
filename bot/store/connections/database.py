"""Opens a database by its address: makes the engines that read and write it, and migrates its schema."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any, cast

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import RevisionError
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, func, inspect, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from bot.storage import ALIVE, StoreError
from bot.store.connections.connection import LOST, LoopConnection, ThreadConnection, WriteConnection
from bot.store.connections.file import StoreFile
from bot.store.connections.read_connections import LoopReads, ReadConnections, ThreadReads
from bot.store.schema import PROCESSES
from engines.game import Text, plural
from engines.values import Value

_POSTGRES = re.compile(r"postgres(ql)?(\+asyncpg)?://")
_SQLITE = re.compile(r"sqlite(\+aiosqlite)?:///")
_HOST = re.compile(r"(?:\[[^\]]*\]|[^:]*)(?::\d*)?")
"""A host, and perhaps a port in digits; at any other port the driver raises an error of its own."""
_ADDRESSES = Text("a store is {addresses} or the name of a file", addresses="postgresql://…, sqlite:///FILE")
BUSY_TIMEOUT = 1.0
"""Seconds to wait while another process writes into the same file, before the writer tries again."""
_CONNECT_TIMEOUT = 2.0
"""Seconds in which a PostgreSQL server must accept a connection."""
_STATEMENT_TIMEOUT = 30.0
"""Seconds in which a PostgreSQL server must have carried out a statement, such as of a migration or a backup.

Statements that players wait for get less time from their callers: see `writer.ANSWER`.
"""
_MOST_LONG_READS = 5
"""Maximum number of PostgreSQL connections for reads of many rows, such as listings and leaderboards."""
_MIGRATION_LOCK = 0x50B3
"""The key of the PostgreSQL advisory lock that is held during a migration."""

FAILURES = (
    DBAPIError,
    PoolTimeout,
    OSError,
    asyncpg.PostgresError,
    *LOST,
)
"""The errors of a database that does not work, or whose tables are not as expected."""


class Engines(Value):
    """The engine and the connections that read a database, and the connection that writes it."""

    reads: AsyncEngine
    """Each transaction sees a snapshot."""
    quick: ReadConnections
    """The connections that run prepared statements which read few rows."""
    writes: WriteConnection
    slow: ThreadConnection | None = None
    """The connection for SQLite's reads of many rows, so that presses need not wait; None for PostgreSQL."""
    file: StoreFile | None = None
    """The file of the database; None for PostgreSQL."""

    def check(self) -> None:
        """Raises `StoreError` if the file of the store is no longer in its place."""
        if self.file:
            self.file.check()

    async def close(self) -> None:
        await self.reads.dispose()
        await self.quick.close()
        if self.slow:
            await self.slow.close()
        await self.writes.close()
        if self.file:
            self.file.release()


def engines_at(url: str, *, make: bool = True) -> Engines:
    """The engines for an address: ``postgresql://…``, ``sqlite:///FILE`` or the file alone.

    Raises `StoreError` for any other address, for a file that cannot be opened or made, and for a missing one
    unless ``make``.
    """
    if (file := file_of(url)) is None:
        return _postgres(_POSTGRES.sub("postgresql://", url, count=1))
    if not make and not file.is_file():
        raise StoreError(Text("there is no database file {file}", file=str(file)))
    return _sqlite(file)


def file_of(url: str) -> Path | None:
    """The file of an SQLite address; None for one of PostgreSQL. Raises `StoreError` for any other."""
    if found := _POSTGRES.match(url):
        hosts = re.split(r"[/?#]", url[found.end() :], maxsplit=1)[0].rpartition("@")[2]
        if all(map(_HOST.fullmatch, hosts.split(","))):
            return None
        raise StoreError(_ADDRESSES)
    path = _SQLITE.sub("", url, count=1)
    # One letter before a colon is a drive, not a scheme.
    if not path or path == ":memory:" or re.match(r"[\w+]{2,}:", path):
        raise StoreError(_ADDRESSES)
    return Path(path).expanduser()


def _postgres(dsn: str) -> Engines:
    async def connect() -> Any:
        return await asyncpg.connect(dsn, timeout=_CONNECT_TIMEOUT, command_timeout=_STATEMENT_TIMEOUT)

    def engine(**options: Any) -> AsyncEngine:
        return create_async_engine(
            "postgresql+asyncpg://", async_creator=connect, hide_parameters=True, **options
        )

    reads = engine(isolation_level="REPEATABLE READ", pool_size=2, max_overflow=_MOST_LONG_READS - 2)
    writes = LoopConnection(engine(isolation_level="READ COMMITTED", poolclass=NullPool))
    return Engines(reads, LoopReads(connect, reads.dialect), writes)


def _sqlite(path: Path) -> Engines:
    file = StoreFile(path)
    # Only `StoreFile` makes the file: a connection must not put an empty one where the store was.
    address: dict[str, Any] = {"database": path.absolute().as_uri(), "query": {"mode": "rw", "uri": "true"}}
    reads = create_async_engine(URL.create("sqlite+aiosqlite", **address), hide_parameters=True)
    writes = create_engine(URL.create("sqlite", **address), hide_parameters=True, poolclass=NullPool)
    _set_up(reads.sync_engine, "BEGIN")
    _set_up(writes, "BEGIN IMMEDIATE")
    quick = ThreadReads(ThreadConnection(writes, file.check, begin="BEGIN"))
    slow = ThreadConnection(writes, file.check, begin="BEGIN")
    return Engines(reads, quick, ThreadConnection(writes, file.check), slow, file)


def _set_up(engine: Engine, begin: str) -> None:
    """Sets the pragmas of each connection to a file, and the statement that begins a transaction."""

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT * 1000:.0f}")
        cursor.execute("PRAGMA journal_mode = WAL")
        # Each commit reaches the disk: a press that was answered outlives a power cut.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        # The writer has begun its transaction already.
        if not cast("Any", connection.connection.driver_connection).in_transaction:
            connection.exec_driver_sql(begin)


def upgrade(connection: Connection, wanted: str = "head") -> None:
    """Migrates the schema to the ``wanted`` revision.

    Meanwhile other processes wait with their migrations and, if the store is a file, with all changes. Raises
    `StoreError` if the schema is of a newer program, or if processes of an older one are alive that could not
    go on.
    """
    if not connection.in_transaction():
        # Otherwise alembic would commit.
        connection.begin()
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    try:
        _must_stop_older_processes(connection, wanted)
        command.upgrade(alembic(connection), wanted)
    except (CommandError, RevisionError):
        raise StoreError(Text("this store was last used by a newer Sobremesa: install that one")) from None


def _must_stop_older_processes(connection: Connection, wanted: str) -> None:
    """Raises `StoreError` if processes are alive that could not go on after a migration to come."""
    if connection.dialect.name != "postgresql" or not inspect(connection).has_table(PROCESSES.name):
        # Only one process serves from a file.
        return
    scripts = ScriptDirectory.from_config(alembic(connection))
    coming = scripts.iterate_revisions(wanted, revision(connection))
    if not any(getattr(one.module, "stops_older_processes", False) for one in coming):
        return
    is_alive = PROCESSES.c.seen > time.time() - ALIVE
    if count := connection.execute(select(func.count()).where(is_alive)).scalar_one():
        raise StoreError(
            plural(
                "{n} older process serves from this store and couldn't go on after this update. Stop it "
                "first, and wait {seconds} s if it was killed.",
                "{n} older processes serve from this store and couldn't go on after this update. Stop them "
                "all first, and wait {seconds} s if they were killed.",
                count,
                seconds=f"{ALIVE:g}",
            )
        )


def revision(connection: Connection) -> str | None:
    """The revision of the schema; None if there are no tables."""
    return MigrationContext.configure(connection).get_current_revision()


def newest(connection: Connection) -> str | None:
    """The newest revision that this program knows."""
    return ScriptDirectory.from_config(alembic(connection)).get_current_head()


def alembic(connection: Connection) -> Config:
    """The configuration of alembic for a connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "bot.store:migrations")
    config.set_main_option("path_separator", "os")
    return config
