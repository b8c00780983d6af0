"""Measures how long leaderboards and profiles take in a store with a million finished games.

Run from the checkout: ``python -m bench.leaderboard --json``. The games are in an SQLite file: that of
``--file``, else a temporary one. With ``--postgres URL`` they are copied to that database, unless it has
games, and it is measured instead. The games are drawn at random: some people play much more often than
others, somewhat over a tenth of all games are against computers alone, and one server is much larger than all
others. No logs are stored, and tallies by month and by week only of the last 60 days.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from bench.leaderboard_copy import copy_store
from bot.model.leaderboards import ORDERS, Leaderboard, periods
from bot.ratings import shown
from bot.storage import Store
from bot.store import open_store
from engines import games

GAMES = 1_000_000
GAMES_PER_PERSON = 20
"""How many times more games than people there are."""
SERVERS = 2000
"""The number of servers among which `GAMES` games are divided; fewer games have fewer servers."""
LARGEST_SHARE = 0.15
"""The share of all games that the largest server has."""
CHANNELS = 3
"""Channels of each server."""
YEAR = 365 * 86_400.0
"""The seconds before `NOW` in which the games have ended."""
NOW = 1_795_000_000.0
"""The time of the last game, in seconds since 1970."""
RECENT = 60 * 86_400.0
"""The seconds before `NOW` whose games are also tallied by month and by week."""
PEOPLE_PER_HIDDEN = 100
"""One person in so many is hidden."""
REPEATS = 9
"""How often each question is asked and measured."""
PAGE_SIZE = 10
"""The lines of a page of a leaderboard."""
_CHUNK = 50_000
"""Games that are drawn and stored together."""
_TICK = 0.001
"""Seconds between two looks at whether the event loop is held."""

Ask = Callable[[Store], Awaitable[object]]
"""Asks a store one question."""
_Tallies = defaultdict[tuple[str, str, str, str, bool], list[int]]
"""Games, wins and the rating gained, by scope, period, key, person and whether against computers alone."""


class _Fill:
    """Draws finished games, and stores what leaderboards read of them."""

    def __init__(self, file: Path, count: int, seed: int) -> None:
        self._rng = random.Random(seed)
        self._count = count
        self._people = [f"p{n:015}" for n in range(max(count // GAMES_PER_PERSON, 20))]
        self._servers = [self._members(n) for n in range(max(SERVERS * count // GAMES, 4))]
        self._keys = sorted(games())
        # One game is played most, as in a community: 1, 2, 5, 1, 2 for five games.
        self._shares = [5 if n == 2 else 1 + n % 3 for n in range(len(self._keys))]
        self._tallies: _Tallies = defaultdict(lambda: [0, 0, 0])
        self._strengths: dict[tuple[str, str], tuple[float, float, int]] = {}
        """Mean and deviation of the rating, and rated games, by person and key."""
        self._file = file

    def run(self) -> None:
        with closing(sqlite3.connect(self._file)) as connection:
            for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -400000"):
                connection.execute(f"PRAGMA {pragma}")
            indexes = _without_indexes(connection)
            for begin in range(0, self._count, _CHUNK):
                drawn = range(begin, min(begin + _CHUNK, self._count))
                results = [row for n in drawn for row in self._game(n)]
                firsts = (row for row in results if row[2] == 0)
                _insert(connection, "game", map(_game_row, firsts))
                _insert(connection, "result", results)
                connection.commit()
            people = (
                (person, f"Player {person[-6:]}", n % PEOPLE_PER_HIDDEN == 7)
                for n, person in enumerate(self._people)
            )
            connection.executemany(
                'INSERT INTO person (id, name, "order", letters, careful, calls, quiet, region, pictures,'
                " forced, hidden, suggestions, alias)"
                " VALUES (?, ?, 'rank', 0, 0, 'soon', '', '', 'fits', 'open', ?, '', '')",
                people,
            )
            # SQLite appends rows that come in the order of the primary key, which is faster.
            _insert(connection, "rating", map(_rating_row, sorted(self._strengths.items())))
            _insert(connection, "tally", ((*key, *sums) for key, sums in sorted(self._tallies.items())))
            for statement in (*indexes, "ANALYZE"):
                connection.execute(statement)
            connection.commit()
            connection.execute("PRAGMA journal_mode = WAL")

    def _members(self, n: int) -> list[str]:
        """The people of a server; the first has very many, who play elsewhere too."""
        size = len(self._people) // 5 if not n else self._rng.randint(4, 60)
        return self._rng.sample(self._people, min(size, len(self._people)))

    def _game(self, n: int) -> Iterator[tuple[object, ...]]:
        """The rows of a game's results, with their columns in order; the third is the seat, from 0."""
        rng, is_large = self._rng, self._rng.random() < LARGEST_SHARE
        server = 0 if is_large else rng.randrange(1, len(self._servers))
        members = self._servers[server]
        # The square lets people at the front of the list play much more often than others.
        wanted = rng.choices((1, 2, 3), (1, 7, 2))[0]
        chosen = {members[int(len(members) * rng.random() ** 2)] for _ in range(wanted)}
        players = rng.sample(sorted(chosen), len(chosen))
        key, alone = rng.choices(self._keys, self._shares)[0], len(players) == 1
        ended = NOW - YEAR + n * YEAR / self._count
        channel, home = f"discord/{server}-{rng.randrange(CHANNELS)}", f"discord/{server}"
        for seat, person in enumerate(players):
            won = rng.random() < 0.5 if alone else not seat
            mu, sigma, rated = self._strengths.get((person, key), (25.0, 8.3, 0))
            after = (mu + (1 if won else -1) * sigma / 8, max(sigma * 0.95, 1.5))
            gained = 0 if alone else shown(*after) - shown(mu, sigma)
            if not alone:
                self._strengths[person, key] = (*after, rated + 1)
            self._count_result(person, key, (channel, home), ended, alone, won, gained)
            ratings = (None,) * 4 if alone else (mu, sigma, *after)
            yield (
                f"{n:010x}", person, seat, key, n + 1, ended, channel, home, seat + 1, 9 - seat, won, alone,
                True, "computers" if alone else "", *ratings,
            )  # fmt: skip

    def _count_result(
        self,
        person: str,
        key: str,
        places: tuple[str, str],
        ended: float,
        alone: bool,
        won: bool,
        gained: int,
    ) -> None:
        """Adds a person's result to the tallies of its places and times."""
        channel, home = places
        for scope in ("", f"c:{channel}", f"s:{home}"):
            for period in periods(ended) if ended > NOW - RECENT else ("",):
                for which in ("", key):
                    sums = self._tallies[scope, period, which, person, alone]
                    sums[0] += 1
                    sums[1] += won
                    sums[2] += gained


