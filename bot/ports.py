"""What the core needs of the world, as protocols; adapters and tests bring them."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """Time that passes; tests bring one that does not."""

    async def sleep(self, seconds: float) -> None: ...
