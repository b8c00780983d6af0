"""Counts the unfinished games of a terminal's file, before the store is imported, which takes far longer."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.model.places import HOME

_COUNT = """
    SELECT count(*) FROM game WHERE platform = ? AND chat = ? AND thread = ? AND status = 'playing'
"""


def unfinished_count(file: Path) -> int:
    """The number of unfinished games that a file lists; 0 if it is missing or cannot be read at once."""
    address = f"{file.absolute().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=0)) as connection:
            connection.execute("PRAGMA query_only = ON")
            (count,) = connection.execute(_COUNT, (HOME.platform, HOME.chat, HOME.thread)).fetchone()
    except sqlite3.Error:
        return 0
    return int(count)
