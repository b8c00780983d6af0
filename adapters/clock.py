"""Real time, for everything that runs in an event loop."""

from __future__ import annotations

import asyncio
import time


class AsyncioClock:
    """`bot.ports.Clock` in real time."""

    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
