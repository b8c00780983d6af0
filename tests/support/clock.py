"""The virtual clock of the tests: sleeping takes no real time, and tasks wake in a fixed order."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, cast
from weakref import WeakKeyDictionary

_looking: WeakKeyDictionary[asyncio.AbstractEventLoop, set[object]] = WeakKeyDictionary()
"""The clocks and calls of `settle` that look at each loop; each has one callback pending, which `is_busy`
leaves out of account.
"""

_MOST_PASSES = 30_000
"""The passes of the event loop, more than any test needs, after which `settle` fails."""


class VirtualClock:
    """A clock whose time jumps to the next sleeper's end as soon as no task can run.

    The time of a stopped clock moves only in `advance`. An eager clock moves on at the start of every sleep,
    for tests of a program in which a task can always run. A task that waits for a thread or a socket counts
    as one that cannot run.
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
        """Returns when the time has passed.

        Unless the clock is eager or stopped, every runnable task has run before.
        """
        self.slept.append(seconds)
        if self.on_sleep:
            await self.on_sleep(seconds)
        if self._eager:
            self.time += seconds
            await asyncio.sleep(0)
            return
        await self.until(self._end_of(seconds))

    def call_later(self, seconds: float, call: Callable[[], object]) -> Callable[[], object]:
        """Calls a function after some seconds, unless the function that this returns is called before."""
        woken = self._end_of(seconds)
        woken.add_done_callback(lambda ended: ended.cancelled() or call())
        return woken.cancel

    def _end_of(self, seconds: float) -> asyncio.Future[None]:
        """A future that is done when the time has passed."""
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now() + max(seconds, 0.0), next(self._numbers), woken))
        if not self._stopped:
            self._watch()
        return woken

    async def until(self, woken: asyncio.Future[None]) -> None:
        """Waits for the end of a sleep; a subclass may add to it."""
        await woken

    async def advance(self, seconds: float) -> None:
        """Moves the time on; wakes each sleeper in turn and waits until no task can run."""
        end = self.now() + seconds
        while (at := self._next()) is not None and at <= end:
            await self.move_to(max(at, self.now()))
            self._wake()
            await self.settle()
        await self.move_to(end)
        await self.settle()

    async def move_to(self, time: float) -> None:
        """Sets the time; a subclass may set another clock along with it."""
        self.time = time

    async def settle(self) -> None:
        """Waits until no task can run at this time."""
        await settle()

    def _next(self) -> float | None:
        """The time at which the next sleeper wakes, without cancelled ones; None if no task sleeps."""
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
        """Wakes the next sleeper if no task can run; repeats itself as long as a task sleeps."""
        _looking[loop].discard(self)
        at = self._next()
        if at is not None and not is_busy(loop):
            self.time = max(at, self.time)
            self._wake()
        if self._sleepers:
            self._watch()


def is_busy(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether any task can run at this time."""
    # asyncio has no public name for the list of callbacks that are ready to run.
    return len(cast(Any, loop)._ready) > len(_looking.get(loop, ()))


async def settle() -> None:
    """Waits until no other task can run at this time."""
    loop, own = asyncio.get_running_loop(), object()
    looking = _looking.setdefault(loop, set())
    for _ in range(_MOST_PASSES):
        looking.add(own)
        try:
            await asyncio.sleep(0)
        finally:
            looking.discard(own)
        if not is_busy(loop):
            return
    raise AssertionError(f"after {_MOST_PASSES} passes of the event loop some task can still run")
