"""The rules of Cardlebones; the numbers are those of ``RULES.md``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress, product
from random import Random
from typing import Any, ClassVar, NamedTuple

from engines.cards import RANKS, Card, deck
from engines.game import (
    Event,
    Message,
    Move,
    Name,
    Result,
    Rules,
    Seat,
    Text,
    malformed,
    player_id,
    refuse,
)
from engines.position import aside
from engines.position import dump as write_position
from engines.shuffle import shuffle, starter
from engines.values import maker, quick

SIZE = 3
"""Columns of a board, and cells of a column."""
DECK = deck()

Column = tuple[Card | None, ...]
Board = tuple[Column, ...]
"""Three columns a, b, c, each with its cells from top to bottom."""

EMPTY: Board = ((None,) * SIZE,) * SIZE


class Cell(NamedTuple):
    """A place on a board, counted from 0; as a word ``b3`` is column 1, row 2."""

    column: int
    row: int

    def __str__(self) -> str:
        return "abcdefghijklmnopqrstuvwxyz"[self.column] + str(self.row + 1)


CELLS = tuple(Cell(column, row) for column in range(SIZE) for row in range(SIZE))
"""All cells of a board, column by column, top to bottom."""
_BY_WORD = {word: cell for cell in CELLS for word in (str(cell), str(cell).upper())}
_ON_BOARD = frozenset(CELLS)
_NOWHERE = Cell(-1, -1)
_OF_RANK = {rank: frozenset(card for card in DECK if card.rank == rank) for rank in RANKS}
_MOVES = {
    free: tuple(Move("place", (str(cell),)) for cell in compress(CELLS, free))
    for free in product((True, False), repeat=len(CELLS))
}
"""The moves, by whether each cell is free."""


class Placed(NamedTuple):
    """The last placement, for the eye: whose, where, and which cells it emptied (rule 5)."""

    seat: Seat
    cell: Cell
    struck: tuple[Cell, ...]


@quick
@dataclass(frozen=True, slots=True)
class State:
    """The whole truth."""

    boards: tuple[Board, ...]
    drawn: Card | None = None
    stock: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    turn: Seat = 0
    turns: int = aside(1)
    options: Mapping[str, str] = aside()
    last: Placed | None = aside(None)


_make_state = maker(State)


@quick
@dataclass(frozen=True, slots=True)
class View:
    """What a reader knows: everything but the stock's cards."""

    seat: Seat | None
    boards: tuple[Board, ...]
    drawn: Card | None
    stock_size: int
    discard: tuple[Card, ...]
    turn: Seat
    turns: int
    options: Mapping[str, str]
    last: Placed | None
    scores: tuple[int, ...]
    result: Result | None


_RUN_OF_SUIT, _RUN_OF_COLOUR = Text("run of one suit"), Text("run of one color")
_ONE_SUIT, _ONE_COLOUR = Text("one suit"), Text("one color")


class ColumnScore(NamedTuple):
    """What a column counts, and why."""

    ranks: tuple[int, ...]
    """What the cards of each rank count together, in the order in which the ranks lie."""
    bonus: int
    reason: Text | None
    """What earned the bonus."""


def count_column(cards: Iterable[Card | None], options: Mapping[str, str]) -> ColumnScore:
    """What the cards of a column count (the scoring section)."""
    held = [card for card in cards if card]
    values = [_value(card) for card in held]
    ranks = tuple(value * values.count(value) ** 2 for value in dict.fromkeys(values))
    if len(held) < SIZE:
        return ColumnScore(ranks, 0, None)
    one_suit = len({card.suit for card in held}) == 1
    one_colour = len({card.colour for card in held}) == 1
    match _is_run(values, options), one_suit, one_colour:
        case True, True, _:
            return ColumnScore(ranks, 25, _RUN_OF_SUIT)
        case True, _, True:
            return ColumnScore(ranks, 15, _RUN_OF_COLOUR)
        case False, True, _:
            return ColumnScore(ranks, 10, _ONE_SUIT)
        case False, _, True:
            return ColumnScore(ranks, 5, _ONE_COLOUR)
        case _:
            return ColumnScore(ranks, 0, None)


def column_score(cards: Iterable[Card | str | None], options: Mapping[str, str]) -> int:
    """What a column counts in all; cards may be given by their spelling."""
    ranks, bonus, _ = count_column([Card(card) for card in cards if card], options)
    return sum(ranks) + bonus


