"""Works out all ratings of a store anew, and prints the progress to standard error."""

from __future__ import annotations

import sys
import time

from adapters.shared.clock import AsyncioClock
from bot.store import open_store
from bot.tables.settler import Settler

_TOLD_EVERY = 5.0
"""The fewest seconds between two lines of progress."""


async def rebuild(url: str) -> int:
    """Replays all finished games of the store at a URL; returns their number. Raises `StoreError`."""
    store = await open_store(url)
    printed_at = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal printed_at
        if time.monotonic() - printed_at >= _TOLD_EVERY:
            printed_at = time.monotonic()
            print(f"{done:,} / {total:,}", file=sys.stderr, flush=True)

    try:
        games = await store.unsettle()
        await Settler(store, AsyncioClock(), idle=0).settle_all(tell)
    finally:
        await store.close()
    return games
