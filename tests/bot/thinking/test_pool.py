"""Worker processes: that they answer, that they are never waited for long, and that they end."""

from __future__ import annotations

import asyncio
import gc
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from adapters.shared.clock import AsyncioClock
from bot.measures import Measures
from bot.table_service.computers import Manner, play_computers
from bot.tables.log.commitment import ChosenSeed
from bot.tables.names.computer_names import computers
from bot.tables.table import Table
from bot.thinking.pool import ROOM, WorkerPool
from bot.thinking.process import WorkerProcess, worker_process
from bot.thinking.query import Query, think
from bot.thinking.worker import Request
from engines.game import Move
from tests import luck
from tests.bot.thinking.test_worker import query_of
from tests.support.clock import settle
from tests.support.services import service_with
from tests.words import ROOT

pytestmark = pytest.mark.real


class ScaledClock(AsyncioClock):
    """A clock whose sleeps are longer or shorter, so that no deadline depends on how busy the machine is."""

    def __init__(self, factor: float) -> None:
        self._factor = factor

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self._factor)


PATIENT, IMPATIENT = 60.0, 0.2
"""Factors of `ScaledClock`."""


@asynccontextmanager
async def pool(factor: float = PATIENT, most: int = 1) -> AsyncIterator[tuple[WorkerPool, Measures]]:
    measures = Measures()
    thinkers = WorkerPool(ScaledClock(factor), most, measures)
    # A worker that gets no time from a busy machine must not be killed as hung.
    thinkers._thinkers._hung *= PATIENT
    try:
        yield thinkers, measures
    finally:
        await thinkers.close()


def workers(parent: int | None = None) -> list[int]:
    """The running workers that a process, by default this one, has started."""
    parent = parent or os.getpid()
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z" and b"bot.thinking.worker" in cmdline(status.parent):
            found.append(int(status.parent.name))
    return found


def cmdline(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def hard(key: str, words: str = "S") -> Query:
    return query_of(key, words)._replace(level="hard")


@asynccontextmanager
async def stopped_worker(thinkers: WorkerPool) -> AsyncIterator[int]:
    """Stops the only worker while the block runs."""
    await thinkers.choose(hard("cardlebones"))
    (worker,) = workers()
    os.kill(worker, signal.SIGSTOP)
    try:
        yield worker
    finally:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGCONT)


async def test_a_worker_chooses_what_this_process_would_have_chosen() -> None:
    async with pool() as (thinkers, measures):
        assert workers() == []
        for key in ("cardlebones", "svoi"):
            assert await thinkers.choose(hard(key)) == think(hard(key))
            assert await thinkers.estimate(hard(key)) is not None
        assert len(workers()) == 2
        assert measures.unanswered == {}
        assert sum(measures.thoughts.counts) == 2
    assert workers() == []


async def test_no_more_workers_are_started_than_there_may_be() -> None:
    async with pool(most=2) as (thinkers, measures):
        asked = [hard("cardlebones", str(n)) for n in range(5)]
        assert await asyncio.gather(*map(thinkers.choose, asked)) == list(map(think, asked))
        assert len(workers()) == 2
        assert measures.unanswered == {}


async def test_a_level_may_think_in_this_process() -> None:
    thinkers = WorkerPool(ScaledClock(PATIENT), 1, inline=("easy", "normal"))
    asked = query_of("cardlebones")
    assert await thinkers.choose(asked) == think(asked)
    assert workers() == []


async def test_who_thinks_too_long_plays_as_normal_and_that_is_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with pool() as (thinkers, measures):
        async with stopped_worker(thinkers) as worker:
            thinkers._thinkers._clock = ScaledClock(IMPATIENT)
            normal = think(query_of("svoi"))
            assert await thinkers.choose(hard("svoi")) == normal
            assert measures.unanswered == {("late",): 1}
        assert "no answer from a worker: late" in caplog.text
        thinkers._thinkers._clock = ScaledClock(PATIENT)
        assert await thinkers.choose(hard("casino")) == think(hard("casino"))
        assert workers() == [worker]


async def test_an_estimate_holds_up_no_thought() -> None:
    async with pool() as (thinkers, measures):
        await thinkers.estimate(hard("cardlebones"))
        (estimator,) = workers()
        os.kill(estimator, signal.SIGSTOP)
        estimating = asyncio.create_task(thinkers.estimate(hard("svoi")))
        await settle()
        assert await thinkers.choose(hard("svoi")) == think(hard("svoi"))
        assert not estimating.done()
        os.kill(estimator, signal.SIGKILL)
        assert await estimating is None
        assert measures.unanswered == {}


async def test_a_worker_that_dies_is_replaced_and_its_move_is_a_normal_one() -> None:
    async with pool() as (thinkers, measures):
        async with stopped_worker(thinkers) as worker:
            choosing = asyncio.create_task(thinkers.choose(hard("svoi")))
            await settle()
            os.kill(worker, signal.SIGKILL)
            assert await choosing == think(query_of("svoi"))
            assert measures.unanswered == {("failed",): 1}
        assert await thinkers.choose(hard("casino")) == think(hard("casino"))
        assert len(workers()) == 1
        assert measures.unanswered == {("failed",): 1}