def board_score(board: Board, options: Mapping[str, str]) -> int:
    """What a board counts: the sum of its columns."""
    return sum(column_score(column, options) for column in board)


def is_full(board: Board) -> bool:
    """Whether no cell is empty."""
    left, middle, right = board
    return None not in left and None not in middle and None not in right


def place(board: Board, cell: Cell, card: Card | None) -> Board:
    """The board with the card in the cell, or with nothing there."""
    columns, (column, row) = list(board), cell
    changed = list(columns[column])
    changed[row] = card
    columns[column] = tuple(changed)
    return tuple(columns)


def struck_cells(board: Board, card: Card, in_columns: Sequence[int]) -> tuple[Cell, ...]:
    """The cells of these columns that an attacking card empties: those with cards of its rank (rule 5)."""
    alike = _OF_RANK[card.rank]
    return tuple(
        [cell for cell in CELLS if cell.column in in_columns and board[cell.column][cell.row] in alike]
    )


def attack(
    boards: Sequence[Board], seat: Seat, cell: Cell, card: Card, options: Mapping[str, str]
) -> tuple[tuple[Board, ...], tuple[Cell, ...]]:
    """Both boards after a card is placed and has attacked, and the opponent's cells it emptied."""
    own, other = place(boards[seat], cell, card), boards[1 - seat]
    struck: tuple[Cell, ...] = ()
    left, middle, right = other
    # Most attacks find no card of the rank, which is soon seen.
    if not _OF_RANK[card.rank].isdisjoint(left + middle + right):
        reach = (cell.column,) if options["attack_scope"] == "column" else range(SIZE)
        struck = struck_cells(other, card, reach)
        for emptied in struck:
            other = place(other, emptied, None)
    return ((own, other) if seat == 0 else (other, own)), struck


def _value(card: Card) -> int:
    return 14 if card.rank == "A" else card.number


def _is_run(values: Sequence[int], options: Mapping[str, str]) -> bool:
    low, middle, high = sorted(values)
    if (low, middle, high) == (2, 3, 14):
        return options.get("ace_low_run") == "on"
    return (middle, high) == (low + 1, low + 2)


