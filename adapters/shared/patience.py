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

    async def wait() -> None:
        await clock.sleep(PATIENCE)
        late.set()
        try:
            await acknowledge()
        except Exception as error:
            log.warning("the bot could not acknowledge a press or a command: %s", reason(error))

    waiting = asyncio.create_task(wait())
    try:
        yield late
    finally:
        if late.is_set():
            await asyncio.gather(waiting, return_exceptions=True)
        else:
            waiting.cancel()
