"""Measures what open tables cost: the start, a move and the memory, by the number of tables.

Run from the checkout: ``python -m bench.tables``; with ``--json`` it prints one object with `start_s`,
`start_cpu_s`, `move_ms` and `rss_mb` by number of tables, and `at_rest_kb`. A store of tables of two
people in the middle of their games is written by plain inserts; then the bot runs over it with a platform
that sends nowhere. Each number of tables has a process of its own, so that the memory is only its own.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import resource
import sqlite3
import sys
import tempfile
import time
import tracemalloc
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, closing
from dataclasses import asdict, dataclass, fields, replace
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from adapters.shared.clock import AsyncioClock
from bot.app import running
from bot.inbox.allowances import Allowances, Rate
from bot.inbox.dispatcher import Dispatcher
from bot.model.ids import PUBLIC, GameId
from bot.model.panels import PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.model.tables import Player
from bot.pages.callback_data import CallbackData
from bot.ports import Caller, Limits, Page
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
from bot.tables.commitment import ChosenSeed
from bot.tables.table import Table
from engines import games

COUNTS = (10, 100, 1_000, 10_000)
"""Numbers of tables for which all figures are measured."""
START_COUNTS = (100_000,)
"""Numbers of tables for which only the start is measured."""
MOVES = 3_000
"""Moves that are measured, in turn at all tables, after one of each player."""
RESTING = 1_000
"""Tables at rest whose memory is measured."""
DEALS = 4
"""Deals of each game; the tables are copies of these."""
PLAYED = 12
"""Moves made at each table of the store."""

KEY = "bench"
_LIMITS = Limits(text=4096, rows=12, row_keys=8, keys=96, label=40, data=64, gap=0.0)
_ALLOWANCES = Allowances(presses=Rate(10**6, 1.0))
_BLANK = "blank"
"""The id of the tables that are copied."""
_TRIES = 5
"""How often a move is tried: the bot refuses it if a busy machine lets the store wait too long."""
_AHEAD = 3600.0
"""Seconds by which tables are younger than their store, so that none is due when the bot starts."""
_LONG = 0.5
"""Seconds from which on a pause is one between two things that the bot does in the background."""
_CHAT = "chat"
_SEATS = 2


class PressTime(AsyncioClock):
    """A clock that stands still and stops the bot's work in the background.

    So no reminder and no turn becomes due while presses are measured, however long that takes.
    """

    def __init__(self) -> None:
        self._now = time.time()

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds if seconds < _LONG else 10**6)


class Nowhere:
    """A platform that drops its messages."""

    key = KEY
    limits = _LIMITS
    reached = True

    def __init__(self) -> None:
        self._numbers = count(1)

    async def post(self, place: Place, page: Page, call: Account | None = None, *, once: str = "") -> str:
        return f"{place.chat}/{next(self._numbers)}"

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        return f"{account.user}/{next(self._numbers)}"

    async def edit(self, message: str, page: Page) -> None:
        """Drops an edit."""

    async def delete(self, message: str) -> None:
        """Drops a deletion."""

    def link(self) -> str:
        return ""

    def message_link(self, message: str, community: str = "") -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one number of tables."""

    start_s: float
    """Seconds from the opening of the store until the bot takes presses."""
    start_cpu_s: float
    """CPU seconds of these, which other work of the machine does not lengthen."""
    move_ms: float
    """CPU milliseconds of a press that makes a move: its table is loaded, its panels are sent and noted."""
    rss_mb: float
    """The largest resident memory of the process, in MB."""


_COLUMNS = tuple(one.name for one in fields(Figures))


def write_store(path: str, tables: int) -> None:
    """Writes a store of this many tables, which owe nothing."""
    asyncio.run(_migrate(path))
    patterns = [_pattern(key, f"{key} {n}") for n in range(DEALS) for key in games()]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for first in range(0, tables, 1_000):
            rows: dict[str, list[dict[str, Any]]] = {}
            for n in range(first, min(first + 1_000, tables)):
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


