"""A clock in virtual time: hours of an evening pass in seconds."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from itertools import count
from typing import Any, cast


class VirtualClock:
    """A clock whose time jumps to the end of the next sleep as soon as no task can run.

    It knows only tasks that wait for each other; no task may wait for a socket or a thread.
    """

    def __init__(self, time: float) -> None:
        self._time = time
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._is_watching = False

    def now(self) -> float:
        return self._time

    async def sleep(self, seconds: float) -> None:
        """Returns when the time has passed; every task that can run before then has run."""
        await self._end_of(seconds)

    def call_later(self, seconds: float, call: Callable[[], object]) -> Callable[[], object]:
        """Calls a function after some seconds; returns a function that cancels this."""
        woken = self._end_of(seconds)
        woken.add_done_callback(lambda ended: ended.cancelled() or call())
        return woken.cancel

    def _end_of(self, seconds: float) -> asyncio.Future[None]:
        """A future that is done when the time has passed."""
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._time + max(seconds, 0.0), next(self._numbers), woken))
        self._watch()
        return woken

    def _watch(self) -> None:
        if not self._is_watching and self._sleepers:
            self._is_watching = True
            asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        """Wakes the next sleeper if no task can run; repeats itself as long as a task sleeps."""
        self._is_watching = False
        # asyncio has no public name for the list of callbacks that are ready to run.
        if not cast(Any, asyncio.get_running_loop())._ready:
            at, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                self._time = max(at, self._time)
                woken.set_result(None)
        self._watch()
