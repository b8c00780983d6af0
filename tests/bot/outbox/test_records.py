"""Panel records in memory: what a load keeps beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.model import PUBLIC, PanelRecord, Place
from bot.outbox.records import PanelRecords
from bot.store.memory import MemoryStore
from tests.support.clock import VirtualClock, settle

SQUARE = Place("wall", "square")


async def test_a_change_while_two_loads_wait_leaves_nothing_behind() -> None:
    store, gate = MemoryStore(), asyncio.Event()
    await store.mark_dirty(PanelRecord("a0", PUBLIC))
    records, read = PanelRecords(store, VirtualClock()), store.panels

    async def slow(game: str) -> Sequence[PanelRecord]:
        found = await read(game)
        await gate.wait()
        # Comes when this load has ended, and before the other one has got the lock.
        asyncio.get_running_loop().call_soon(records.count_change, game)
        return found

    store.panels = slow  # type: ignore[method-assign]
    loads = [asyncio.create_task(records.load("a0", SQUARE)) for _ in range(2)]
    await settle()
    gate.set()
    assert await asyncio.gather(*loads) == [[PUBLIC], ()]
    assert records._outdated == set()
