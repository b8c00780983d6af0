"""Measures what open tables cost: the start, a move and the memory, by the number of tables.

Run from the checkout: ``python -m bench.tables``; with ``--json`` it prints one object with `start_s`,
`start_cpu_s`, `move_ms`, `control_ms` and `rss_mb` by number of tables, and `at_rest_kb`. A store of tables
of two people in the middle of their games is written by plain inserts; then the bot runs over it with a
platform that sends nowhere. Each number of tables has a process of its own, so that the memory is only its
own. The control is work that does not depend on the number of tables, done between the moves: it takes longer
only because the processor's caches hold less of it, or because the machine does other work.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import resource
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import AsyncIterator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from adapters.hosting.garbage import short_collections
from adapters.shared.clock import AsyncioClock
from bench.tables_store import (
    KEY,
    MOVES,
    SEATS,
    game_id,
    offers,
    pattern_of,
    person_id,
    rounds,
    user_id,
    write_store,
)
from bot.app import running
from bot.inbox.allowances import Allowances, Rate
from bot.inbox.dispatcher import Dispatcher
from bot.model.ids import GameId
from bot.model.people import Account
from bot.model.places import Place
from bot.pages.callback_data import CallbackData
from bot.ports import Caller, Limits, Page
from bot.store import open_store
from bot.table_service.cache import UNUSED
from bot.tables.table import Table
from engines import games
from engines.values import Value

COUNTS = (10, 100, 1_000, 10_000)
"""Numbers of tables for which all figures are measured."""
START_COUNTS = (100_000,)
"""Numbers of tables for which only the start is measured."""
PARTS = 7
"""Parts of the measured moves, of whose means the median is taken; coprime to the numbers of games and of
deals, so that each part has moves of all.
"""
CONTROLLED = 5
"""Moves from one control to the next."""
TOGETHER = 50
"""Tables that are warmed up at the same time, so that they share commits, which wait for the disk."""
WARMED_UP = 30_000
"""The most tables that are warmed up; the process keeps fewer tables in memory, and the players of fewer."""
RESTING = 1_000
"""Tables at rest whose memory is measured."""

_LIMITS = Limits(text=4096, rows=12, row_keys=8, keys=96, label=40, data=64, gap=0.0)
_ALLOWANCES = Allowances(presses=Rate(10**6, 1.0))
_TRIES = 5
"""How often a move is tried: the bot refuses it if a busy machine lets the store wait too long."""
_LONG = 0.5
"""Seconds; only work in the background sleeps so long or longer."""


class PressTime(AsyncioClock):
    """A clock that stands still and stops the bot's work in the background.

    So no turn alert becomes due and no turn ends while presses are measured, however long that takes.
    """

    def __init__(self) -> None:
        self.time = time.time()

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds if seconds < _LONG else 10**6)


class Nowhere:
    """A platform that drops its messages."""

    key = KEY
    limits = _LIMITS
    reached = True

    def __init__(self) -> None:
        self._numbers = count(1)

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
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


class Figures(Value):
    """The figures of one number of tables."""

    start_s: float
    """Seconds from the opening of the store until the bot takes presses."""
    start_cpu_s: float
    """CPU seconds of the start, which other work of the machine does not lengthen."""
    move_ms: float
    """CPU milliseconds of a press that makes a move: its table is loaded, its panels are sent and stored."""
    control_ms: float
    """CPU milliseconds of a control, between the moves."""
    rss_mb: float
    """The largest resident memory of the process, in MB."""


_COLUMNS = Figures.__struct_fields__


@asynccontextmanager
async def bot(path: str, clock: PressTime | None = None) -> AsyncIterator[Dispatcher]:
    """The bot over a store in a file."""
    store = await open_store(path)
    try:
        async with running(
            store,
            clock or PressTime(),
            {KEY: Nowhere()},
            rng=random.Random(0),
            pace=0.0,
            allowances=_ALLOWANCES,
        ) as dispatcher:
            with short_collections():
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
    is_final = table.game.style(table.game.view(table.state, seat), move) == "danger"
    data = CallbackData(game, table.stamp, "sure" if is_final else "move", str(move)).spelled(_LIMITS.data)
    caller = _caller(table.players[seat].person or "", table.players[seat].name)
    # A reference would keep the old table in memory beside the new one.
    stamp = table.stamp
    del table
    for _ in range(_TRIES):
        began = time.process_time()
        await dispatcher.press(caller, data, "", replaceable=True)
        await dispatcher.panels.lanes.idle()
        await dispatcher.panels.flush()
        spent = time.process_time() - began
        if (await dispatcher.service.table(game)).stamp > stamp:
            return loaded + spent
    raise AssertionError(f"a move was refused {_TRIES} times")


async def _warm_up(dispatcher: Dispatcher, n: int) -> None:
    """Meets the players of a table and makes a move there: a first press reads more than those after it."""
    for seat in range(SEATS):
        await dispatcher.people.sender(_caller(person_id(n, seat), f"Player {seat}"))
    await press(dispatcher, game_id(n), random.Random(n))


def _caller(person: str, name: str) -> Caller:
    user = user_id(person)
    return Caller(user, name, Place(KEY, user), private=True)


async def _started(path: str) -> tuple[float, float]:
    began, cpu = time.perf_counter(), time.process_time()
    async with bot(path):
        return time.perf_counter() - began, time.process_time() - cpu


async def _played(path: str, tables: int, moves: int) -> Figures:
    """Warms up all tables, then measures moves at all in turn, or at ``moves`` of them if there are more.

    Of very many tables only the last `WARMED_UP` are warmed up: no more are kept in memory.
    """
    rng, began, cpu = random.Random(0), time.perf_counter(), time.process_time()
    control = pattern_of(next(iter(games())), "control")
    async with bot(path) as dispatcher:
        start, start_cpu = time.perf_counter() - began, time.process_time() - cpu
        for first in range(max(0, tables - WARMED_UP), tables, TOGETHER):
            those = range(first, min(first + TOGETHER, tables))
            await asyncio.gather(*(_warm_up(dispatcher, n) for n in those))
        # Of very many tables, some are left out at random, so that those measured have all patterns.
        numbers = sorted(random.Random(0).sample(range(tables), min(tables, moves)))
        turns = [game_id(n) for n in numbers] * rounds(tables, moves)
        costs, controls = [], []
        for n, game in enumerate(turns):
            if (cost := await press(dispatcher, game, rng)) is not None:
                costs.append(cost)
            if n % CONTROLLED == 0:
                began = time.process_time()
                Table.replay(control.entries, control.seed_source)
                controls.append(time.process_time() - began)
        await dispatcher.panels.flush()
    return Figures(start, start_cpu, _median(costs) * 1e3, _median(controls) * 1e3, _peak_mb())


def _median(costs: Sequence[float]) -> float:
    """The median of the means of `PARTS` parts, each of which takes every `PARTS`-th cost."""
    return statistics.median(statistics.fmean(costs[n::PARTS] or costs) for n in range(PARTS))


async def _rested(path: str, tables: int) -> float:
    """The kB by which the bot's memory grows with each table at rest, at which one move was made before."""
    rng, clock = random.Random(0), PressTime()
    tracemalloc.start()
    async with bot(path, clock) as dispatcher:
        # The first half fills what does not grow with the tables, such as the caches of drawings.
        for n in range(2 * tables):
            await press(dispatcher, game_id(n), rng)
            if n == tables - 1:
                before = await _traced(dispatcher, clock)
        return (await _traced(dispatcher, clock) - before) / tables / 1e3


async def _traced(dispatcher: Dispatcher, clock: PressTime) -> int:
    """The bytes that the bot takes after nobody has used its tables for a while."""
    await dispatcher.panels.flush()
    clock.time += UNUSED
    while dispatcher.service.rest_unused():
        pass
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e6 / 1024)


def start(path: str) -> tuple[float, float]:
    """Seconds that the bot takes to start over a store, and its CPU seconds."""
    return asyncio.run(_started(path))


def play(path: str, tables: int, moves: int) -> Figures:
    """The figures of moves at the tables of a store, or at ``moves`` of them if there are more."""
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
            _apart(write_store, path, tables, moves)
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
    sys.stdout.write("  tables  start s    CPU s  move ms  control   RSS MB\n")
    for tables in (*given.tables, *given.start):
        row = [figures[name].get(str(tables)) for name in _COLUMNS]
        cells = "".join(f" {value:8.2f}" if value is not None else " " * 9 for value in row)
        sys.stdout.write(f"{tables:8}{cells}\n")
    if figures["at_rest_kb"] is not None:
        sys.stdout.write(f"A table at rest takes {figures['at_rest_kb']:.1f} kB.\n")


if __name__ == "__main__":
    main()
