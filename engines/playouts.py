"""Judges moves by playouts: plays on after each move, in imagined deals, and averages the outcomes.

A game hands in how to imagine a deal and how to play on, to the end or to where it can judge the outcome;
this module depends on no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from engines.game import Game, Move, Result, Seat

D = TypeVar("D")
M = TypeVar("M")

_BUDGET = 48
"""The playouts of `estimate` for all moves together, unless its caller says otherwise."""
_MOST_MOVES = 1_000
"""The moves after which `play_out` gives up."""


class Outcome(NamedTuple):
    """The outcome of one playout for one seat; an estimate if the playout stops before the end."""

    lead: float
    """The points by which the seat is ahead of the best other seat."""
    wins: float
    """The seat's share of the win: 1, 1/n if n seats share it, or 0; in an estimate its chance to win."""

    @classmethod
    def of(cls, result: Result, seat: Seat) -> Outcome:
        others = [score for other, score in enumerate(result.scores) if other != seat]
        lead = result.scores[seat] - max(others, default=0)
        return cls(lead, 1 / len(result.winners) if seat in result.winners else 0.0)


class Judgement(NamedTuple):
    """The average outcome of a move's playouts."""

    playouts: int
    lead: float
    wins: float


def by_wins(judgement: Judgement) -> float:
    """Ranks moves by the share of wins; a lead of 10 points counts as much as 1 % of wins."""
    return judgement.wins + judgement.lead / 1_000


def judge(
    moves: Sequence[M],
    imagine: Callable[[Random], D],
    play: Callable[[D, M, Random], tuple[float, float]],
    rng: Random,
    budget: int,
    rank: Callable[[Judgement], float] = by_wins,
) -> Mapping[M, Judgement]:
    """Judges moves by about ``budget`` playouts in all.

    ``play`` makes the move in the deal, plays on and returns the lead and the share of the win, as in
    `Outcome`; it leaves the deal unchanged. Every move in the running is played in the same deals with the
    same luck, so that chance favours none of them. After each round the worse half, by ``rank``, drops out
    (successive halving); each round has an equal share of the budget. Each move is played at least once,
    whatever the budget.
    """
    sums: dict[M, tuple[int, float, float]] = dict.fromkeys(moves, (0, 0.0, 0.0))
    running, left = list(sums), budget
    rounds = max(1, (len(running) - 1).bit_length())
    for rounds_left in range(rounds, 0, -1):
        least = 1 if rounds_left == rounds else 0
        for _ in range(max(least, left // (rounds_left * len(running)))):
            deal, luck = imagine(rng), rng.getrandbits(64)
            for move in running:
                played, lead, wins = sums[move]
                more, share = play(deal, move, Random(luck))
                sums[move] = played + 1, lead + more, wins + share
            left -= len(running)
        best = sorted(running, key=lambda move: -rank(_average(sums[move])))
        running = best[: (len(best) + 1) // 2]
    return {move: _average(sums[move]) for move in sums}


def _average(total: tuple[int, float, float]) -> Judgement:
    played, lead, wins = total
    return Judgement(played, lead / played, wins / played)


def estimate(
    game: Game[Any, Any], view: Any, seat: Seat, moves: Sequence[Move], rng: Random, budget: int = _BUDGET
) -> Mapping[Move, float]:
    """The chance that the seat wins after each move, for any game: all seats play on as ``normal`` does."""

    def play(state: Any, move: Move, luck: Random) -> Outcome:
        return play_out(game, game.apply(state, seat, move)[0], seat, luck)

    judged = judge(moves, lambda luck: game.imagine(view, luck), play, rng, budget)
    return {move: judgement.wins for move, judgement in judged.items()}


def play_out(game: Game[Any, Any], state: Any, seat: Seat, rng: Random) -> Outcome:
    """Plays a state to the end, all seats as ``normal``.

    After `_MOST_MOVES` it gives up: all seats that have acted share the win.
    """
    actors = {seat}
    for _ in range(_MOST_MOVES):
        if (result := game.result(state)) is not None:
            return Outcome.of(result, seat)
        public = game.view(state, None)
        for actor in game.awaited(public).must:
            actors.add(actor)
            if moves := list(game.moves(state, actor)):
                chosen = game.think(game.view(state, actor), moves, rng)
                state, _ = game.apply(state, actor, chosen)
                break
    return Outcome(0.0, 1 / len(actors))
