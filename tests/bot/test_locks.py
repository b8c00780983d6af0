"""Tasks that use one key, such as the deliveries of one person, take turns; those of other keys go on."""

from __future__ import annotations

import asyncio

from bot.locks import Locks
from tests.support.clock import VirtualClock


async def handled(*deliveries: tuple[str, str, float]) -> list[str]:
    """Handles deliveries (sender, name, duration) at once; returns their names as they end."""
    order, clock, ended = Locks[str](), VirtualClock(), list[str]()

    async def handle(user: str, name: str, seconds: float) -> None:
        async with order.of(user):
            await clock.sleep(seconds)
            ended.append(name)

    await asyncio.gather(*(handle(*delivery) for delivery in deliveries))
    assert len(order) == 0
    return ended


async def test_a_quick_delivery_waits_for_the_slow_one_before_it() -> None:
    assert await handled(("ana", "a", 9), ("ana", "b", 1), ("ana", "c", 5)) == ["a", "b", "c"]


async def test_nobody_waits_for_the_deliveries_of_another_person() -> None:
    assert await handled(("ana", "slow", 9), ("bob", "quick", 1)) == ["quick", "slow"]


async def test_people_whose_deliveries_are_handled_take_no_memory() -> None:
    order = Locks[str]()
    for user in range(1000):
        async with order.of(str(user)):
            assert len(order) == 1
    assert len(order) == 0
