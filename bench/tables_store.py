"""Writes stores of tables of two people in the middle of their games, for `bench.tables`."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from bot.model.ids import PUBLIC, GameId
from bot.model.panels import PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.model.tables import Player
from bot.store import open_store
from bot.store.rows import (
    account_row,
    entry_rows,
    game_row,
    panel_row,
    person_row,
    place_row,
    room_row,
    seat_rows,
)
from bot.tables.log.commitment import ChosenSeed
from bot.tables.table import Table
from engines import games
from engines.values import replace

KEY = "bench"
"""The key of the platform."""
MOVES = 3_000
"""About how many moves are measured in all; fewer at few tables (`rounds`)."""
STAGES = 6
"""The number of consecutive moves of each deal that are measured.

If tables are few, each makes all of these moves. If they are many, each makes `rounds` of them, and other
tables of the same deal make the rest, so that all stages of a deal are measured either way; but the last ones
are not if `STAGES` is no multiple of `rounds`.
"""
DEALS = 4
"""Deals of each game; the tables are copies of these."""
PLAYED = 12
"""The fewest moves made at each table of a store."""
SEATS = 2
_CHUNK = 1_000
"""Tables whose rows are inserted together."""
_BLANK = "blank"
"""The table's id in each pattern (`pattern_of`); a copy has its own instead."""
_AHEAD = 3600.0
"""Seconds by which tables are dated into the future, so that none is due when the bot starts."""
_CHAT = "chat"
"""The table's chat in each pattern; a copy has its own instead."""


def rounds(tables: int, moves: int) -> int:
    """Moves that are measured at each measured table: about ``moves`` in all, but from 1 to `STAGES` each."""
    return max(1, min(STAGES, moves // tables))


def write_store(path: str, tables: int, moves: int = MOVES) -> None:
    """Writes a store of this many tables, none of them with a page or an alert still to be sent.

    ``moves`` is how many moves the bench will measure there.
    """
    asyncio.run(_migrate(path))
    span = rounds(tables, moves)
    patterns = [
        pattern_of(key, f"{key} {n}", PLAYED + ahead)
        for ahead in range(0, STAGES - span + 1, span)
        for n in range(DEALS)
        for key in games()
    ]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for first in range(0, tables, _CHUNK):
            rows: dict[str, list[dict[str, Any]]] = {}
            for n in range(first, min(first + _CHUNK, tables)):
                for name, row in _rows(patterns[n % len(patterns)], n):
                    rows.setdefault(name, []).append(row)
            for name, each in rows.items():
                _insert(connection, name, each)
        connection.commit()


async def _migrate(path: str) -> None:
    await (await open_store(path)).close()


def _insert(connection: sqlite3.Connection, name: str, rows: Sequence[dict[str, Any]]) -> None:
    columns = ", ".join(f'"{column}"' for column in rows[0])
    values = ", ".join(f":{column}" for column in rows[0])
    connection.executemany(f"INSERT INTO {name} ({columns}) VALUES ({values})", rows)


def pattern_of(key: str, words: str, played: int = PLAYED) -> Table:
    """A table of two people to copy, after ``played`` moves; deal and moves follow from ``words``."""
    rng = random.Random(words)
    place = Place(KEY, _CHAT)
    table = Table.open(key, place=place, owner="p0", seed_source=ChosenSeed(words))
    opening = replace(table.entries[0], body={**table.entries[0].body, "id": _BLANK})
    table = Table.replay([opening], table.seed_source)
    for seat in range(SEATS):
        table = table.sit(Player(f"Player {seat}", person=f"p{seat}"))
    table = table.start()
    for _ in range(played):
        seat, moves = offers(table)
        table = table.play(seat, str(rng.choice(moves)))
    return table.dated(0, time.time() + _AHEAD)


def offers(table: Table) -> tuple[int, list[Any]]:
    """The first seat that can move, and its moves; asks the game, so that the table caches nothing."""
    game, state = table.game, table.state
    seat = next(seat for seat in range(len(table.players)) if game.choices(state, seat).words)
    return seat, list(game.moves(state, seat))


def _rows(pattern: Table, n: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of the n-th table, a copy of a pattern, and of its people, each after its SQL table's name."""
    game, place = game_id(n), Place(KEY, f"c{n}")
    listing = replace(pattern.listing, game=game, place=place, owner=person_id(n, 0))
    seats = tuple(
        replace(seated, player=replace(seated.player, person=person_id(n, seated.seat)))
        for seated in listing.seats
    )
    yield "game", {
        **game_row(replace(listing, seats=seats)), **place_row(place), "number": 1,
        "seed_words": pattern.seed_source.opened(),
    }  # fmt: skip
    for row in entry_rows(game, pattern.entries, ""):
        row["person"] = person_id(n, int(row["person"][1:])) if row["person"] else ""
        if row["kind"] == "open":
            row["body"] = row["body"].replace(_BLANK, game).replace(f'"{_CHAT}"', f'"{place.chat}"')
        yield "entry", row
    for row in seat_rows(replace(listing, seats=seats)):
        yield "seat", row
    yield "room", room_row(Room(place, f"community {n}", language="en"))
    news_count = len(pattern.news)
    for reader in (PUBLIC, *(person_id(n, seat) for seat in range(SEATS))):
        panel = PanelRecord(game, reader, f"{place.chat}/{reader or 0}", wanted=1, sent=1, told=news_count)
        yield "panel", panel_row(panel)
    for seat in range(SEATS):
        person = person_id(n, seat)
        yield "person", person_row(Person(person, f"Player {seat}", "en"))
        yield "account", account_row(Account(KEY, user_id(person), person, reachable=True))
        yield "room", room_row(Room(Place(KEY, user_id(person)), private=True, language="en"))


def game_id(n: int) -> GameId:
    """The id of the n-th table."""
    return f"{n + 1:010x}"


def person_id(n: int, seat: int) -> str:
    return f"{n:015x}{seat}"


def user_id(person: str) -> str:
    return f"u{person}"
