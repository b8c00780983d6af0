"""Acknowledges a press or a command before the platform's deadline if its reply is late.

Some platforms accept the first answer for a few seconds only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.errors import reason
from bot.ports import Clock

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds to wait for the dispatcher before a press or a command is acknowledged without its reply."""


@asynccontextmanager
async def acknowledging(
    clock: Clock, acknowledge: Callable[[], Awaitable[object]]
) -> AsyncIterator[asyncio.Event]:
    """Runs a ``with`` block; calls ``acknowledge`` if the block has not ended after `PATIENCE`.

    Yields an event that is set just before that call. Leaving the block waits for the call to end. A
    failure to acknowledge is only logged.
    """
    late = asyncio.Event()
    begun: list[asyncio.Task[None]] = []

    async def begin() -> None:
        try:
            await acknowledge()
        except Exception as error:
            log.warning("the bot could not acknowledge a press or a command: %s", reason(error))

    def on_late() -> None:
        late.set()
        begun.append(asyncio.create_task(begin()))

    # Most replies are in time: they need no task.
    cancel = clock.call_later(PATIENCE, on_late)
    try:
        yield late
    finally:
        cancel()
        if begun:
            await asyncio.gather(*begun, return_exceptions=True)
