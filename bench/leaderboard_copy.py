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


async def copy_store(file: Path, url: str) -> None:
    """Fills a database at a URL with the rows of a file, each table's indexes last.

    A database that has games already gets none of them.
    """
    await (await open_store(url)).close()
    target = await asyncpg.connect(url)
    try:
        if await target.fetchval("SELECT EXISTS (SELECT FROM game)"):
            return
        for table in _COPIED:
            indexes = await target.fetch(_SECONDARY_INDEXES, table)
            for name, _ in indexes:
                await target.execute(f'DROP INDEX "{name}"')
            with closing(sqlite3.connect(file)) as source:
                names = [row[1] for row in source.execute(f"PRAGMA table_info({table})")]
                await target.copy_records_to_table(table, records=_rows(source, table, names), columns=names)
            for _, statement in indexes:
                await target.execute(statement)
        await target.execute("VACUUM ANALYZE")
    finally:
        await target.close()


def _rows(source: sqlite3.Connection, table: str, names: list[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of a table; SQLite's 0 and 1 as booleans in the boolean columns."""
    flags = [n for n, name in enumerate(names) if isinstance(TABLES[table].c[name].type, Boolean)]
    for row in source.execute(f"SELECT * FROM {table}"):
        values = list(row)
        for n in flags:
            values[n] = bool(values[n])
        yield tuple(values)
