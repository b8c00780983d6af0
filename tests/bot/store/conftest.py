"""Fixtures: an empty store or a new database of each kind (memory, SQLite, PostgreSQL)."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import cast

import asyncpg
import pytest

from bot.storage import Store
from bot.store import open_store, reader, writer
from bot.store.memory import MemoryStore

PATIENCE = 30.0
"""Seconds that a try of a store may take on a busy machine."""
IN_SQL = ["sqlite", pytest.param("postgres", marks=pytest.mark.real)]


async def _new(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Makes a new database of the kind in the fixture's parameter; its path or URL."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    make = cast("Callable[[], Awaitable[str]]", request.getfixturevalue("new_postgres"))
    return await make()


@pytest.fixture(params=IN_SQL)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The path or URL of a new SQL database."""
    return await _new(request, tmp_path)


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives stores more time on a busy machine, but in the tests of faults, which are about the time."""
    if request.path.stem != "test_faults":
        for module in (reader, writer):
            monkeypatch.setattr(module, "ATTEMPT", PATIENCE)
            monkeypatch.setattr(module, "ANSWER", 2 * PATIENCE)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The migrated databases that stores of tests share or are copied from, by kind."""
    return {"sqlite": str(tmp_path_factory.mktemp("migrated") / "tables.db")}


@pytest.fixture(params=["memory", *IN_SQL])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, migrated: dict[str, str]
) -> AsyncIterator[Store]:
    """An empty store; a migrated file is copied, and a migrated PostgreSQL database is emptied."""
    opened: Store = MemoryStore()
    if request.param == "sqlite":
        if not Path(migrated["sqlite"]).exists():  # noqa: ASYNC240
            await (await open_store(migrated["sqlite"])).close()
        opened = await open_store(str(shutil.copy(migrated["sqlite"], tmp_path / "tables.db")))
    elif request.param == "postgres":
        if "postgres" not in migrated:
            postgres: str = request.getfixturevalue("postgres")
            migrated["postgres"] = postgres.replace("/postgres?", "/shared?")
            connection = await asyncpg.connect(postgres)
            await connection.execute("CREATE DATABASE shared")
            await connection.close()
        else:
            await _empty(migrated["postgres"])
        opened = await open_store(migrated["postgres"])
    yield opened
    await opened.close()


async def _empty(url: str) -> None:
    """Removes all rows of a PostgreSQL database, and ends its other connections."""
    connection = await asyncpg.connect(url)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    names = await connection.fetch(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
    )
    tables = ", ".join(f'"{name}"' for (name,) in names)
    await connection.execute(f"TRUNCATE {tables} RESTART IDENTITY")
    await connection.close()
