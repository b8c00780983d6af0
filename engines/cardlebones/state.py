"""The data of Cardlebones: boards, the action, the public fields, states and views."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Annotated, Any, ClassVar, NamedTuple

from engines.actions import Action, MessageFields, ReadCard, Spelling, refuse_malformed
from engines.cards import Card, deck
from engines.game import Result, Seat
from engines.position import Transient
from engines.values import Value

SIZE = 3
"""The number of columns of a board, and of cells in a column."""
DECK = deck()

Column = tuple[Card | None, ...]
Board = tuple[Column, ...]
"""The columns a, b and c, each with its cells from top to bottom; None is an empty cell."""

EMPTY: Board = ((None,) * SIZE,) * SIZE
"""A board without cards."""
LETTERS = ascii_lowercase[:SIZE]
"""The letters of the columns."""


class Cell(NamedTuple):
    """A place on a board, counted from 0; as a word ``b3`` is column 1, row 2."""

    column: int
    row: int

    def __str__(self) -> str:
        return ascii_lowercase[self.column] + str(self.row + 1)


CELLS = tuple(Cell(column, row) for column in range(SIZE) for row in range(SIZE))
"""All cells of a board, column by column, top to bottom."""


def cards_on(board: Board) -> Column:
    """What lies in each of the `CELLS` of a board, in their order."""
    left, middle, right = board
    return left + middle + right


CELL_OF_WORD = {str(cell): cell for cell in CELLS}
_OFF_BOARD = Cell(-1, -1)
"""Stands for every cell off the board that a word names."""


class CellSpelling(Spelling[Cell]):
    """A cell: the word ``b3``, and two numbers in a message; `check` refuses one off the board."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> Cell:
        word = words[0].casefold()
        if cell := CELL_OF_WORD.get(word):
            return cell
        return _OFF_BOARD if re.fullmatch(r"[^\W\d_]-?[0-9]+", word) else refuse_malformed()

    def to_words(self, value: Cell) -> tuple[str, ...]:
        return (str(value),)

    def from_message(self, message: MessageFields, name: str) -> Cell:
        return Cell(message.required("col", int), message.required("row", int))

    def to_message(self, value: Cell, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {"row": value.row, "col": value.column}


class Place(Action):
    """Rule 4: the player places the drawn card in an empty cell of their own board."""

    verb: ClassVar = "place"
    cell: Annotated[Cell, CellSpelling()]


class Placement(Value):
    """A placement, for the screen: its seat, its cell, and the cells that it emptied (rule 5)."""

    seat: Seat
    cell: Cell
    emptied: tuple[Cell, ...]


class Public(Value, kw_only=True):
    """The fields that every reader may see; states and views share them."""

    boards: tuple[Board, ...]
    drawn: Card | None = None
    """The card to place; None when the game is over."""
    discard: tuple[Card, ...] = ()
    """The cards that attacks have removed, oldest first."""
    turn: Seat = 0
    turns: Transient[int] = 1
    options: Transient[Mapping[str, str]]
    last: Transient[Placement | None] = None
    """The last placement; None before the first one, and in a loaded position."""


class State(Public, kw_only=True):
    """The full state, with the hidden stock."""

    stock: tuple[Card, ...] = ()
    """The face-down cards, the next one first."""


class View(Public, kw_only=True):
    """The view of one reader: everything except the cards of the stock."""

    seat: Seat | None
    stock_size: int
    scores: tuple[int, ...]
    result: Result | None


def unseen_cards(view: View) -> list[Card]:
    """The cards of the stock and those that a loaded position leaves out, in canonical order."""
    lying = {card for board in view.boards for column in board for card in column}
    return [card for card in DECK if card not in lying and card not in view.discard and card != view.drawn]
