"""Plays the games of a duplicate match."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias

import msgspec

from bot.tables.log.commitment import seed_of
from bot.tables.log.table_state import AnyGame
from bot.tables.names.levels import LEVELS
from engines import games
from engines.game import Level, Move, Seat, only_move
from engines.values import Value

LEVEL_NAMED: Mapping[str, Level] = {level: level for level in LEVELS}
"""The levels by the names of the contenders that play at them."""
MOST_MOVES = 5000
"""Moves after which a game is cut and counts as a draw; the longest games of random players need fewer."""


class Contender(Protocol):
    """A contender in one game of a match."""

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        """The move of the seat whose view this is, chosen from ``moves``; its luck is ``rng``."""


class Computer(Value):
    """A game's own computer player at one of its levels."""

    game: AnyGame
    level: Level

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        return self.game.think(view, moves, rng, self.level)


class DuplicateMatch(Value):
    """The conditions of a match, from which all of its games follow, but for their times."""

    key: str
    """The key of the game."""
    contenders: tuple[str, ...]
    """The names of the contenders, one for each seat, as they sit in the first game of each deal."""
    options: Mapping[str, str]
    seed: str
    """The words from which all deals and all luck follow."""
    swaps: bool = True
    """Whether each deal is played once in every rotation of the seats; else only once."""

    @property
    def games_of_a_deal(self) -> int:
        """How often each deal is played."""
        return len(self.contenders) if self.swaps else 1

    def deals(self, count: int) -> int:
        """The number of whole deals with at least ``count`` games."""
        return -(-count // self.games_of_a_deal)

    def words(self, deal: int) -> str:
        """The seed words of a deal, from 0; `play --seed` deals the same cards from them."""
        return f"{self.seed}:{deal}" if deal else self.seed


Seating: TypeAlias = Callable[[DuplicateMatch], Sequence[Contender]]
"""Makes the contenders of a match for one game, in the order of `DuplicateMatch.contenders`."""


class GameRecord(msgspec.Struct, frozen=True):
    """The outcome of one game; ``scores`` and ``ms`` have one entry for each contender."""

    number: int
    """From 0; the games of the first deal come first."""
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    """The indices of the contenders who won; of all if the game was cut."""
    moves: int
    ms: tuple[tuple[float, ...], ...]
    """Milliseconds of CPU time of each decision, but for moves that were the only possible ones."""
    cut: bool = False
    """Whether the game had not ended after `MOST_MOVES`; its scores are then 0."""


def computers(match: DuplicateMatch) -> Sequence[Contender]:
    """The computer players of a match whose contenders are levels."""
    game = games()[match.key]
    return [Computer(game, LEVEL_NAMED[name]) for name in match.contenders]


def play(match: DuplicateMatch, seating: Seating, number: int, most_moves: int = MOST_MOVES) -> GameRecord:
    """Plays one game of a match.

    A seat's luck follows from the deal and the seat, and has nothing in common with the cards. It is the same
    in all games of a deal, so that contenders who play alike win equally often.
    """
    game, seats = games()[match.key], len(match.contenders)
    deal, rotation = divmod(number, match.games_of_a_deal)
    contender_at = [(seat - rotation) % seats for seat in range(seats)]
    players = seating(match)
    words = match.words(deal)
    luck = [Random(f"luck of seat {seat} in {words}") for seat in range(seats)]
    ms: list[list[float]] = [[] for _ in range(seats)]
    state, moves = game.new(seats, seed_of(words), match.options), 0
    while (result := game.result(state)) is None and moves < most_moves:
        seat, view = _to_move(game, state, seats)
        legal = tuple(game.moves(state, seat))
        move = only_move(game, state, seat) if len(legal) == 1 else None
        if move is None:
            began = time.process_time()
            move = players[contender_at[seat]].think(view, legal, luck[seat])
            ms[contender_at[seat]].append(round((time.process_time() - began) * 1000, 2))
        state, _ = game.apply(state, seat, move)
        moves += 1
    times = tuple(map(tuple, ms))
    if result is None:
        return GameRecord(number, (0,) * seats, tuple(range(seats)), moves, times, cut=True)
    scores = tuple(result.scores[(contender + rotation) % seats] for contender in range(seats))
    winners = tuple(sorted(contender_at[seat] for seat in result.winners))
    return GameRecord(number, scores, winners, moves, times)


def _to_move(game: AnyGame, state: Any, seats: int) -> tuple[Seat, Any]:
    """The first seat that the game waits for, and its view."""
    for seat in range(seats):
        view = game.view(state, seat)
        if seat in game.awaited(view).must:
            return seat, view
    raise AssertionError("a game that is not over waits for a seat")
