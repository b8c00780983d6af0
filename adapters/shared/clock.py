"""The clock of the real programs; tests have a clock of their own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class AsyncioClock:
    """Implements `bot.ports.Clock` with the system's time and asyncio's sleep."""

    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def call_later(self, seconds: float, call: Callable[[], object]) -> Callable[[], object]:
        return asyncio.get_running_loop().call_later(seconds, call).cancel
