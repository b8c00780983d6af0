"""Where tables, people and places outlive the process: one contract, in memory and in a database.

SQL is known nowhere else.
"""

from __future__ import annotations

from bot.ports import Store


async def open_store(url: str) -> Store:
    """The store at an address: ``postgresql://…``, ``sqlite:///FILE``, or the file alone.

    Makes what is missing, and brings what is there up to date. Raises `StoreError`, which never
    shows the address.
    """
    # What plays at a terminal needs no database, and starts without waiting for one.
    from bot.store.sql import opened

    return await opened(url)
