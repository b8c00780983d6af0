"""The watchdog calls its function, once, for an operation that is not over in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.store.watchdog import GRACE, STALLED, Watchdog
from tests.support.loop_time import idle_time_skipped


class TimedWatch:
    """A watchdog, and the seconds from its making to each call of its function."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.start = self._loop.time()
        self.times: list[float] = []
        self.watch = Watchdog(lambda: self.times.append(round(self._loop.time() - self.start, 6)))

    async def pass_time(self, seconds: float) -> None:
        """Lets time pass in the event loop, but no real time."""
        passed = self._loop.create_future()
        self._loop.call_later(seconds, passed.set_result, None)
        await passed

    def begin(self, seconds: float) -> None:
        self.watch.begin(self._loop.time() + seconds)


@pytest.fixture
async def timed() -> AsyncIterator[TimedWatch]:
    with idle_time_skipped():
        yield TimedWatch()


async def test_what_is_not_over_in_time_is_late_once(timed: TimedWatch) -> None:
    timed.begin(2.0)
    await timed.pass_time(9.0)
    assert timed.times == [2.0]


async def test_what_is_over_is_never_late(timed: TimedWatch) -> None:
    timed.begin(2.0)
    await timed.pass_time(1.0)
    timed.watch.end()
    await timed.pass_time(9.0)
    assert timed.times == []


async def test_the_timer_of_the_thing_before_is_not_taken_for_that_of_the_next(timed: TimedWatch) -> None:
    timed.begin(2.0)
    timed.watch.end()
    await timed.pass_time(1.5)
    timed.begin(2.0)
    await timed.pass_time(9.0)
    assert timed.times == [3.5]


async def test_what_has_less_time_than_the_one_before_is_late_at_its_own_time(
    timed: TimedWatch,
) -> None:
    timed.begin(5.0)
    timed.watch.end()
    timed.begin(1.0)
    await timed.pass_time(9.0)
    assert timed.times == [1.0]


async def test_a_watch_that_is_closed_leaves_no_timer(timed: TimedWatch) -> None:
    timed.begin(2.0)
    timed.watch.close()
    assert not [timer for timer in timed._loop._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("first", [2.0, 1.0])
async def test_after_a_standstill_the_answer_is_waited_for_a_little_longer(
    timed: TimedWatch, monkeypatch: pytest.MonkeyPatch, first: float
) -> None:
    """It is so too if the timer was set for the thing before, which had to be over earlier."""
    timed.begin(first)
    timed.watch.end()
    timed.begin(2.0)
    clock = timed._loop.time
    ahead = 2.0 + STALLED / 2 if first < 2.0 else 2.0 + STALLED * 2
    monkeypatch.setattr(timed._loop, "time", lambda: clock() + ahead)
    await timed.pass_time(9.0)
    assert timed.times == [round(ahead + GRACE, 6)]
