"""A loop that waits ends after its time, and tells what it waited for."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from tests.bot.crash import processes
from tests.bot.crash.child import Role
from tests.bot.crash.processes import BotProcess, World
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


async def test_a_wait_for_a_future_fails_after_its_time_and_leaves_it() -> None:
    future = asyncio.get_running_loop().create_future()
    with pytest.raises(AssertionError, match="waited 0 s in vain for the dealer"):
        await Waiting("the dealer", 0).first(future)
    assert not future.done()
    future.set_result(None)
    await Waiting("the dealer", 0).first(future)


class _Stuck:
    """A process that does nothing, not even end when it is killed; also its input, which counts as closed."""

    returncode = None

    def __init__(self) -> None:
        self.released = asyncio.Event()
        self.output = asyncio.StreamReader()
        self.close = self.kill = lambda: None

    async def wait(self) -> None:
        await self.released.wait()

    def is_closing(self) -> bool:
        return True


async def test_each_wait_for_a_process_fails_after_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = _Stuck()

    async def piped(*_: object) -> tuple[_Stuck, _Stuck, asyncio.StreamReader]:
        return stuck, stuck, stuck.output

    monkeypatch.setattr(processes, "piped", piped)
    monkeypatch.setattr(processes, "PATIENCE", 0.0)
    world = World("", tmp_path)
    bot = BotProcess(world, Role("", "", process="p1", seed=""))
    waits = {
        "start": bot.start,
        "answer .*look": lambda: bot.look("table"),
        "tell its tables": bot.dump,
        "close its output": bot.stop,
        "end": bot.kill,
    }
    for wanted, wait in waits.items():
        with pytest.raises(AssertionError, match=f"^waited 0 s in vain for process p1 to {wanted}"):
            await wait()
    monkeypatch.undo()
    stuck.released.set()
    stuck.output.feed_eof()
    await bot.kill()


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
