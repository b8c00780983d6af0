"""Waits for the threads that write files of games, as a program does before its process ends."""

from __future__ import annotations

import threading

from adapters.terminal.saved_games.store import THREAD

_PATIENCE = 30.0
"""The most seconds that a thread may take to end; only a test that is about to fail waits so long."""


def join_writers() -> None:
    """Waits until the files of games are closed, as they are when a program's process ends."""
    writers = [thread for thread in threading.enumerate() if thread.name == THREAD]
    for thread in writers:
        thread.join(_PATIENCE)
    assert not any(thread.is_alive() for thread in writers), "a store of the terminal was not finished"
