"""Keeps garbage collections short in a process that serves; a full one would look at all its objects."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

WHOLE = 50
"""Every fiftieth full collection looks at all objects; the others look only at new ones."""


@contextmanager
def short_collections() -> Iterator[None]:
    """Keeps full collections short during the block.

    The objects that survive one are frozen: reference counts still free them, but no collection looks at
    them. All are thawed for every fiftieth collection, which finds the cycles among them.
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
