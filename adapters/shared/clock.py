"""The clock of the real programs, and the time zone of this machine; tests have a clock of their own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import datetime


class AsyncioClock:
    """Implements `bot.ports.Clock` with the system's time and asyncio's sleep."""

    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def call_later(self, seconds: float, call: Callable[[], object]) -> Callable[[], object]:
        return asyncio.get_running_loop().call_later(seconds, call).cancel


def local_zone() -> int:
    """This machine's present offset from UTC, in quarters of an hour; positive east of Greenwich."""
    offset = datetime.now().astimezone().utcoffset()
    return int(offset.total_seconds() // 900) if offset else 0
