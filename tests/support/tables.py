"""Tables that have just been dealt, and moves that computers would make at them."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.model.tables import Player
from bot.tables.log.table_state import AnyGame
from bot.tables.table import Table
from engines import games
from engines.game import Level, Move, Seat


def dealt(key: str, *names: str) -> Table:
    """A game without a clock of people with these names, as many as it seats; their names are their ids."""
    table = Table.open(key, clock=0)
    for name in names[: games()[key].seats[-1]]:
        table = table.sit(Player(name, person=name))
    return table.start()


def choose(game: AnyGame, state: Any, seat: Seat, level: Level, rng: Random) -> Move:
    """The move of a computer player, chosen from its own view alone."""
    return game.think(game.view(state, seat), list(game.moves(state, seat)), rng, level)
