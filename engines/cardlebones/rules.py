"""The game Cardlebones, assembled from its modules: the shortest game here, and a good example to read.

`state` declares the state, the view and the only action, `moves` lists the legal actions, `effects` performs
one, `scoring` counts points, `texts` has events and labels, `screen` draws. `brain` chooses moves for
computer players, ``hard`` by the worth of columns in `prospects`; `reasons` tells why a move is good. Rule
numbers refer to ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engines.cardlebones import SUMMARY, brain, reasons, screen, texts
from engines.cardlebones.effects import perform
from engines.cardlebones.guide import GUIDE
from engines.cardlebones.moves import moves
from engines.cardlebones.scoring import board_score, column_score
from engines.cardlebones.state import CELLS, DECK, EMPTY, SIZE, Place, Public, State, View, unseen_cards
from engines.game import Event, Game, Move, MoveStyle, Option, Result, Seat, Text, refuse
from engines.rules import Rules
from engines.shuffle import shuffle, starter
from engines.values import fields_of

# Checkers of worked cases, such as `tests.engines.test_conformance`, look for `column_score` here.
__all__ = ["Cardlebones", "column_score", "game"]

_ON_BOARD = frozenset(CELLS)


class Cardlebones(Rules[State, View, Place]):
    """Two boards of nine cells; a placed card removes cards of its rank from the opponent's board."""

    key = "cardlebones"
    title, pitch, seats = SUMMARY
    options = (
        Option(
            "attack_scope",
            Text("A card attacks"),
            {"board": Text("the whole board"), "column": Text("the same column")},
        ),
        Option("ace_low_run", Text("A-2-3 is a run"), {"off": Text("no"), "on": Text("yes")}),
    )
    forced_is_public = True
    hidden = False
    guide = GUIDE
    strengths = (1466, 1500, 1519)
    actions = (Place,)
    state_type = State
    pack = frozenset(DECK)

    moves = staticmethod(moves)
    perform = staticmethod(perform)
    draw = staticmethod(screen.draw)
    label = staticmethod(texts.label)
    think = staticmethod(brain.think)
    estimate = staticmethod(brain.estimate)
    reason = staticmethod(reasons.reason)
    worth = staticmethod(reasons.worth)

    def deal(
        self, seats: int, seed: bytes, options: Mapping[str, str], carry: Mapping[str, Any] | None
    ) -> State:
        drawn, *stock = shuffle(seed, DECK)
        boards, first = (EMPTY,) * seats, starter(seed, seats)
        return State(boards=boards, drawn=drawn, stock=tuple(stock), turn=first, options=options)

    def opening(self, state: State) -> tuple[Event, ...]:
        assert state.drawn is not None
        return texts.start(state.turn), texts.draw(state.turn, state.drawn)

    def check(self, state: State, seat: Seat, action: Place) -> None:
        cell = action.cell
        if cell not in _ON_BOARD:
            refuse("cell-out-of-range", "There is no such cell: the board goes from a1 to c3.")
        if card := state.boards[seat][cell.column][cell.row]:
            refuse(
                "cell-occupied",
                "{card} is already in {cell}: choose an empty cell.",
                card=card,
                cell=str(cell),
            )

    def style(self, view: View, move: Move) -> MoveStyle:
        """A placement that fills the board stands out, since it ends the game."""
        free = sum(card is None for column in view.boards[view.turn] for card in column)
        return "finish" if free == 1 else "plain"

    def timeout(self, state: State, seat: Seat) -> Move:
        return self.moves(state, seat)[0]

    def result(self, state: State) -> Result | None:
        if state.drawn is not None:
            return None
        return Result.of([board_score(board, state.options) for board in state.boards])

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            **fields_of(Public, state),
            seat=seat,
            stock_size=len(state.stock),
            scores=tuple(board_score(board, state.options) for board in state.boards),
            result=self.result(state),
        )

    def points(self, view: View) -> tuple[int, ...]:
        return view.scores

    def imagine(self, view: View, rng: Random) -> State:
        stock = rng.sample(unseen_cards(view), view.stock_size)
        return State(**fields_of(Public, view), stock=tuple(stock))

    def seat_defaults(self, seats: int) -> dict[str, Any]:
        return {"boards": (EMPTY,) * seats}

    def find_fault(self, state: State, seats: int) -> str | None:
        columns = [column for board in state.boards for column in board]
        if {len(part) for part in (*state.boards, *columns)} != {SIZE}:
            return f"boards: {SIZE} columns of {SIZE} cells are wanted"
        if fault := super().find_fault(state, seats):
            return fault
        if state.drawn is not None and not self.moves(state, state.turn):
            return "drawn: the board of the seat to play has no empty cell"
        return None


game: Game[State, View] = Cardlebones()