def _game_row(result: tuple[object, ...]) -> tuple[object, ...]:
    """The row of a game that is over, made from that of one of its results."""
    game, ended, channel = result[0], result[5], str(result[6]).partition("/")[2]
    return (
        game, "discord", channel, "", 1, result[3], 1, "over", "", 0, ended, ended, None, None, None, ""
    )  # fmt: skip


def _rating_row(item: tuple[tuple[str, str], tuple[float, float, int]]) -> tuple[object, ...]:
    (person, key), (mu, sigma, rated) = item
    return person, key, mu, sigma, rated, NOW, shown(mu, sigma)


def _without_indexes(connection: sqlite3.Connection) -> Sequence[str]:
    """Drops the indexes, which are built faster over all rows than row by row; returns their statements."""
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql <> ''"
    ).fetchall()
    for name, _ in found:
        connection.execute(f"DROP INDEX {name}")
    return [statement for _, statement in found]


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    columns = len(connection.execute(f"PRAGMA table_info({table})").fetchall())
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", rows)


def _first_page(leaderboard: Leaderboard, reader: str) -> Ask:
    return lambda store: store.leaderboard(leaderboard, reader, 0, PAGE_SIZE)


def asks(reader: str, other: str) -> Iterator[tuple[str, Ask]]:
    """The questions by name.

    The first pages of leaderboards by scope, period and order, and of a leaderboard of games against
    computers; a late page; the game with the most wins in a server; two profiles.
    """
    _, month, _ = periods(NOW)
    for scope in ("", "s:discord/0", "c:discord/0-1", "s:discord/1"):
        for period in ("", month):
            for order in ORDERS:
                key = "casino" if order == "rating" else ""
                leaderboard = Leaderboard(scope, period, key, order)
                name = f"{scope or 'everywhere'} {period or 'all'} {order}"
                yield name, _first_page(leaderboard, reader)
    first = 99 * PAGE_SIZE
    yield (
        "everywhere all wins, page 100",
        lambda store: store.leaderboard(Leaderboard(), reader, first, PAGE_SIZE),
    )
    yield "everywhere all wins against computers", _first_page(Leaderboard(alone=True), reader)
    yield "game with most wins here", lambda store: store.game_with_most_wins("s:discord/0", list(games()))
    yield "own profile", lambda store: store.profile(reader, reader, list(games()))
    yield "another's profile", lambda store: store.profile(other, reader, list(games()))


