"""The query that a computer player answers; worker processes import little else of the bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from engines import games
from engines.game import Level, Move

QueryKind = Literal["think", "estimate"]
"""The method of `engines.game.Game` that answers a query."""


class Query(NamedTuple):
    """The question to a computer player: its view of a game, and the moves from which it chooses."""

    key: str
    """The key of the game."""
    view: Any
    """The view of the player's seat."""
    moves: Sequence[Move]
    level: Level
    luck: str
    """Determines the random numbers of the answer."""


def think(query: Query) -> Move:
    """The move that a computer player chooses; it follows from the query alone."""
    game = games()[query.key]
    return game.think(query.view, list(query.moves), Random(query.luck), query.level)


def estimate(query: Query) -> Mapping[Move, float]:
    """The chances to win after moves; `engines.game.Game.estimate` says after which."""
    game = games()[query.key]
    return game.estimate(query.view, list(query.moves), Random(query.luck))
