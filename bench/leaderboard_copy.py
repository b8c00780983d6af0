"""Copies what leaderboards read from a SQLite store to PostgreSQL, for `bench.leaderboard`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import Boolean

from bot.store import open_store
from bot.store.schema import TABLES

_COPIED = ("game", "person", "result", "rating", "tally")
"""The tables that are copied; games come first, since results refer to them."""
_SECONDARY_INDEXES = (
    "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = $1 AND indexname LIKE '%\\_idx'"
)
"""The names and statements of a table's indexes, without that of its primary key."""


async def copy_store(file: Path, url: str) -> int:
    """Fills a database at a URL with the rows of a file, all or none; returns the number of its games.

    A database that has games already gets no rows.
    """
    await (await open_store(url)).close()
    target = await asyncpg.connect(url)
    try:
        if not await target.fetchval("SELECT EXISTS (SELECT FROM game)"):
            async with target.transaction():
                for table in _COPIED:
                    await _copy_table(file, table, target)
            await target.execute("VACUUM ANALYZE")
        return int(await target.fetchval("SELECT count(*) FROM game"))
    finally:
        await target.close()


async def _copy_table(file: Path, table: str, target: asyncpg.Connection) -> None:
    """Copies the rows of a table; its indexes are built after that, which is faster."""
    indexes = await target.fetch(_SECONDARY_INDEXES, table)
    for name, _ in indexes:
        await target.execute(f'DROP INDEX "{name}"')
    with closing(sqlite3.connect(file)) as source:
        names = [row[1] for row in source.execute(f"PRAGMA table_info({table})")]
        await target.copy_records_to_table(table, records=_rows(source, table, names), columns=names)
    for _, statement in indexes:
        await target.execute(statement)


def _rows(source: sqlite3.Connection, table: str, names: list[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of a table; SQLite's 0 and 1 as booleans in the boolean columns."""
    flags = [n for n, name in enumerate(names) if isinstance(TABLES[table].c[name].type, Boolean)]
    for row in source.execute(f"SELECT * FROM {table}"):
        values = list(row)
        for n in flags:
            values[n] = bool(values[n])
        yield tuple(values)
