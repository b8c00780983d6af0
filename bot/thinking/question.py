"""The question that a computer player answers. Worker processes know no more of the bot than this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from engines import games
from engines.game import Level, Move

Kind = Literal["think", "estimate"]
"""The method of `engines.game.Game` that answers a question."""


class Question(NamedTuple):
    """What a computer player may know of a game, and the moves from which it chooses."""

    key: str
    """The key of the game."""
    view: Any
    """The view of the player's seat."""
    moves: Sequence[Move]
    level: Level
    luck: str
    """Determines the random numbers of the answer."""


def think(question: Question) -> Move:
    """The move that a computer player chooses; it follows from the question alone."""
    game = games()[question.key]
    return game.think(question.view, list(question.moves), Random(question.luck), question.level)


def estimate(question: Question) -> Mapping[Move, float]:
    """The chance to win after each move, as `engines.game.Game.estimate` tells it."""
    game = games()[question.key]
    return game.estimate(question.view, list(question.moves), Random(question.luck))
