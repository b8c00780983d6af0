"""Contenders for tests of matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.matches.playing import DuplicateMatch
from engines.game import Move


class RandomPlayer:
    """Chooses at random."""

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return rng.choice(moves)


class First:
    """Chooses the first move."""

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return moves[0]


@dataclass
class Witness(RandomPlayer):
    """Chooses at random.

    Remembers each view, how many moves it could choose from, and its first random number.
    """

    views: list[Any] = field(default_factory=list)
    move_counts: list[int] = field(default_factory=list)
    first_draw: float | None = None

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        if self.first_draw is None:
            self.first_draw = rng.random()
        self.views.append(view)
        self.move_counts.append(len(moves))
        return super().think(view, moves, rng)


def random_players(match: DuplicateMatch) -> Sequence[RandomPlayer]:
    """A `Seating` of random players, whatever the names of the contenders."""
    return [RandomPlayer() for _ in match.contenders]


def match_of(key: str, seats: int = 2, seed: str = "S", *, swaps: bool = True) -> DuplicateMatch:
    return DuplicateMatch(key, tuple("ABCDEFGH"[:seats]), {}, seed, swaps)
