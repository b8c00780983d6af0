"""Virtual time: it stands still while anybody is busy, and then moves to whoever wakes first."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.clocks import VirtualClock


async def test_time_moves_by_what_is_slept() -> None:
    clock = VirtualClock(100.0)
    await clock.sleep(2.5)
    assert clock.now() == 102.5


async def test_sleepers_wake_in_the_order_of_their_times() -> None:
    clock, woken = VirtualClock(0.0), []

    async def sleeper(seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append((seconds, clock.now()))

    await asyncio.gather(*map(sleeper, (3.0, 1.0, 2.0)))
    assert woken == [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]


async def test_sleepers_of_one_time_wake_in_the_order_they_lay_down_each_when_the_one_before_is_done() -> (
    None
):
    clock, told = VirtualClock(0.0), []

    async def sleeper(name: str) -> None:
        await clock.sleep(1)
        told.append(f"{name} wakes")
        await asyncio.sleep(0)
        told.append(f"{name} is done")

    await asyncio.gather(*map(sleeper, "ab"))
    assert told == ["a wakes", "a is done", "b wakes", "b is done"]


async def test_time_stands_still_while_a_task_is_busy() -> None:
    clock, seen = VirtualClock(0.0), []

    async def busy() -> None:
        for _ in range(50):
            await asyncio.sleep(0)
        seen.append(clock.now())

    await asyncio.gather(clock.sleep(5), busy())
    assert (seen, clock.now()) == ([0.0], 5.0)


async def test_a_sleeper_who_is_called_off_holds_nobody_up_and_takes_no_time() -> None:
    clock = VirtualClock(0.0)
    task = asyncio.create_task(clock.sleep(10))
    await clock.settle()
    task.cancel()
    await clock.sleep(20)
    assert clock.now() == 20.0


async def test_settling_takes_no_time_and_lets_everybody_finish() -> None:
    clock, done = VirtualClock(7.0), []

    async def busy() -> None:
        for _ in range(9):
            await asyncio.sleep(0)
        done.append(clock.now())

    task = asyncio.create_task(busy())
    await clock.settle()
    assert (done, clock.now()) == ([7.0], 7.0)
    await task


@pytest.mark.parametrize("seconds", [0.0, -1.0])
async def test_no_time_at_all_may_be_slept(seconds: float) -> None:
    clock = VirtualClock(7.0)
    await clock.sleep(seconds)
    assert clock.now() == 7.0


async def test_the_same_evening_passes_in_the_same_order() -> None:
    async def evening() -> list[tuple[float, int]]:
        clock, told = VirtualClock(0.0), []

        async def guest(n: int) -> None:
            for step in range(1, 6):
                await clock.sleep((n * 7 + step * 5) % 11)
                told.append((clock.now(), n))

        await asyncio.gather(*map(guest, range(8)))
        return told

    assert await evening() == await evening()
