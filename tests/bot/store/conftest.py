"""Fixtures: a new empty store or database of each kind (memory, SQLite, PostgreSQL)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

from bot.storage import Store
from bot.store import open_store
from bot.store.memory import MemoryStore

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


@pytest.fixture(params=["memory", *IN_SQL])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened: Store = MemoryStore()
    if request.param != "memory":
        opened = await open_store(await _new(request, tmp_path))
    yield opened
    await opened.close()