def _pattern(key: str, words: str) -> Table:
    """A table of two people in the middle of a game."""
    rng = random.Random(words)
    place = Place(KEY, _CHAT)
    table = Table.open(key, place=place, owner="p0", seed_source=ChosenSeed(words))
    opening = replace(table.entries[0], body={**table.entries[0].body, "id": _BLANK})
    table = Table.replay([opening], table.seed_source)
    for seat in range(_SEATS):
        table = table.sit(Player(f"Player {seat}", person=f"p{seat}"))
    table = table.start()
    for _ in range(PLAYED):
        seat, moves = offers(table)
        table = table.play(seat, str(rng.choice(moves)))
    return table.dated(0, time.time() + _AHEAD)


def offers(table: Table) -> tuple[int, list[Any]]:
    """A seat that can move, and its moves; asks the game, so that the table caches nothing."""
    game, state = table.game, table.state
    seat = next(seat for seat in range(len(table.players)) if game.choices(state, seat).words)
    return seat, list(game.moves(state, seat))


def _rows(pattern: Table, n: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of the n-th table, a copy of a pattern, and of its people; each after its SQL table."""
    game, place = game_id(n), Place(KEY, f"c{n}")
    listing = replace(pattern.listing, game=game, place=place, owner=_person(n, 0))
    seats = tuple(
        replace(one, player=replace(one.player, person=_person(n, one.seat))) for one in listing.seats
    )
    yield "game", {
        **game_row(replace(listing, seats=seats)), **place_row(place), "number": 1,
        "seed_words": pattern.seed_source.opened(),
    }  # fmt: skip
    for row in entry_rows(game, pattern.entries, ""):
        row["person"] = _person(n, int(row["person"][1:])) if row["person"] else ""
        if row["kind"] == "open":
            row["body"] = row["body"].replace(_BLANK, game).replace(f'"{_CHAT}"', f'"{place.chat}"')
        yield "entry", row
    for row in seat_rows(replace(listing, seats=seats)):
        yield "seat", row
    yield "room", room_row(Room(place, f"community {n}", language="en"))
    told = len(pattern.news)
    for reader in (PUBLIC, *(_person(n, seat) for seat in range(_SEATS))):
        panel = PanelRecord(game, reader, f"{place.chat}/{reader or 0}", wanted=1, sent=1, told=told)
        yield "panel", panel_row(panel)
    for seat in range(_SEATS):
        person = _person(n, seat)
        yield "person", person_row(Person(person, f"Player {seat}", "en"))
        yield "account", account_row(Account(KEY, _user(person), person, reachable=True))
        yield "room", room_row(Room(Place(KEY, _user(person)), private=True, language="en"))


def game_id(n: int) -> GameId:
    """The id of the n-th table."""
    return f"{n + 1:010x}"


def _person(n: int, seat: int) -> str:
    return f"{n:015x}{seat}"


def _user(person: str) -> str:
    return f"u{person}"


@asynccontextmanager
async def bot(path: str) -> AsyncIterator[Dispatcher]:
    """The bot over a store in a file."""
    store = await open_store(path)
    try:
        async with running(
            store, PressTime(), {KEY: Nowhere()}, rng=random.Random(0), pace=0.0, allowances=_ALLOWANCES
        ) as dispatcher:
            yield dispatcher
    finally:
        await store.close()


async def press(dispatcher: Dispatcher, game: GameId, rng: random.Random) -> float | None:
    """Makes a move at a table by a press in its player's private chat; returns its CPU seconds.

    None if the game at the table is over.
    """
    began = time.process_time()
    table = await dispatcher.service.table(game)
    loaded = time.process_time() - began
    if not table.is_playing:
        return None
    seat, moves = offers(table)
    move = rng.choice(moves)
    asked = table.game.style(table.game.view(table.state, seat), move) == "danger"
    data = CallbackData(game, table.stamp, "sure" if asked else "move", str(move)).spelled(_LIMITS.data)
    user = _user(table.players[seat].person or "")
    caller = Caller(user, table.players[seat].name, Place(KEY, user), private=True)
    # Else the process would hold the table of the last press twice.
    stamp = table.stamp
    del table
    for _ in range(_TRIES):
        began = time.process_time()
        await dispatcher.press(caller, data, "", own=True)
        await dispatcher.panels.idle()
        await dispatcher.panels.flush()
        spent = time.process_time() - began
        if (await dispatcher.service.table(game)).stamp > stamp:
            return loaded + spent
    raise AssertionError(f"a move was refused {_TRIES} times")


async def _started(path: str) -> tuple[float, float]:
    began, cpu = time.perf_counter(), time.process_time()
    async with bot(path):
        return time.perf_counter() - began, time.process_time() - cpu


async def _played(path: str, tables: int, moves: int) -> Figures:
    """Plays a move of each player, and then measures these moves, in turn at all tables."""
    rng, began, cpu = random.Random(0), time.perf_counter(), time.process_time()
    async with bot(path) as dispatcher:
        start, start_cpu = time.perf_counter() - began, time.process_time() - cpu
        turns = [game_id(n) for n in range(tables)]
        # Each player's first press reads them from the store.
        for game in turns * _SEATS:
            await press(dispatcher, game, rng)
        # Games end, so that there is a limit to the moves of few tables.
        turns = (turns * (min(moves, 6 * tables) // tables + 1))[: min(moves, 6 * tables)]
        spent = [await press(dispatcher, game, rng) for game in turns]
        await dispatcher.panels.flush()
    costs = [cost for cost in spent if cost is not None]
    return Figures(start, start_cpu, sum(costs) / len(costs) * 1e3, _peak_mb())


async def _rested(path: str, tables: int) -> float:
    """The kB by which the bot's memory grows with each table at which a move was made, and then none."""
    rng = random.Random(0)
    tracemalloc.start()
    async with bot(path) as dispatcher:
        # As many tables as the last ones, which are not at rest yet, come before the measured ones.
        for n in range(2 * tables):
            await press(dispatcher, game_id(n), rng)
            if n == tables - 1:
                before = await _traced(dispatcher)
        return (await _traced(dispatcher) - before) / tables / 1e3


async def _traced(dispatcher: Dispatcher) -> int:
    await dispatcher.panels.flush()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e6 / 1024)