class CardlebonesRules(Rules[State, View, Cell]):
    """The rules; `engines.cardlebones` adds the look and the computer player."""

    key = "cardlebones"
    title = Text("Cardlebones")
    pitch = Text("Fill your board of nine, knock equal cards off the other one. The best columns win.")
    seats = range(2, 3)
    options: ClassVar = {"attack_scope": ("board", "column"), "ace_low_run": ("off", "on")}
    wordings: ClassVar = {
        "attack_scope": Text("A card attacks"),
        "attack_scope board": Text("the whole board"),
        "attack_scope column": Text("the same column"),
        "ace_low_run": Text("A-2-3 is a run"),
        "ace_low_run off": Text("no"),
        "ace_low_run on": Text("yes"),
    }
    verbs = ("place",)
    state_type = State
    pack = frozenset(DECK)

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> State:
        settled = self.settle(seats, options)
        cards = shuffle(seed, DECK)
        return State((EMPTY, EMPTY), cards[0], cards[1:], turn=starter(seed, seats), options=settled)

    def blank(self, seats: int) -> dict[str, Any]:
        return {"boards": (EMPTY,) * seats}

    def fault(self, state: State, seats: int) -> str | None:
        shapes = {len(board) for board in state.boards} | {
            len(col) for board in state.boards for col in board
        }
        if shapes != {SIZE}:
            return f"boards: {SIZE} columns of {SIZE} cells are wanted"
        return super().fault(state, seats)

    def opening(self, state: State) -> tuple[Event, ...]:
        return (Event(Text("The lot falls on {who} to start.", who=Name(state.turn)), None), _draws(state))

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        if seat != state.turn or state.drawn is None:
            return ()
        (a1, a2, a3), (b1, b2, b3), (c1, c2, c3) = state.boards[seat]
        return _MOVES[not a1, not a2, not a3, not b1, not b2, not b3, not c1, not c2, not c3]

    def from_words(self, state: State, verb: str, words: Sequence[str]) -> Cell:
        if verb != "place" or len(words) != 1:
            malformed()
        if cell := _BY_WORD.get(words[0]):
            return cell
        return _NOWHERE if re.fullmatch(r"[^\W\d_]-?[0-9]+", words[0].casefold()) else malformed()

    def from_message(self, state: State, verb: str, message: Message) -> Cell:
        if verb != "place":
            malformed()
        cell = Cell(message.take("col", int), message.take("row", int))
        message.end()
        return cell

    def spell(self, action: Cell) -> Move:
        return Move("place", (str(action),))

    def check(self, state: State, seat: Seat, action: Cell) -> None:
        if action not in _ON_BOARD:
            refuse("cell-out-of-range", "The board has columns a to c and rows 1 to 3.")
        if card := state.boards[seat][action.column][action.row]:
            refuse("cell-occupied", "{card} lies in {cell} already.", card=card, cell=str(action))

    def perform(self, state: State, seat: Seat, action: Cell) -> tuple[State, tuple[Event, ...]]:
        card = state.drawn
        assert card is not None
        boards, struck = attack(state.boards, seat, action, card, state.options)
        removed = _cards_at(state.boards[1 - seat], struck) if struck else ()
        stock, over = state.stock, is_full(boards[0]) or is_full(boards[1]) or not state.stock
        after = _make_state(
            boards,
            None if over else stock[0],
            stock if over else stock[1:],
            state.discard + removed,
            1 - seat,
            turns=state.turns + 1,
            options=state.options,
            last=_placed(seat, action, struck),
        )
        return after, _tell(after, seat, card, action, removed)

    def result(self, state: State) -> Result | None:
        if state.drawn is not None:
            return None
        return Result.of([board_score(board, state.options) for board in state.boards])

    def timeout(self, state: State, seat: Seat) -> Move:
        return self.moves(state, seat)[0]

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            seat=seat,
            boards=state.boards,
            drawn=state.drawn,
            stock_size=len(state.stock),
            discard=state.discard,
            turn=state.turn,
            turns=state.turns,
            options=state.options,
            last=state.last,
            scores=tuple(board_score(board, state.options) for board in state.boards),
            result=self.result(state),
        )

    def imagine(self, view: View, rng: Random) -> State:
        lying = [card for board in view.boards for column in board for card in column]
        seen = {*lying, *view.discard, view.drawn}
        return State(
            boards=view.boards,
            drawn=view.drawn,
            stock=tuple(rng.sample([card for card in DECK if card not in seen], view.stock_size)),
            discard=view.discard,
            turn=view.turn,
            turns=view.turns,
            options=view.options,
            last=view.last,
        )

    def write_json(self, state: State, seat: Seat, move: Move) -> dict[str, Any]:
        cell = self.from_words(state, move.verb, move.words)
        return {"type": "place", "playerId": player_id(seat), "row": cell.row, "col": cell.column}

    def message(self, view: View) -> dict[str, Any] | None:
        if view.seat is not None:
            return None
        return {
            "type": "state",
            "turn": player_id(view.turn),
            "phase": "play",
            "boards": write_position(view.boards),
            "drawn": view.drawn,
            "stockSize": view.stock_size,
            "discard": list(view.discard),
            "scores": list(view.scores),
            "result": view.result and view.result.to_json(),
        }


def _cards_at(board: Board, cells: Sequence[Cell]) -> tuple[Card, ...]:
    lying = (board[cell.column][cell.row] for cell in cells)
    return tuple(card for card in lying if card)


def _tell(after: State, seat: Seat, card: Card, cell: Cell, removed: tuple[Card, ...]) -> tuple[Event, ...]:
    placed = _tell_placement(seat, card, cell)
    next_up = _draws(after) if after.drawn else _tell_end(after, seat)
    return (placed, _tell_attack(1 - seat, removed), next_up) if removed else (placed, next_up)


# There are few such events, and they happen in every game.

_placed = lru_cache(1 << 12)(Placed)


@cache
def _tell_placement(seat: Seat, card: Card, cell: Cell) -> Event:
    return Event(Text("{who} places {card} in {cell}.", who=Name(seat), card=card, cell=str(cell)), None)


@cache
def _tell_attack(seat: Seat, removed: tuple[Card, ...]) -> Event:
    return Event(Text("The attack takes {cards} from {who}.", cards=removed, who=Name(seat)), None)


@cache
def _tell_draw(seat: Seat, card: Card) -> Event:
    return Event(Text("{who} draws {card}.", who=Name(seat), card=card), None)


def _draws(state: State) -> Event:
    assert state.drawn is not None
    return _tell_draw(state.turn, state.drawn)


def _tell_end(after: State, seat: Seat) -> Event:
    if is_full(after.boards[seat]):
        return Event(Text("{who} has filled the board: the game is over.", who=Name(seat)), None)
    return Event(Text("The stock is used up: the game is over."), None)
