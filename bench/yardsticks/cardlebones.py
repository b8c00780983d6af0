"""A computer player for Cardlebones: it weighs the points that a card scores, takes away and prepares."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.cardlebones.effects import attack
from engines.cardlebones.scoring import board_score, column_score
from engines.cardlebones.state import CELLS, DECK, SIZE, Cell, Column, View
from engines.cards import Card
from engines.game import Move

_POTENTIAL_WEIGHT = 0.5
"""The weight of the average gain that one more card would bring a column."""


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move that leaves the best position; a random one among equals."""
    unseen = _unseen_cards(view)
    cells = {move: _cell(move) for move in moves}
    # All cells of a column are worth the same, so one cell of each column is weighed.
    columns = {cell.column: cell for cell in cells.values()}
    value_of = {column: _placement_value(view, cell, unseen) for column, cell in columns.items()}
    best = max(value_of.values())
    return rng.choice([move for move in moves if value_of[cells[move].column] == best])


def _cell(move: Move) -> Cell:
    word = move.words[0]
    return next(cell for cell in CELLS if str(cell) == word)


def _unseen_cards(view: View) -> list[Card]:
    lying = {card for board in view.boards for column in board for card in column}
    return [card for card in DECK if card not in lying and card not in view.discard and card != view.drawn]


def _placement_value(view: View, cell: Cell, unseen: Sequence[Card]) -> float:
    """The value of a placement: the lead in points, plus the potential of the player's columns."""
    assert view.drawn is not None
    boards, _ = attack(view.boards, view.turn, cell, view.drawn, view.options)
    own, other = boards[view.turn], boards[1 - view.turn]
    lead = board_score(own, view.options) - board_score(other, view.options)
    return lead + sum(_potential(column, view, unseen) for column in own)


def _potential(column: Column, view: View, unseen: Sequence[Card]) -> float:
    """The weighted average gain in points of a column from one more unseen card; 0 if it is full."""
    held = [card for card in column if card]
    if len(held) == SIZE or not unseen:
        return 0.0
    gains = [column_score([*held, card], view.options) for card in unseen]
    return _POTENTIAL_WEIGHT * (sum(gains) / len(gains) - column_score(held, view.options))
