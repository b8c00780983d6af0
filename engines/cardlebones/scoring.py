"""Scores columns and boards (rules 8 to 11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engines.cardlebones import texts
from engines.cardlebones.state import SIZE, Board, Column
from engines.cards import Card
from engines.game import Text

_CACHE_SIZE = 1 << 12


class ColumnScore(NamedTuple):
    """The points of a column and their reasons."""

    ranks: tuple[int, ...]
    """The points of each rank, all its cards together, in the order of the column."""
    bonus: int
    reason: Text | None
    """The reason for the bonus; None without a bonus."""

    @property
    def points(self) -> int:
        """The points of the whole column."""
        return sum(self.ranks) + self.bonus


def score_with_reasons(cards: Iterable[Card | None], options: Mapping[str, str]) -> ColumnScore:
    """Scores a column (rules 8 to 11)."""
    return _score_with_reasons(tuple(cards), ace_low=options.get("ace_low_run") == "on")


@lru_cache(_CACHE_SIZE)
def _score_with_reasons(column: Column, *, ace_low: bool) -> ColumnScore:
    """Scores a column; cached, since every view and drawing counts the same columns."""
    held = [card for card in column if card]
    values = [card_value(card) for card in held]
    ranks = tuple(value * values.count(value) ** 2 for value in dict.fromkeys(values))
    if len(held) < SIZE:
        return ColumnScore(ranks, 0, None)
    one_suit = len({card.suit for card in held}) == 1
    one_colour = len({card.colour for card in held}) == 1
    match _is_run(values, ace_low=ace_low), one_suit, one_colour:
        case True, True, _:
            return ColumnScore(ranks, 25, texts.RUN_OF_SUIT)
        case True, _, True:
            return ColumnScore(ranks, 15, texts.RUN_OF_COLOUR)
        case False, True, _:
            return ColumnScore(ranks, 10, texts.ONE_SUIT)
        case False, _, True:
            return ColumnScore(ranks, 5, texts.ONE_COLOUR)
        case _:
            return ColumnScore(ranks, 0, None)


def column_score(cards: Iterable[Card | str | None], options: Mapping[str, str]) -> int:
    """The points of a column; spellings may stand for cards."""
    return score_with_reasons([Card(card) for card in cards if card], options).points


def board_score(board: Board, options: Mapping[str, str]) -> int:
    """The points of a board, the sum of its columns."""
    return _board_score(board, ace_low=options.get("ace_low_run") == "on")


@lru_cache(_CACHE_SIZE)
def _board_score(board: Board, *, ace_low: bool) -> int:
    """Sums up a board; cached, since the views of all readers show the same."""
    return sum([_score_with_reasons(column, ace_low=ace_low).points for column in board])


def card_value(card: Card) -> int:
    """The points of a card by itself."""
    return 14 if card.rank == "A" else card.number


def _is_run(values: Sequence[int], *, ace_low: bool) -> bool:
    low, middle, high = sorted(values)
    if (low, middle, high) == (2, 3, 14):
        return ace_low
    return (middle, high) == (low + 1, low + 2)
