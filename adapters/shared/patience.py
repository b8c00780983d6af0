"""Acknowledges a press or a command in time, when its reply is late.

A platform may take an answer for three seconds only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.errors import origin
from bot.ports import Clock

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds to wait for the dispatcher before a press or a command is acknowledged without its reply."""


@asynccontextmanager
async def acknowledging(
    clock: Clock, acknowledge: Callable[[], Awaitable[object]]
) -> AsyncIterator[asyncio.Event]:
    """Calls ``acknowledge`` as soon as the block has taken `PATIENCE`; then waits for both to end.

    Yields an event that is set when it was called. A failure to acknowledge is only logged.
    """
    late = asyncio.Event()

    async def wait() -> None:
        await clock.sleep(PATIENCE)
        late.set()
        try:
            await acknowledge()
        except Exception as error:
            log.warning("the bot could not acknowledge a press or a command: %s", origin(error))

    waiting = asyncio.create_task(wait())
    try:
        yield late
    finally:
        if not late.is_set():
            waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
