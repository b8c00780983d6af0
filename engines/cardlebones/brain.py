"""The computer players of Cardlebones.

All empty cells of a column are worth the same. ``easy`` counts the points that the card adds to its column;
``normal`` also those that the attack takes, and what one more card may bring; ``hard`` weighs what every
column is worth with all cards still to come (`prospects`), and plays out the opponent's last reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from engines.cardlebones.effects import attack
from engines.cardlebones.prospects import prospect
from engines.cardlebones.scoring import board_score, column_score, score_with_reasons
from engines.cardlebones.state import CELL_OF_WORD, CELLS, SIZE, Board, Cell, Column, View, unseen_cards
from engines.cards import Card
from engines.game import Level, Move

_POTENTIAL_WEIGHT = 0.5
"""The weight of the average gain that one more card would bring a column."""


class _Forecast(NamedTuple):
    """How the lead in prospects foretells the final lead, as measured by `bench.forecasts`."""

    share: float
    """The share of the lead that stays."""
    tempo: float
    """The points that the opponent gains by moving next."""
    spread: float
    """The standard deviation of the final lead from the one foretold."""


_FORECASTS = (
    _Forecast(1.00, 4.1, 27.7),
    _Forecast(1.02, 9.6, 33.7),
    _Forecast(0.96, 8.2, 40.0),
    _Forecast(0.90, 6.7, 44.6),
    _Forecast(0.86, 6.6, 47.4),
    _Forecast(0.78, 4.9, 49.2),
    _Forecast(0.71, 4.2, 50.5),
    _Forecast(0.60, 2.7, 51.2),
)
"""The forecasts with one turn left, two turns left and so on."""


class Expectation(NamedTuple):
    """How a placement leaves the game for its player; more is better."""

    chance: float
    """The chance to win, with a draw as half a win."""
    lead: float
    """The lead by `lead_in_prospects` while the player has turns left; else the final lead in points."""


def think(view: View, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
    """The move that leaves the best position; a random one among equals."""
    weigh = {"easy": _weigh_easily, "normal": _weigh_normally, "hard": expectation}[level]
    # One cell of each column is enough.
    cells = {cell.column: cell for cell in map(cell_of, moves)}
    value_of = {column: weigh(view, cell) for column, cell in cells.items()}
    best = max(value_of.values())
    return rng.choice([move for move in moves if value_of[cell_of(move).column] == best])


def estimate(view: View, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
    """The chance to win after each move."""
    cells = {cell.column: cell for cell in map(cell_of, moves)}
    chances = {column: expectation(view, cell).chance for column, cell in cells.items()}
    return {move: chances[cell_of(move).column] for move in moves}


def cell_of(move: Move) -> Cell:
    return CELL_OF_WORD[move.words[0]]


def gain(view: View, cell: Cell) -> int:
    """The points that a placement of the drawn card adds to its column."""
    column = view.boards[view.turn][cell.column]
    return column_score((*column, view.drawn), view.options) - column_score(column, view.options)


def _weigh_easily(view: View, cell: Cell) -> tuple[float, float]:
    """The `gain`, in a pair like an `Expectation`, so that the values of all levels have one type."""
    return gain(view, cell), 0.0


def _weigh_normally(view: View, cell: Cell) -> tuple[float, float]:
    """The lead in points after a placement plus the potential that it adds to the column, in a pair."""
    own, other = _boards_after(view, cell)
    unseen = unseen_cards(view)
    lead = board_score(own, view.options) - board_score(other, view.options)
    before = view.boards[view.turn][cell.column]
    return lead + _potential(own[cell.column], view, unseen) - _potential(before, view, unseen), 0.0


def _potential(column: Column, view: View, unseen: Sequence[Card]) -> float:
    """The weighted average gain of a column from one more unseen card, in points; 0 if it can get no card."""
    held = [card for card in column if card]
    if len(held) == SIZE or not unseen:
        return 0.0
    scores = [score_with_reasons((*held, card), view.options) for card in unseen]
    average = sum([score.points for score in scores]) / len(scores)
    return _POTENTIAL_WEIGHT * (average - column_score(held, view.options))


def expectation(view: View, cell: Cell) -> Expectation:
    """How a placement of the drawn card leaves the game."""
    if turns := turns_left(view, cell):
        lead, forecast = lead_in_prospects(view, cell, turns), _FORECASTS[turns - 1]
        expected = forecast.share * lead - forecast.tempo
        return Expectation(NormalDist(0, forecast.spread).cdf(expected), lead)
    own, other = _boards_after(view, cell)
    # The opponent's board can be full in a loaded position.
    if not (_count_free(own) and _count_free(other) and view.stock_size):
        return _final(own, other, view)
    return _after_last_reply(view, own, other)


def turns_left(view: View, cell: Cell) -> int:
    """About how many turns the player has left; 0 only if the opponent has at most one more turn."""
    own, other = map(_count_free, _boards_after(view, cell))
    return 0 if other == 1 else min(own, other, view.stock_size // 2)


def lead_in_prospects(view: View, cell: Cell, turns: int) -> float:
    """By how much the player's columns are worth more than the opponent's after a placement."""
    # Rounding makes a plain sum depend on the order of the columns, so equal placements could differ.
    own, other = (
        fsum(prospect(column, turns, view.options) for column in board) for board in _boards_after(view, cell)
    )
    return own - other


def _after_last_reply(view: View, own: Board, other: Board) -> Expectation:
    """The average outcome if the opponent places one more card, which may be any unseen card."""
    replies = [_best_reply(view, own, other, card) for card in unseen_cards(view)]
    n = len(replies)
    return Expectation(sum(reply.chance for reply in replies) / n, sum(reply.lead for reply in replies) / n)


def _best_reply(view: View, own: Board, other: Board, card: Card) -> Expectation:
    """The final outcome after the opponent's last card, placed where it serves the opponent best."""
    free = {cell.column: cell for cell in CELLS if other[cell.column][cell.row] is None}
    outcomes = []
    for cell in free.values():
        (after, own_after), _ = attack((other, own), seat=0, cell=cell, card=card, options=view.options)
        outcomes.append(_final(own_after, after, view))
    return min(outcomes)


def _final(own: Board, other: Board, view: View) -> Expectation:
    """The outcome of a game that ends with these boards."""
    lead = board_score(own, view.options) - board_score(other, view.options)
    return Expectation(0.5 if lead == 0 else float(lead > 0), lead)


def _boards_after(view: View, cell: Cell) -> tuple[Board, Board]:
    """The boards of the player and of the opponent after a placement and its attack."""
    assert view.drawn is not None
    boards, _ = attack(view.boards, view.turn, cell, view.drawn, view.options)
    return boards[view.turn], boards[1 - view.turn]


def _count_free(board: Board) -> int:
    return sum(card is None for column in board for card in column)
