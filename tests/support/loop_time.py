"""Skips the idle time of an event loop, so that tests of timeouts take no real time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock


@contextmanager
def idle_time_skipped(grace: float = 0.0) -> Iterator[None]:
    """Stops the clock of the running event loop during the block, but moves it to the next timer when idle.

    A loop that waits for a thread or another process counts as idle after a `grace` in real seconds.
    After the block its clock runs again, without a jump.
    """
    loop: Any = asyncio.get_running_loop()
    clock, select, time = loop.time, loop._selector.select, loop.time()

    def skip(timeout: float | None = None) -> Any:
        nonlocal time
        if timeout is None:
            return select(None)
        if not (found := select(min(timeout, grace))):
            time += timeout
        return found

    loop.time = lambda: time
    with mock.patch.object(loop._selector, "select", skip):
        try:
            yield
        finally:
            ahead = time - clock()
            loop.time = lambda: clock() + ahead
