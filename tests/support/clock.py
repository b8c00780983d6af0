"""The clock of all tests: time passes without waiting, always in the same order."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, cast
from weakref import WeakKeyDictionary

_looking: WeakKeyDictionary[asyncio.AbstractEventLoop, set[object]] = WeakKeyDictionary()
"""Those who only look whether a loop is busy: each has one callback among those it is about to run."""


class VirtualClock:
    """Time that passes once no task can run, straight to the next sleeper.

    A stopped clock passes only in `advance`, an eager one at once in every sleep, for tests of a program that
    is always busy. A task that waits for a thread or a socket counts as one that cannot run.
    """

    def __init__(
        self,
        time: float = 1_000_000.0,
        *,
        stopped: bool = False,
        eager: bool = False,
        on_sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        self.time = time
        self.slept: list[float] = []
        """The seconds of every call of `sleep`, in order."""
        self.on_sleep = on_sleep
        """Called at the start of every sleep with its seconds."""
        self._stopped = stopped
        self._eager = eager
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        """Returns when the time has passed and every task that could run before has run."""
        self.slept.append(seconds)
        if self.on_sleep:
            await self.on_sleep(seconds)
        if self._eager:
            self.time += seconds
            await asyncio.sleep(0)
            return
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now() + max(seconds, 0.0), next(self._numbers), woken))
        if not self._stopped:
            self._watch()
        await self.until(woken)

    async def until(self, woken: asyncio.Future[None]) -> None:
        """Waits for the end of a sleep; a simulation is told of it here."""
        await woken

    async def advance(self, seconds: float) -> None:
        """Lets time pass, sleeper by sleeper, each with everything that follows."""
        end = self.now() + seconds
        while (at := self._next()) is not None and at <= end:
            await self.move_to(max(at, self.now()))
            self._wake()
            await self.settle()
        await self.move_to(end)
        await self.settle()

    async def move_to(self, time: float) -> None:
        """Sets the time; a simulation moves its own here."""
        self.time = time

    async def settle(self) -> None:
        """Waits until no task can run at this time."""
        await settle()

    def _next(self) -> float | None:
        """The time of the next sleeper who was not cancelled."""
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def _wake(self) -> None:
        heapq.heappop(self._sleepers)[2].set_result(None)

    def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        looking = _looking.setdefault(loop, set())
        if self not in looking:
            looking.add(self)
            loop.call_soon(self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wakes the next sleeper where no task can run, and looks again as long as one sleeps."""
        _looking[loop].discard(self)
        at = self._next()
        if at is not None and not is_busy(loop):
            self.time = max(at, self.time)
            self._wake()
        if self._sleepers:
            self._watch()


def is_busy(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether any task can run at this time."""
    # What the loop is about to run has no public name.
    return len(cast(Any, loop)._ready) > len(_looking.get(loop, ()))


async def settle() -> None:
    """Waits until no other task can run at this time."""
    loop, own = asyncio.get_running_loop(), object()
    looking = _looking.setdefault(loop, set())
    while True:
        looking.add(own)
        try:
            await asyncio.sleep(0)
        finally:
            looking.discard(own)
        if not is_busy(loop):
            return
