"""A fixture: worlds whose processes end with the test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bot.crash.processes import World


@pytest.fixture
async def new_world(tmp_path: Path) -> AsyncIterator[Callable[..., World]]:
    """A function that makes a world over a database; other arguments are fields of its processes' roles."""
    made: list[World] = []

    def make(database: str, **role: Any) -> World:
        made.append(World(database, tmp_path, **role))
        return made[-1]

    yield make
    for world in made:
        await world.close()
