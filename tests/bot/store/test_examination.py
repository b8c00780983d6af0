"""What an examination of a store finds, without changing it."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.shared.clock import AsyncioClock
from bot.store import open_store
from bot.store.examination import StoreState, examine_store

HOUR = 3600.0


async def test_a_store_in_a_file_has_the_clock_of_this_machine(tmp_path: Path) -> None:
    file = str(tmp_path / "tables.db")
    await (await open_store(file)).close()
    assert await examine_store(file, AsyncioClock().now) == StoreState(tables="current")


@pytest.mark.real
async def test_the_clock_of_postgresql_is_compared(postgres: str) -> None:
    clock = AsyncioClock()
    state = await examine_store(postgres, lambda: clock.now() + HOUR)
    assert (state.tables, state.failure) == ("none", "")
    assert state.ahead == pytest.approx(HOUR, abs=5.0)
