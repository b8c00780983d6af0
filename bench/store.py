"""Measures the cost of storing a move, as a ratio to a plain insert in the same run.

Run from the checkout: ``python -m bench.store``. The CPU time is that of the whole process, threads
included; figures and ratios are medians of the rounds. Garbage is collected as in a process that serves. The
plain insert writes one row per transaction with the standard library's sqlite3, as durably as the store does.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.hosting.garbage import short_collections
from bot.model.batches import Batch
from bot.model.places import Place
from bot.model.tables import Entry, Listing, Player, Seated
from bot.storage import Store
from bot.store import open_store
from bot.store.connections.database import Engines, engines_at
from bot.store.rows import entry_rows, game_row, place_row, seat_rows
from bot.store.schema import EntryRow, GameRow, SeatRow

TABLES, MOVES = 50, 20
"""The number of tables, and of entries at each."""
TURNS = [(table, n) for n in range(MOVES) for table in range(TABLES)]
"""The table and the number of each entry, in the order in which they are appended."""
ROUNDS = 15
"""Rounds in which each way has one turn, but `ORM_ROUNDS` for the slow ORM."""
ORM_ROUNDS = 3
BODY = {"move": "capture 7D 3S+4C"}
"""The details of each entry."""
SEATS = tuple(Seated(seat, Player(name, person=name)) for seat, name in enumerate(("ana", "bo")))

T = TypeVar("T", Store, Engines)
Work = Callable[[], Awaitable[None]]
"""Stores all the moves."""
Way = Callable[[Path], AbstractAsyncContextManager[Work]]
"""A way to store the moves: opens a new database in a file, and closes it after the work."""


def batch(table: int, n: int) -> Batch:
    """The batch that appends the n-th entry to a table, with the listing after it."""
    entry = Entry(n, "move" if n else "open", 0, "ana", BODY, 1.8e9)
    instants = (1.8e9, 1.8e9 + n)
    place = Place("telegram", str(table))
    listing = Listing(f"g{table}", place, 1, "casino", 1, "playing", "ana", SEATS, n + 1, *instants)
    return Batch((entry,), listing, f"d{table}:{n}", keeper="bench")


@asynccontextmanager
async def _closing(store: T) -> AsyncIterator[T]:
    """Closes a store, or its engines, at the end of the block."""
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def plain(path: Path) -> AsyncIterator[Work]:
    """Inserts each move in a transaction of its own with sqlite3."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
            "CREATE TABLE entry"
            " (game, n, kind, seat, person, body, at, delivery UNIQUE, PRIMARY KEY (game, n))"
        )

        async def work() -> None:
            for table, n in TURNS:
                (row,) = entry_rows(f"g{table}", batch(table, n).entries, f"d{table}:{n}")
                connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", tuple(row.values()))

        yield work


@asynccontextmanager
async def one_by_one(path: Path) -> AsyncIterator[Work]:
    """Appends the moves to the store one at a time, awaiting each."""
    async with _closing(await open_store(str(path))) as store:

        async def work() -> None:
            for table, n in TURNS:
                await store.append(batch(table, n))

        yield work


@asynccontextmanager
async def at_once(path: Path) -> AsyncIterator[Work]:
    """Appends the n-th moves of all tables to the store concurrently."""
    async with _closing(await open_store(str(path))) as store:

        async def work() -> None:
            for n in range(MOVES):
                await asyncio.gather(*(store.append(batch(table, n)) for table in range(TABLES)))

        yield work


@asynccontextmanager
async def orm(path: Path) -> AsyncIterator[Work]:
    """Stores each move in an ORM session of its own, which reads the table and its seats first."""
    await (await open_store(str(path))).close()
    async with _closing(engines_at(str(path))) as both:

        async def work() -> None:
            for table, n in TURNS:
                async with AsyncSession(both.reads) as session:
                    await _through(session, batch(table, n))

        yield work


async def _through(session: AsyncSession, new: Batch) -> None:
    """Stores a batch through an ORM session."""
    listing = new.listing
    game = await session.get(GameRow, listing.game)
    if game is None:
        game = GameRow(**game_row(listing), **place_row(listing.place), number=1)
        session.add(game)
        await session.flush()
        session.add_all(SeatRow(**row) for row in seat_rows(listing))
    else:
        for seated in listing.seats:
            await session.get(SeatRow, (listing.game, seated.seat))
    game.entries = listing.entries
    session.add_all(EntryRow(**row) for row in entry_rows(listing.game, new.entries, new.delivery))
    await session.commit()


async def cost(way: Way) -> tuple[float, float]:
    """Microseconds of CPU time and of wall time per move, without the opening and closing of the store."""
    with tempfile.TemporaryDirectory() as folder:
        async with way(Path(folder) / "tables.db") as work:
            with short_collections():
                began, used = time.perf_counter(), time.process_time()
                await work()
                spent, passed = time.process_time() - used, time.perf_counter() - began
    return spent / len(TURNS) * 1e6, passed / len(TURNS) * 1e6


def main() -> None:
    ways = {"plain insert": plain, "store, at once": at_once, "store, one by one": one_by_one, "ORM": orm}
    # This run is not reported: it imports the drivers and compiles the statements.
    asyncio.run(cost(one_by_one))
    rounds = [
        {name: asyncio.run(cost(way)) for name, way in ways.items() if way is not orm or n < ORM_ROUNDS}
        for n in range(ROUNDS)
    ]
    for name in ways:
        # Other load slows the whole of a round, so each CPU time is divided by that of its plain insert.
        costs = [(*by_way[name], by_way["plain insert"][0]) for by_way in rounds if name in by_way]
        spent, passed, ratio = (
            statistics.median(figures)
            for figures in zip(*((cpu, wall, cpu / base) for cpu, wall, base in costs), strict=True)
        )
        sys.stdout.write(f"{name:18} {spent:7.0f} µs CPU {passed:7.0f} µs {ratio:6.1f} ×\n")


if __name__ == "__main__":
    main()
