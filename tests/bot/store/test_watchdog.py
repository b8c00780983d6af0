"""Tests of the watch that gives up what takes too long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.store.common import GRACE, STALLED, Watchdog
from tests.support.loop_time import idle_time_skipped


class Rung:
    """A watch, and the times after its making at which it called its function."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.start = self._loop.time()
        self.times: list[float] = []
        self.watch = Watchdog(lambda: self.times.append(round(self._loop.time() - self.start, 6)))

    async def pass_time(self, seconds: float) -> None:
        """Lets time pass in the event loop, which takes none."""
        passed = self._loop.create_future()
        self._loop.call_later(seconds, passed.set_result, None)
        await passed

    def begin(self, seconds: float) -> None:
        self.watch.begin(self._loop.time() + seconds)


@pytest.fixture
async def rung() -> AsyncIterator[Rung]:
    with idle_time_skipped():
        yield Rung()


async def test_what_is_not_over_in_time_is_late_once(rung: Rung) -> None:
    rung.begin(2.0)
    await rung.pass_time(9.0)
    assert rung.times == [2.0]


async def test_what_is_over_is_never_late(rung: Rung) -> None:
    rung.begin(2.0)
    await rung.pass_time(1.0)
    rung.watch.end()
    await rung.pass_time(9.0)
    assert rung.times == []


async def test_the_timer_of_the_thing_before_is_not_taken_for_that_of_the_next(rung: Rung) -> None:
    rung.begin(2.0)
    rung.watch.end()
    await rung.pass_time(1.5)
    rung.begin(2.0)
    await rung.pass_time(9.0)
    assert rung.times == [3.5]


async def test_something_with_less_time_than_the_one_before_is_late_at_its_own_time(rung: Rung) -> None:
    rung.begin(5.0)
    rung.watch.end()
    rung.begin(1.0)
    await rung.pass_time(9.0)
    assert rung.times == [1.0]


async def test_a_watch_that_is_closed_leaves_no_timer(rung: Rung) -> None:
    rung.begin(2.0)
    rung.watch.close()
    assert not [timer for timer in rung._loop._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("first", [2.0, 1.0])
async def test_after_a_standstill_the_answer_is_waited_for_a_little_longer(
    rung: Rung, monkeypatch: pytest.MonkeyPatch, first: float
) -> None:
    """It is so too if the timer was set for the thing before, which had to be over earlier."""
    rung.begin(first)
    rung.watch.end()
    rung.begin(2.0)
    clock = rung._loop.time
    ahead = 2.0 + STALLED / 2 if first < 2.0 else 2.0 + STALLED * 2
    monkeypatch.setattr(rung._loop, "time", lambda: clock() + ahead)
    await rung.pass_time(9.0)
    assert rung.times == [round(ahead + GRACE, 6)]
