"""A loop that waits ends after its time, and tells what it waited for."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from tests.bot.crash.processes import World
from tests.support.clock import settle
from tests.support.waiting import PATIENCE, Waiting


async def test_a_wait_fails_after_its_time_and_names_what_was_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    with monkeypatch.context() as patched:
        patched.setattr(asyncio.get_running_loop(), "time", lambda: now)
        waiting = Waiting("the dealer")
        now += PATIENCE - 1
        waiting.check()
        now += 1
        with pytest.raises(AssertionError, match="waited 60 s in vain for the dealer"):
            waiting.check()


async def test_a_wait_for_an_event_fails_after_its_time_and_ends_when_it_comes() -> None:
    event = asyncio.Event()
    with pytest.raises(AssertionError, match="waited 0 s in vain for the dealer"):
        await Waiting("the dealer", 0).next(event)
    asyncio.get_running_loop().call_soon(event.set)
    await Waiting("the dealer").next(event)


async def test_a_wait_for_a_report_of_a_process_fails_after_its_time(tmp_path: Path) -> None:
    world = World("", tmp_path)
    with pytest.raises(AssertionError, match="waited 0 s in vain for a message in hall"):
        await world.until("a message in hall", lambda: False, 0)


def test_a_test_fails_by_its_own_wait_before_pytest_ends_it(pytestconfig: pytest.Config) -> None:
    assert float(pytestconfig.getini("timeout")) > PATIENCE


async def test_to_settle_fails_while_a_task_goes_on_for_ever() -> None:
    async def goes_on() -> None:
        for _ in itertools.count():
            await asyncio.sleep(0)

    task = asyncio.create_task(goes_on())
    with pytest.raises(AssertionError, match="some task can still run"):
        await settle()
    task.cancel()
