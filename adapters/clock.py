"""The clock on the wall, for whatever runs in an event loop."""

from __future__ import annotations

import asyncio
import time


class AsyncioClock:
    """The time that passes in an event loop."""

    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
