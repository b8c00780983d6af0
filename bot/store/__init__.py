"""The store of tables, people and places: kept in memory, in SQLite or in PostgreSQL.

No other package uses SQL.
"""

from __future__ import annotations

from bot.measures import Measures
from bot.storage import Store


async def open_store(url: str, measures: Measures | None = None, *, serving: bool = False) -> Store:
    """The store at an address: ``postgresql://…``, ``sqlite:///FILE``, or the file alone.

    Creates a missing file and migrates an older schema. Raises `StoreError`, which shows neither user nor
    password of a server, if that fails; with ``serving`` also if another process serves from the same file.
    """
    # Imported only here, so that a terminal game without a file starts faster.
    from bot.store.sql import opened

    return await opened(url, measures=measures, serving=serving)
