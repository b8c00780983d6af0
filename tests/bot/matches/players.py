"""Contenders for tests of matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.matches.playing import DuplicateMatch
from engines.game import Move


class Anything:
    """Chooses at random."""

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return rng.choice(moves)


class First:
    """Chooses the first move."""

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return moves[0]


@dataclass
class Witness(Anything):
    """Chooses at random, and remembers its views, its numbers of moves and its first random number."""

    views: list[Any] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    luck: list[float] = field(default_factory=list)

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        if not self.luck:
            self.luck.append(rng.random())
        self.views.append(view)
        self.choices.append(len(moves))
        return super().think(view, moves, rng)


def anything(match: DuplicateMatch) -> Sequence[Anything]:
    """A seating of random players, whatever the names of the contenders."""
    return [Anything() for _ in match.contenders]


def match_of(key: str, seats: int = 2, seed: str = "S", *, swaps: bool = True) -> DuplicateMatch:
    return DuplicateMatch(key, tuple("ABCDEFGH"[:seats]), {}, seed, swaps)
