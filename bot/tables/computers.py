"""Computer players: how well they play, how long they take, and whole games among themselves."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bot.errors import origin
from bot.model import GameId, Level, Player, Refused
from bot.ports import StoreError
from bot.tables.service import TableService
from bot.tables.table import AnyGame, Table
from engines.game import Move, Result, Seat

NAMES = ("Lola", "Beto", "Nina", "Paco", "Inés", "Tito")
"""What computer players are called, in the order they sit down."""

_RECOVERY = 5.0
"""Seconds before a computer player that has failed is asked again."""

log = logging.getLogger(__name__)

_CARELESS = 0.5
"""How often an easy player makes any move that comes to mind."""
_SECRET_PAUSE = (2.0, 6.0)
"""How many paces pass where nobody may know whether a person or a computer is thinking."""


def computers(n: int, level: Level, taken: Sequence[str] = ()) -> list[Player]:
    """So many computer players, with names that nobody at the table has."""
    free = [name for name in NAMES if name.casefold() not in {other.casefold() for other in taken}]
    return [Player(name, level) for name in free[:n]]


def choose(game: AnyGame, state: Any, seat: Seat, level: Level, rng: random.Random) -> Move:
    """The move of a computer player, from its own view alone."""
    moves = list(game.moves(state, seat))
    if level == "easy" and rng.random() < _CARELESS:
        return rng.choice(moves)
    return game.think(game.view(state, seat), moves, rng)


async def attend(
    service: TableService,
    game: GameId,
    rng: random.Random,
    pace: float,
    ready: Callable[[], Awaitable[object]] | None = None,
) -> Table:
    """Plays for the computers at a table until none of them is awaited, one move a ``pace`` of seconds.

    ``ready`` may hold them back. Returns the table as it is then.
    """
    while True:
        table = await service.table(game)
        seat = next((seat for seat in table.active() if table.players[seat].is_computer), None)
        if seat is None:
            return table
        await service.clock.sleep(pace * _paces(table, rng))
        if ready:
            await ready()
        await service.change(game, partial(_move, seat=seat, stamp=table.stamp, rng=rng))


class ComputerPlayers:
    """Plays for the computers of all tables of a house."""

    def __init__(self, service: TableService, rng: random.Random, pace: float) -> None:
        self._service = service
        self._rng = rng
        self._pace = pace
        self._tasks: dict[GameId, asyncio.Task[None]] = {}
        self._closed = False
        service.listen(self._hear)

    async def close(self) -> None:
        """Stops playing; what is stored can be taken up again."""
        # A move that is being stored will still be heard of.
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _hear(self, table: Table, before: Table | None) -> None:
        computers = any(player.is_computer for player in table.players)
        if self._closed or not computers or table.id in self._tasks:
            return
        if table.status == "playing":
            self._tasks[table.id] = asyncio.create_task(self._attend(table.id))

    async def _attend(self, game: GameId) -> None:
        try:
            while not await self._attended(game):
                await self._service.clock.sleep(_RECOVERY)
            # Nothing may be awaited from here on: whoever changes the table next must find no task.
        finally:
            self._tasks.pop(game, None)

    async def _attended(self, game: GameId) -> bool:
        """Plays for the computers of a table; False where that failed and is to be tried again.

        For a computer player that fails the clock's move is made, so that the table goes on.
        """
        try:
            await attend(self._service, game, self._rng, self._pace)
        except Refused:
            return True
        except StoreError as error:
            # It has played well; once the store works again it plays the same or another move.
            log.warning("a computer player waits for the store at table %s: %s", game, origin(error))
            return False
        except Exception as error:
            log.error("a computer player failed at table %s: %s", game, origin(error))
        else:
            return True
        try:
            await self._service.change(game, _time_out)
        except Exception as error:
            log.error("table %s cannot go on: %s", game, origin(error))
        return False


def _move(table: Table, seat: Seat, stamp: int, rng: random.Random) -> Table:
    """The table after a computer's move; as it is where the computer has moved, or is not awaited any more.

    Another seat that moved meanwhile takes no move from it.
    """
    player = table.players[seat]
    if player.level is None or table.acted_since(seat, stamp) or seat not in table.active():
        return table
    return table.play(seat, str(choose(table.game, table.state, seat, player.level, rng)))


def _time_out(table: Table) -> Table:
    seat = next((seat for seat in table.active() if table.players[seat].is_computer), None)
    return table if seat is None else table.time_out(seat)


def play_out(
    game: AnyGame, levels: Sequence[Level], seed: bytes, options: Mapping[str, str], rng: random.Random
) -> tuple[Result, int]:
    """The result of a whole game among computer players, and how many moves it took."""
    state, moves = game.new(len(levels), seed, options), 0
    while (result := game.result(state)) is None:
        seat = next(seat for seat in range(len(levels)) if game.choices(state, seat).words)
        state, _ = game.apply(state, seat, choose(game, state, seat, levels[seat], rng))
        moves += 1
    return result, moves


def _paces(table: Table, rng: random.Random) -> float:
    """One, but where nobody may know who is awaited, as many as a person might take."""
    return rng.uniform(*_SECRET_PAUSE) if len(table.awaited(None).must) > 1 else rng.uniform(0.7, 1.3)