async def test_a_question_that_no_worker_understands_has_no_answer_and_tells_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with pool() as (thinkers, _):
        await thinkers.estimate(hard("svoi"))
        secret = type("SevenOfSpades", (), {})()
        assert await thinkers.estimate(hard("svoi")._replace(view=secret)) is None
        assert await thinkers.estimate(hard("svoi")) is not None
    gc.collect()
    assert "was not understood: " in caplog.text
    assert "SevenOfSpades" not in caplog.text


async def test_behind_too_many_others_a_question_does_not_wait() -> None:
    async with pool() as (thinkers, measures):
        async with stopped_worker(thinkers):
            waiting = list[asyncio.Task[Move]]()
            for n in range(1 + ROOM[1]):
                # The first is begun before the next is asked.
                waiting.append(asyncio.create_task(thinkers.choose(hard("svoi", str(n)))))
                await settle()
            assert await thinkers.choose(hard("casino")) == think(query_of("casino"))
            assert measures.unanswered == {("busy",): 1}
            # What was given up makes room again.
            waiting.pop().cancel()
            await asyncio.sleep(0)
            waiting.append(asyncio.create_task(thinkers.choose(hard("casino"))))
            await settle()
            assert measures.unanswered == {("busy",): 1}
        await asyncio.gather(*waiting)
        assert measures.unanswered == {("busy",): 1}


async def test_a_thought_that_was_given_up_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    ask, begun_with = WorkerProcess.ask, list[str]()

    async def noted(worker: WorkerProcess, request: Request, hung: float) -> object:
        begun_with.append(request[1].key)
        return await ask(worker, request, hung)

    monkeypatch.setattr(WorkerProcess, "ask", noted)
    async with pool() as (thinkers, measures):
        async with stopped_worker(thinkers):
            begun = asyncio.create_task(thinkers.choose(hard("svoi")))
            await settle()
            given_up = asyncio.create_task(thinkers.choose(hard("casino")))
            await settle()
            assert len(thinkers._thinkers._waiting) == 1
            given_up.cancel()
        await begun
        before = len(thinkers._thinkers._waiting)
        assert await thinkers.choose(hard("cardlebones")) == think(hard("cardlebones"))
        assert (before, len(thinkers._thinkers._waiting)) == (0, 0)
        assert measures.unanswered == {}
    # The first is that of `stopped_worker`.
    assert begun_with == ["cardlebones", "svoi", "cardlebones"]


async def test_a_query_that_no_worker_can_take_is_not_kept_for_a_later_one() -> None:
    async with pool() as (thinkers, measures):
        thinkers._thinkers._may_start_at = float("inf")
        assert await thinkers.choose(hard("svoi")) == think(query_of("svoi"))
        assert not thinkers._thinkers._waiting
        assert measures.unanswered == {("failed",): 1}


async def test_ctrl_c_is_for_the_process_that_a_worker_works_for() -> None:
    async with pool() as (thinkers, measures):
        await thinkers.choose(hard("svoi"))
        for worker in workers():
            os.kill(worker, signal.SIGINT)
        await thinkers.choose(hard("svoi"))
        assert measures.unanswered == {}


async def test_a_worker_is_waited_for_though_its_task_is_cancelled_again() -> None:
    started = asyncio.get_running_loop().create_future()

    async def work() -> None:
        async with worker_process() as worker:
            started.set_result(worker.pid)
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    pid = await started
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0)
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


PARENT = """
import asyncio
from adapters.shared.clock import AsyncioClock
from bot.thinking.pool import WorkerPool
from tests.bot.thinking.test_worker import query_of

async def main():
    thinkers = WorkerPool(AsyncioClock(), 1)
    thinkers.warm()
    while not thinkers._thinkers._idle:
        await asyncio.sleep(0.01)
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def test_workers_end_when_the_process_that_they_work_for_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE)
    with parent:
        assert parent.stdout
        assert parent.stdout.readline() == b"ready\n"
        (worker,) = workers(parent.pid)
        end = os.pidfd_open(worker)
        assert select.select([end], [], [], 0)[0] == []
        parent.kill()
    assert select.select([end], [], [], 60)[0] == [end]
    os.close(end)


async def test_computers_play_the_same_with_workers_as_without() -> None:
    opened = Table.open("cardlebones", seed_source=ChosenSeed("S"))
    for player in computers(2, "hard"):
        opened = opened.sit(player)
    opened = opened.start()
    alone = await play_computers(await service_with(opened), opened.id, Manner(luck.rng(), 0.0))
    async with pool() as (thinkers, measures):
        together = await play_computers(
            await service_with(opened), opened.id, Manner(luck.rng(), 0.0, thinkers)
        )
        assert measures.unanswered == {}
    assert [entry.body for entry in together.entries] == [entry.body for entry in alone.entries]