async def _stalls(worst: list[float]) -> None:
    """Notes in ``worst[0]`` the longest time, in ms, for which the event loop was held, until cancelled."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(_TICK)
        worst[0] = max(worst[0], (time.perf_counter() - began - _TICK) * 1000)


async def measured(url: str, reader: str, other: str) -> dict[str, dict[str, float]]:
    """For each question, in milliseconds: the CPU time, the median and the worst duration, and ``held``.

    The CPU time is the median of this process, without a PostgreSQL server's; ``held`` is the longest time
    for which the event loop could do nothing else.
    """
    store, found = await open_store(url), {}
    try:
        for name, ask in asks(reader, other):
            await ask(store)
            held, times, spent = [0.0], list[float](), list[float]()
            watch = asyncio.create_task(_stalls(held))
            for _ in range(REPEATS):
                began, used = time.perf_counter(), time.process_time()
                await ask(store)
                times.append((time.perf_counter() - began) * 1000)
                spent.append((time.process_time() - used) * 1000)
            # If the last answer has held the event loop, the watch still has to note it.
            await asyncio.sleep(_TICK)
            watch.cancel()
            found[name] = {
                "cpu": round(statistics.median(spent), 1),
                "median": round(statistics.median(times), 1),
                "worst": round(max(times), 1),
                "held": round(held[0], 1),
            }
    finally:
        await store.close()
    return found


async def fill_store(file: Path, count: int, seed: int = 1) -> None:
    """Makes a store with ``count`` finished games; after an interruption there is no file of this name."""
    draft = file.with_name(f"{file.name}.draft")
    draft.unlink(missing_ok=True)
    await (await open_store(str(draft))).close()
    await asyncio.to_thread(_Fill(draft, count, seed).run)
    draft.replace(file)


def frequent_winners(file: Path) -> tuple[str, str]:
    """Two people with many wins in the largest server, but too few for its leaderboard's first page.

    With few people in the store they may be on that page.
    """
    with closing(sqlite3.connect(file)) as connection:
        most = connection.execute(
            "SELECT person FROM tally WHERE scope = 's:discord/0' AND period = '' AND key = '' AND NOT alone"
            " ORDER BY wins DESC LIMIT 22"
        ).fetchall()
    return most[-1][0], most[-2][0]


async def run(
    count: int, kept_file: Path | None, postgres: str = ""
) -> tuple[int, dict[str, dict[str, float]]]:
    """Measures the store in a new or kept file, or that in a PostgreSQL database.

    Makes the file with ``count`` games if there is none, and copies its games to the database if that has
    none. Returns the number of games in the measured store, and what `measured` returns.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = kept_file or Path(folder) / "games.db"
        if not file.exists():
            await fill_store(file, count)
        stored = await copy_store(file, postgres) if postgres else _count_games(file)
        return stored, await measured(postgres or str(file), *frequent_winners(file))


def _count_games(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM game").fetchone()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="how many a new store gets")
    parser.add_argument("--file", type=Path, help="where the store is kept for the next run")
    parser.add_argument(
        "--postgres", default="", help="the URL of a database, which is filled if it has no games"
    )
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    stored, found = asyncio.run(run(given.games, given.file, given.postgres))
    if given.json:
        print(json.dumps({"games": stored, "milliseconds": found}, indent=1))
        return
    for name, times in found.items():
        print(f"{name:<40}", *(f"{measure} {ms:6.1f}" for measure, ms in times.items()))


if __name__ == "__main__":
    main()
