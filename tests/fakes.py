"""Stand-ins for what the core needs of the world."""

from __future__ import annotations

import asyncio


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
