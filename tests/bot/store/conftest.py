"""Stores of every make, each new and empty."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.ports import Store
from bot.store.memory import MemoryStore


@pytest.fixture(params=["memory"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    opened: Store = MemoryStore()
    yield opened
    await opened.close()
