"""A press or a command is acknowledged when its reply is late."""

from __future__ import annotations

import asyncio

import pytest

from adapters.shared import patience
from adapters.shared.clock import AsyncioClock
from adapters.shared.patience import PATIENCE, acknowledging
from tests.support.clock import VirtualClock


class Acknowledgement:
    """Notes when its calls begin, and counts those that succeed; each takes so many seconds, and may fail."""

    def __init__(self, clock: VirtualClock, seconds: float = 0.0, error: Exception | None = None) -> None:
        self._clock = clock
        self._seconds = seconds
        self._error = error
        self.begun: list[float] = []
        self.ended = 0

    async def __call__(self) -> None:
        self.begun.append(self._clock.now())
        await self._clock.sleep(self._seconds)
        if self._error:
            raise self._error
        self.ended += 1


async def waited(seconds: float, takes: float = 0.0, error: Exception | None = None) -> tuple[bool, int, int]:
    """Whether a reply after so many seconds is late, and how often an acknowledgement began and ended."""
    clock = VirtualClock()
    acknowledgement = Acknowledgement(clock, takes, error)
    async with acknowledging(clock, acknowledgement) as late:
        await clock.sleep(seconds)
    return late.is_set(), len(acknowledgement.begun), acknowledgement.ended


async def test_a_reply_in_time_needs_no_acknowledgement() -> None:
    clock = VirtualClock()
    acknowledgement = Acknowledgement(clock)
    async with acknowledging(clock, acknowledgement) as late:
        await clock.sleep(PATIENCE - 0.1)
    await clock.sleep(10 * PATIENCE)
    assert (late.is_set(), acknowledgement.begun) == (False, [])


async def test_a_late_reply_is_acknowledged_before() -> None:
    clock = VirtualClock()
    began, acknowledgement = clock.now(), Acknowledgement(clock)
    async with acknowledging(clock, acknowledgement):
        await clock.sleep(60)
    assert acknowledgement.begun == [began + PATIENCE]


async def test_an_acknowledgement_that_has_begun_is_finished_before_the_reply() -> None:
    assert await waited(PATIENCE + 0.1, takes=5.0) == (True, 1, 1)


async def test_a_failed_acknowledgement_is_logged_and_the_reply_given(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert await waited(60, error=ValueError("hidden: 7S")) == (True, 1, 0)
    assert "could not acknowledge a press or a command: ValueError" in caplog.text
    assert "hidden" not in caplog.text


async def test_after_the_failure_of_a_reply_nothing_is_acknowledged() -> None:
    clock = VirtualClock()
    acknowledgement = Acknowledgement(clock)
    with pytest.raises(ValueError, match="no reply"):
        async with acknowledging(clock, acknowledgement):
            raise ValueError("no reply")
    await clock.sleep(10 * PATIENCE)
    assert acknowledgement.begun == []
    assert len(asyncio.all_tasks()) == 1


@pytest.mark.real
async def test_the_time_of_the_system_too_makes_a_reply_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.0)
    acknowledged: list[bool] = []

    async def acknowledge() -> None:
        acknowledged.append(True)

    async def pass_on() -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    async with acknowledging(AsyncioClock(), acknowledge) as late:
        pass
    await pass_on()
    assert (late.is_set(), acknowledged) == (False, [])
    async with acknowledging(AsyncioClock(), acknowledge) as late:
        await pass_on()
        assert (late.is_set(), acknowledged) == (True, [True])
