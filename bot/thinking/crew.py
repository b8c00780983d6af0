"""A crew of worker processes, and the queries that wait for it."""

from __future__ import annotations

import asyncio
import heapq
import logging
from asyncio import Future
from dataclasses import dataclass
from itertools import count

from bot.errors import origin
from bot.ports import Clock
from bot.seldom_log import SeldomLog
from bot.thinking.process import WorkerDied, worker_process
from bot.thinking.worker import Request

REST = 5.0
"""Seconds for which no worker is started after one that ended before it had answered anything."""
_LATE_STEPS = 5
"""Steps of the event loop to wait after a deadline, so that a loop that was held up reads a timely answer."""

log = logging.getLogger(__name__)


class Unanswered(Exception):
    """A query got no answer; the message is the reason: ``busy``, ``late`` or ``failed``."""


@dataclass(eq=False, slots=True)
class _Job:
    """A query for a worker. If ``answer`` is done before a worker begins, the query was given up."""

    rank: int
    number: int
    request: Request
    answer: Future[object]

    def __lt__(self, other: _Job) -> bool:
        return (self.rank, self.number) < (other.rank, other.number)

    def settle(self, answer: object) -> None:
        """Sets the answer, unless it is set or the query was given up; None means that there is no answer."""
        if not self.answer.done():
            self.answer.set_result(answer)


class Crew:
    """Worker processes that are started when they are first needed, and replaced when they die."""

    def __init__(self, clock: Clock, most: int, hung: float) -> None:
        """At most ``most`` workers run at once; one that works on a query for ``hung`` seconds is killed."""
        self._clock = clock
        self._most = most
        self._hung = hung
        self._log = SeldomLog(clock, log, logging.WARNING)
        self._numbers = count()
        self._waiting: list[_Job] = []
        """A heap of the queries that no worker has begun; some may have been given up."""
        self._serving: set[asyncio.Task[None]] = set()
        """A task for each worker."""
        self._idle = 0
        """The number of workers that wait for a query."""
        self._has_query = asyncio.Event()
        self._may_start_at = float("-inf")
        """The time from which workers may be started."""

    def warm(self) -> None:
        """Starts a worker ahead of the first query."""
        if not self._serving:
            self._start()

    async def close(self) -> None:
        """Ends all workers; their queries get no answer."""
        self._may_start_at = float("inf")
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def ask(self, request: Request, seconds: float, rank: int, room: int) -> object:
        """A worker's answer to a query, awaited for at most ``seconds``. Raises `Unanswered`.

        Queries of a lower rank are answered first. A query is refused if ``room`` queries for each of the
        ``most`` workers, of its rank or lower ones, wait already.
        """
        self._waiting = [job for job in self._waiting if not job.answer.done()]
        heapq.heapify(self._waiting)
        if sum(job.rank <= rank for job in self._waiting) >= self._most * room:
            raise Unanswered("busy")
        if self._idle <= len(self._waiting):
            self._start()
        if not self._serving:
            raise Unanswered("failed")
        job = _Job(rank, next(self._numbers), request, asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, job)
        self._has_query.set()
        deadline = asyncio.create_task(self._clock.sleep(seconds))
        try:
            await asyncio.wait((job.answer, deadline), return_when=asyncio.FIRST_COMPLETED)
            for _ in range(_LATE_STEPS if not job.answer.done() else 0):
                await asyncio.sleep(0)
            if not job.answer.done():
                raise Unanswered("late")
        finally:
            deadline.cancel()
            job.answer.cancel()
        if (answer := job.answer.result()) is None:
            raise Unanswered("failed")
        return answer

    def _start(self) -> None:
        """Starts one more worker if there may be one."""
        if len(self._serving) < self._most and self._clock.now() >= self._may_start_at:
            task = asyncio.create_task(self._serve())
            self._serving.add(task)
            task.add_done_callback(self._on_end)

    def _on_end(self, task: asyncio.Task[None]) -> None:
        """Starts another worker in place of one that has ended, for the queries that wait.

        If there is no worker then, these get no answer.
        """
        self._serving.discard(task)
        if any(not job.answer.done() for job in self._waiting):
            self._start()
        if not self._serving:
            for job in self._waiting:
                job.settle(None)

    async def _serve(self) -> None:
        """Starts a worker, and asks it one query after the other until it dies or `pickle` fails."""
        answered = False
        try:
            async with worker_process() as worker:
                while True:
                    job = await self._next_job()
                    try:
                        answer = await worker.ask(job.request, self._hung)
                        if isinstance(answer, str):
                            self._log.log(f"a computer player failed in a worker: {answer}")
                        else:
                            job.settle(answer)
                        answered = True
                    finally:
                        job.settle(None)
        except WorkerDied:
            self._log.log("a worker of the computer players has died")
        except Exception as error:
            # What cannot be pickled is a fault of the program; the error's message may name cards.
            self._log.log(f"a query or an answer was not understood: {origin(error)}")
        if not answered:
            self._may_start_at = max(self._may_start_at, self._clock.now() + REST)

    async def _next_job(self) -> _Job:
        """The next query that was not given up; waits until there is one."""
        while True:
            while self._waiting:
                if not (job := heapq.heappop(self._waiting)).answer.done():
                    return job
            self._has_query.clear()
            self._idle += 1
            try:
                await self._has_query.wait()
            finally:
                self._idle -= 1
