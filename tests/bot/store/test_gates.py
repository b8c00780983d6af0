"""The contract of gates, which processes pass one at a time, with a pause; and the earliest due table."""

from __future__ import annotations

import asyncio

from bot.model.places import Place
from bot.storage import Store
from bot.store.common import CLOCKS_DIFFER
from tests.bot.store.test_leases import opened

NOW = 1000.0


async def test_a_gate_is_passed_once_in_so_many_seconds(store: Store) -> None:
    assert await store.pass_gate("door", NOW, 5.0) == 0.0
    assert await store.pass_gate("door", NOW + 1, 5.0) == 4.0
    assert await store.pass_gate("door", NOW + 5, 5.0) == 0.0
    assert await store.pass_gate("door", NOW + 9, 5.0) == 1.0


async def test_one_of_many_passes_a_gate(store: Store) -> None:
    waits = await asyncio.gather(*(store.pass_gate("door", NOW, 5.0) for _ in range(20)))
    assert sorted(waits) == [0.0, *[5.0] * 19]


async def test_gates_do_not_know_each_other(store: Store) -> None:
    assert await store.pass_gate("door", NOW, 5.0) == 0.0
    assert await store.pass_gate("window", NOW, 5.0) == 0.0


async def test_a_gate_that_a_clock_far_ahead_has_closed_is_opened(store: Store) -> None:
    ahead = CLOCKS_DIFFER + 1
    assert await store.pass_gate("door", NOW + ahead, 5.0) == 0.0
    assert await store.pass_gate("door", NOW, 5.0) == 0.0


async def test_the_earliest_due_table_is_known(store: Store) -> None:
    assert await store.earliest_due() is None
    for game, due in (("a", NOW), ("b", NOW - 5), ("c", None)):
        await opened(store, game, Place("telegram", game), due=due)
    assert await store.earliest_due() == NOW - 5
