"""Keeps full garbage collections short in a serving process, by freezing the objects that survive one."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

THAW_EVERY = 250
"""The number of full collections from one thaw of all objects to the next."""
YOUNG_THRESHOLD = 10_000
"""New objects after which the youngest ones are collected.

After Python's 700 (2,000 from 3.13 on) it would happen amid the handling of a press, which still uses most
of them.
"""
OLD_THRESHOLD = 2
"""A full collection comes only after more than this number of collections of the middle generation.

Up to Python 3.13 it also waits until the new objects are a quarter of the old ones. After Python's 10 it
would have nearly four times as many new objects to look at: a pause of half a second where thousands of
tables are opened at once.
"""
_FULL = 2
"""The generation of a full collection."""


@contextmanager
def short_collections() -> Iterator[None]:
    """Keeps full collections short during the block.

    The objects that survive one are frozen: reference counts still free them, but no collection looks at
    them. All are thawed for one in `THAW_EVERY` full collections, which finds the cycles among them.
    """
    full_collections = 1

    def on_collection(phase: str, info: Mapping[str, int]) -> None:
        nonlocal full_collections
        if info["generation"] < _FULL:
            return
        if phase == "stop":
            full_collections += 1
            gc.freeze()
        elif full_collections % THAW_EVERY == 0:
            gc.unfreeze()

    thresholds = gc.get_threshold()
    gc.set_threshold(YOUNG_THRESHOLD, thresholds[1], OLD_THRESHOLD)
    gc.collect()
    gc.freeze()
    gc.callbacks.append(on_collection)
    try:
        yield
    finally:
        gc.callbacks.remove(on_collection)
        gc.set_threshold(*thresholds)
        gc.unfreeze()
