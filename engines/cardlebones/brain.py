"""A computer player for Cardlebones: what a card scores, knocks off, promises and risks, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.cardlebones.rules import (
    CELLS,
    DECK,
    SIZE,
    Board,
    Cell,
    Column,
    View,
    attack,
    board_score,
    column_score,
    is_full,
)
from engines.cards import Card
from engines.game import Move

_PROMISE = 0.5
"""How much of what a last card would add on average is counted in advance."""
_DRAWS_AHEAD = 4
"""How many of the opponent's draws a card is thought to have to live through."""
_WIN = 1000.0


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move that leaves the best position, by chance among equals."""
    unseen = _unseen(view)
    cells = {move: _cell(move) for move in moves}
    # The rows of a column are worth the same.
    columns = {cell.column: cell for cell in cells.values()}
    worth = {column: _worth(view, cell, unseen) for column, cell in columns.items()}
    best = max(worth.values())
    return rng.choice([move for move in moves if worth[cells[move].column] == best])


def _cell(move: Move) -> Cell:
    word = move.words[0]
    return next(cell for cell in CELLS if str(cell) == word)


def _unseen(view: View) -> list[Card]:
    lying = {card for board in view.boards for column in board for card in column}
    return [card for card in DECK if card not in lying and card not in view.discard and card != view.drawn]


def _worth(view: View, cell: Cell, unseen: Sequence[Card]) -> float:
    assert view.drawn is not None
    seat = view.turn
    boards, _ = attack(view.boards, seat, cell, view.drawn, view.options)
    own, other = boards[seat], boards[1 - seat]
    margin = board_score(own, view.options) - board_score(other, view.options)
    if is_full(own) or not unseen:
        return margin + (_WIN if margin > 0 else -_WIN if margin < 0 else 0)
    column = own[cell.column]
    return margin + _promise(column, view, unseen) - _risk(own, view, unseen)


def _promise(column: Column, view: View, unseen: Sequence[Card]) -> float:
    """What the column may still gain from one more card."""
    held = [card for card in column if card]
    if len(held) == SIZE:
        return 0.0
    gains = [column_score([*held, card], view.options) for card in unseen]
    return _PROMISE * (sum(gains) / len(gains) - column_score(held, view.options))


def _risk(board: Board, view: View, unseen: Sequence[Card]) -> float:
    """What the opponent's next draws may be expected to knock off."""
    ranks = {card.rank for column in board for card in column if card}
    whole = board_score(board, view.options)
    risk = 0.0
    for rank in ranks:
        left = tuple(
            tuple(card if card and card.rank != rank else None for card in column) for column in board
        )
        chance = sum(card.rank == rank for card in unseen) / len(unseen)
        risk += min(1.0, chance * _DRAWS_AHEAD / 2) * (whole - board_score(left, view.options))
    return risk
