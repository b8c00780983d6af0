"""The store of tables, people and places: one contract, kept by memory, SQLite and PostgreSQL.

No other package knows SQL.
"""

from __future__ import annotations

from bot.ports import Store


async def open_store(url: str) -> Store:
    """The store at an address: ``postgresql://…``, ``sqlite:///FILE``, or the file alone.

    Creates a missing file and migrates an older schema. Raises `StoreError`, which never shows the
    address.
    """
    # A terminal without a file starts faster without importing a database.
    from bot.store.sql import opened

    return await opened(url)