def start(path: str) -> tuple[float, float]:
    """Seconds that the bot takes to start over a store, and its CPU seconds."""
    return asyncio.run(_started(path))


def play(path: str, tables: int, moves: int) -> Figures:
    """The figures of moves at all tables of a store."""
    return asyncio.run(_played(path, tables, moves))


def rest(path: str, tables: int) -> float:
    """The kB of memory that a table at rest takes."""
    return asyncio.run(_rested(path, tables))


def _apart(function: Any, *arguments: Any) -> Any:
    """The result of a function in a new process."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def measured(counts: Iterable[int], starts: Iterable[int], moves: int, resting: int) -> dict[str, Any]:
    """All figures, as the object of ``--json``."""
    figures: dict[str, dict[str, float]] = {name: {} for name in _COLUMNS}
    at_rest: float | None = None
    with tempfile.TemporaryDirectory() as folder:
        for tables in counts:
            path = str(Path(folder) / f"{tables}.db")
            _apart(write_store, path, tables)
            for name, value in asdict(_apart(play, path, tables, moves)).items():
                figures[name][str(tables)] = round(value, 3)
        for tables in starts:
            path = str(Path(folder) / f"start {tables}.db")
            _apart(write_store, path, tables)
            for name, value in zip(_COLUMNS, _apart(start, path), strict=False):
                figures[name][str(tables)] = round(value, 3)
        if resting:
            path = str(Path(folder) / "resting.db")
            _apart(write_store, path, 2 * resting)
            at_rest = round(_apart(rest, path, resting), 2)
    return {**figures, "at_rest_kb": at_rest}


def main() -> None:
    """Measures all figures and prints them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--tables", type=int, nargs="*", default=COUNTS)
    parser.add_argument("--start", type=int, nargs="*", default=START_COUNTS, help="only the start of these")
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--resting", type=int, default=RESTING, help="0: none")
    given = parser.parse_args()
    figures = measured(given.tables, given.start, given.moves, given.resting)
    if given.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    sys.stdout.write("  tables  start s    CPU s  move ms   RSS MB\n")
    for tables in (*given.tables, *given.start):
        row = [figures[name].get(str(tables)) for name in _COLUMNS]
        cells = "".join(f" {value:8.2f}" if value is not None else " " * 9 for value in row)
        sys.stdout.write(f"{tables:8}{cells}\n")
    if figures["at_rest_kb"] is not None:
        sys.stdout.write(f"A table at rest takes {figures['at_rest_kb']:.1f} kB.\n")


if __name__ == "__main__":
    main()
