"""Stand-ins for what the core needs of the world."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Sized
from itertools import count
from typing import Any, cast


class FakeClock:
    """Time that passes at once, or not at all, and a record of how much was waited for."""

    def __init__(self, *, stopped: bool = False) -> None:
        self.slept: list[float] = []
        self._stopped = stopped

    def now(self) -> float:
        return sum(self.slept)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if self._stopped:
            await asyncio.Event().wait()
        await asyncio.sleep(0)


class VirtualClock:
    """Time that moves only when no task has anything to do, and then to whoever wakes first.

    Whole evenings pass at once, always in the same order. One clock at a time, and not for tests with
    threads or sockets: a task that waits for these looks like one that has nothing to do.
    """

    def __init__(self, now: float = 1_000_000_000.0) -> None:
        self._now = now
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._watching = False

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Returns when so much time has passed, and all that was to be done before is done."""
        loop = asyncio.get_running_loop()
        woken = loop.create_future()
        heapq.heappush(self._sleepers, (self._now + max(seconds, 0.0), next(self._numbers), woken))
        if not self._watching:
            self._watching = True
            loop.call_soon(self._watch, loop)
        await woken

    async def settle(self) -> None:
        """Waits until nobody has anything to do at this moment."""
        await self.sleep(0)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        # What the loop is about to run has no public name.
        busy: Sized = cast(Any, loop)._ready
        if not busy:
            self._wake()
        self._watching = bool(self._sleepers)
        if self._watching:
            loop.call_soon(self._watch, loop)

    def _wake(self) -> None:
        while self._sleepers:
            at, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                self._now = at
                woken.set_result(None)
                return
