"""Works out all results, ratings and tallies of a store anew, and prints the progress to standard error."""

from __future__ import annotations

import sys
import time

from adapters.shared.clock import AsyncioClock
from bot.store import open_store
from bot.table_service.settler import Settler

_PROGRESS_INTERVAL = 5.0
"""The fewest seconds between two lines of progress."""


async def rebuild(url: str) -> int:
    """Settles all finished games of the store at a URL again; returns their number. Raises `StoreError`."""
    store = await open_store(url)
    printed_at = time.monotonic()

    def print_progress(done: int, total: int) -> None:
        nonlocal printed_at
        if time.monotonic() - printed_at >= _PROGRESS_INTERVAL:
            printed_at = time.monotonic()
            print(f"{done:,} / {total:,}", file=sys.stderr, flush=True)

    try:
        games = await store.unsettle()
        await Settler(store, AsyncioClock(), idle=0).settle_all(print_progress)
    finally:
        await store.close()
    return games
