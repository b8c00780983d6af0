"""Measures the cost of storing a move, as a ratio to a plain insert in the same run.

Run from the checkout: ``python -m bench.store``. The CPU time is that of the whole process, threads
included. The plain insert writes one row per transaction with the standard library's sqlite3, as durably
as the store does.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import Batch, Entry, Listing, Place, Player, Seated
from bot.store import open_store
from bot.store.database import engines
from bot.store.rows import entry_rows, game_row, place_row, seat_rows
from bot.store.schema import EntryRow, GameRow, SeatRow

TABLES, MOVES = 50, 20
BODY = {"move": "capture 7D 3S+4C"}
SEATS = tuple(Seated(seat, Player(name, person=name)) for seat, name in enumerate(("ana", "bo")))


def batch(table: int, n: int) -> Batch:
    """The batch that appends the n-th entry to a table, with the listing after it."""
    entry = Entry(n, "move" if n else "open", 0, "ana", BODY, 1.8e9)
    instants = (1.8e9, 1.8e9 + n)
    place = Place("telegram", str(table))
    listing = Listing(f"g{table}", place, 1, "casino", 1, "playing", "ana", SEATS, n + 1, *instants)
    return Batch((entry,), listing, f"d{table}:{n}")


async def plain(path: Path) -> None:
    """Inserts each move in a transaction of its own with sqlite3."""
    with sqlite3.connect(path, isolation_level=None) as connection:
        connection.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
            "CREATE TABLE entry"
            " (game, n, kind, seat, person, body, at, delivery UNIQUE, PRIMARY KEY (game, n))"
        )
        for n in range(MOVES):
            for table in range(TABLES):
                (row,) = entry_rows(f"g{table}", batch(table, n).entries, f"d{table}:{n}")
                connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", tuple(row.values()))
    connection.close()


async def one_by_one(path: Path) -> None:
    """Appends the moves to the store one at a time, awaiting each."""
    store = await open_store(str(path))
    for n in range(MOVES):
        for table in range(TABLES):
            await store.append(batch(table, n))
    await store.close()


async def at_once(path: Path) -> None:
    """Appends the n-th moves of all tables to the store concurrently."""
    store = await open_store(str(path))
    for n in range(MOVES):
        await asyncio.gather(*(store.append(batch(table, n)) for table in range(TABLES)))
    await store.close()


async def orm(path: Path) -> None:
    """Stores each move in an ORM session of its own, which reads the table and its seats first."""
    await (await open_store(str(path))).close()
    both = engines(str(path))
    for n in range(MOVES):
        for table in range(TABLES):
            async with AsyncSession(both.reads) as session:
                await _through(session, batch(table, n))
    await both.close()


async def _through(session: AsyncSession, new: Batch) -> None:
    listing = new.listing
    game = await session.get(GameRow, listing.game)
    if game is None:
        game = GameRow(**game_row(listing), **place_row(listing.place), number=1)
        session.add(game)
        await session.flush()
        session.add_all(SeatRow(**row) for row in seat_rows(listing))
    else:
        for one in listing.seats:
            await session.get(SeatRow, (listing.game, one.seat))
    game.entries = listing.entries
    session.add_all(EntryRow(**row) for row in entry_rows(listing.game, new.entries, new.delivery))
    await session.commit()


def cost(way: Callable[[Path], Awaitable[None]]) -> tuple[float, float]:
    """Microseconds of CPU time and of wall time per move, including the opening of the store."""
    with tempfile.TemporaryDirectory() as folder:
        began, used = time.perf_counter(), time.process_time()

        async def run() -> None:
            await way(Path(folder) / "tables.db")

        asyncio.run(run())
        spent, passed = time.process_time() - used, time.perf_counter() - began
    return spent / (TABLES * MOVES) * 1e6, passed / (TABLES * MOVES) * 1e6


def main() -> None:
    ways = {"plain insert": plain, "store, at once": at_once, "store, one by one": one_by_one, "ORM": orm}
    # This run is not reported: it imports the database drivers and the migrations.
    cost(at_once)
    figures = {name: cost(way) for name, way in ways.items()}
    base, _ = figures["plain insert"]
    for name, (spent, passed) in figures.items():
        sys.stdout.write(f"{name:18} {spent:7.0f} µs CPU {passed:7.0f} µs {spent / base:6.1f} ×\n")


if __name__ == "__main__":
    main()
