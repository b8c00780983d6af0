"""Watches operations of a database that may take too long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf

STALLED = 0.1
"""Seconds by which a timer must be late for the event loop to count as having been blocked."""
GRACE = 0.3
"""Seconds by which a `Watchdog` extends the deadline after a blocked loop, to read an answer that came."""


class Watchdog:
    """Calls a function if an operation has not ended by its deadline, a time of the event loop.

    One timer serves for one operation after another: a timer for each would take more CPU time than the rest
    of a small transaction. If the loop itself was blocked past the deadline, the operation's answer may have
    come meanwhile: there are `GRACE` seconds to read it before the function is called.
    """

    def __init__(self, late: Callable[[], object]) -> None:
        self._late = late
        self._when: float | None = None
        """The deadline of the present operation; None if none is watched."""
        self._timer: asyncio.TimerHandle | None = None
        self._due = inf
        """The time of the timer; infinite without one."""

    def begin(self, when: float) -> None:
        """Watches an operation that must end by a time."""
        self._when = when
        if when < self._due:
            self._set(when)

    def end(self) -> None:
        """Ends the watch; the timer is left for the next one."""
        self._when = None

    def close(self) -> None:
        """Ends the watch and its timer."""
        self._when = None
        if self._timer:
            self._timer.cancel()
            self._timer, self._due = None, inf

    def _set(self, when: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer, self._due = asyncio.get_running_loop().call_at(when, self._expire), when

    def _expire(self) -> None:
        assert self._timer is not None
        now = asyncio.get_running_loop().time()
        was_blocked = now - self._due > STALLED
        self._timer, self._due = None, inf
        if self._when is None:
            return
        if now >= self._when and not was_blocked:
            self._when = None
            self._late()
            return
        if now >= self._when:
            self._when = now + GRACE
        self._set(self._when)
