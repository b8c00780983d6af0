"""Fixtures: an empty store (in memory, SQLite or PostgreSQL), or a new database (SQLite or PostgreSQL)."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

from bot.storage import Store
from bot.store import open_store
from bot.store.connections import database as databases
from bot.store.memory.store import MemoryStore
from bot.store.reading import reader
from bot.store.writing import writer

PATIENCE = 30.0
"""Seconds that a try of a store may take on a busy machine."""
IN_SQL = ["sqlite", pytest.param("postgres", marks=pytest.mark.real)]


async def _made(request: pytest.FixtureRequest, maker: str) -> str:
    """The URL of a new PostgreSQL database; ``maker`` is the fixture whose function makes it."""
    make = cast("Callable[[], Awaitable[str]]", request.getfixturevalue(maker))
    return await make()


@pytest.fixture(params=IN_SQL)
async def database(request: pytest.FixtureRequest, tmp_path: Path, migrated_file: Path) -> str:
    """The path or URL of a new SQL database with an empty store."""
    if request.param == "sqlite":
        return await _copied(migrated_file, tmp_path)
    return await _made(request, "new_postgres")


@pytest.fixture(params=IN_SQL)
async def bare_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The path or URL of a new SQL database without tables; the file of SQLite is not there yet."""
    return str(tmp_path / "tables.db") if request.param == "sqlite" else await _made(request, "bare_postgres")


@pytest.fixture
def in_time() -> None:
    """Leaves stores the time that they have outside of tests, for tests that are about it."""


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives stores more time, for busy machines, unless a test asks for `in_time`."""
    if "in_time" not in request.fixturenames:
        monkeypatch.setattr(databases, "_CONNECT_TIMEOUT", PATIENCE)
        for module in (reader, writer):
            monkeypatch.setattr(module, "ATTEMPT", PATIENCE)
            monkeypatch.setattr(module, "ANSWER", 2 * PATIENCE)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an empty store that others are copied from; the first copy makes it."""
    return tmp_path_factory.mktemp("migrated") / "tables.db"


async def _copied(migrated_file: Path, folder: Path) -> str:
    """The path of a new file with an empty store."""
    if not migrated_file.exists():  # noqa: ASYNC240
        await (await open_store(str(migrated_file))).close()
    return str(shutil.copy(migrated_file, folder / "tables.db"))


@pytest.fixture(params=["memory", *IN_SQL])
async def store(request: pytest.FixtureRequest, tmp_path: Path, migrated_file: Path) -> AsyncIterator[Store]:
    """An empty store."""
    opened: Store = MemoryStore()
    if request.param == "sqlite":
        opened = await open_store(await _copied(migrated_file, tmp_path))
    elif request.param == "postgres":
        opened = await open_store(await _made(request, "new_postgres"))
    yield opened
    await opened.close()
