"""Computer players: how well they play, how long they take, and whole games among themselves."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from bot.model import Level, Player
from bot.ports import Clock
from bot.table import AnyGame, Table
from engines.game import Move, Result, Seat

NAMES = ("Lola", "Beto", "Nina", "Paco", "Inés", "Tito")
"""What computer players are called, in the order they sit down."""

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
    table: Table,
    clock: Clock,
    rng: random.Random,
    pace: float,
    ready: Callable[[], Awaitable[object]] | None = None,
) -> None:
    """Plays for the computers at a table until the game is over, one move a ``pace`` of seconds.

    ``ready`` may hold them back.
    """
    while not table.result:
        seen = len(table.entries)
        seat = next((seat for seat in table.awaited() if table.players[seat].is_computer), None)
        if seat is None:
            await table.changed(seen)
            continue
        await clock.sleep(pace * _paces(table, rng))
        if ready:
            await ready()
        if len(table.entries) == seen:
            level = table.players[seat].level or "normal"
            await table.play(seat, str(choose(table.game, table.state, seat, level, rng)))


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
    known = table.game.waiting(table.game.view(table.state, None))
    return rng.uniform(*_SECRET_PAUSE) if len(known) > 1 else rng.uniform(0.7, 1.3)
