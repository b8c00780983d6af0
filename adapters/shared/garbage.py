"""Collects the garbage of a process that serves in short pauses: a full collection looks at all it has."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

WHOLE = 50
"""Every fiftieth full collection looks at all objects; the others look only at new ones."""


@contextmanager
def short_collections() -> Iterator[None]:
    """Keeps full collections short during the block.

    What survives one is frozen: reference counts still free it, but no collection looks at it. Cycles
    that were frozen while in use are found when, now and then, all is thawed.
    """
    full = 0

    def collected(phase: str, info: Mapping[str, int]) -> None:
        nonlocal full
        if info["generation"] < 2:
            return
        if phase == "stop":
            full += 1
            gc.freeze()
        elif full % WHOLE == 0:
            gc.unfreeze()

    gc.collect()
    gc.freeze()
    full = 1
    gc.callbacks.append(collected)
    try:
        yield
    finally:
        gc.callbacks.remove(collected)
        gc.unfreeze()
