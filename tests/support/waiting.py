"""Bounds loops that wait, so that a test fails in its own task and tells what it waited for."""

from __future__ import annotations

import asyncio
from typing import Any

PATIENCE = 60.0
"""Real seconds that a loop may wait; fewer than pytest's time limit, which ends the event loop instead."""


class Waiting:
    """A wait of a test, whose loop calls `check` or `next` in each round; `first` needs no loop."""

    def __init__(self, wanted: str, seconds: float = PATIENCE) -> None:
        self._wanted = wanted
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.time() + seconds

    def check(self) -> None:
        """Fails once the wait has taken too long."""
        assert self._loop.time() < self._end, self._failure

    async def next(self, event: asyncio.Event) -> None:
        """Waits until an event is set; once that takes too long, sets the event itself, and fails."""
        end = self._loop.call_at(self._end, event.set)
        await event.wait()
        end.cancel()
        self.check()

    async def first(self, *futures: asyncio.Future[Any]) -> None:
        """Waits until one of these futures is done; fails once that takes too long, and cancels none."""
        left = max(0.0, self._end - self._loop.time())
        done, _ = await asyncio.wait(futures, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        assert done, self._failure

    @property
    def _failure(self) -> str:
        return f"waited {self._seconds:g} s in vain for {self._wanted}"
