"""The store in memory: appending costs the same however long the log is and however many tables there are."""

from __future__ import annotations

import tracemalloc

import pytest

from bot.model.batches import Taken
from bot.model.ids import PUBLIC
from bot.model.panels import PanelRecord
from bot.store.memory.panels import MemoryPanels
from bot.store.memory.store import MemoryStore
from tests.bot.store.tables import Tale, told

LONG = 20_000
"""Entries of a log whose copy could not go unnoticed."""


async def test_an_entry_is_appended_without_a_copy_of_the_log() -> None:
    store, tale = MemoryStore(), Tale()
    await told(store, tale, tale.opened())
    await told(store, tale, tale.next(*["move"] * LONG))
    peaks = []
    for _ in range(3):
        batch = tale.next("move")
        tracemalloc.start()
        verdict = await store.append(batch)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert verdict == Taken()
        tale.follow([batch])
    # A copy takes eight bytes an entry; what else the process allocates meanwhile only ever adds.
    assert min(peaks) < 8 * LONG / 2


async def test_an_entry_changes_the_panels_of_its_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    put: list[PanelRecord] = []

    class Counting(MemoryPanels):
        def put(self, panel: PanelRecord) -> PanelRecord:
            put.append(panel)
            return super().put(panel)

    monkeypatch.setattr("bot.store.memory.store.MemoryPanels", Counting)
    store, tale = MemoryStore(), Tale()
    await told(store, tale, tale.opened())
    for i in range(9):
        await store.mark_dirty(PanelRecord(f"b{i}", PUBLIC))
    put.clear()
    await told(store, tale, tale.next("move"))
    assert put == [PanelRecord("a0", PUBLIC, wanted=2)]
