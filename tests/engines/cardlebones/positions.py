"""Cardlebones positions in short: a board is its columns, top to bottom, ``"7C . . / . KD . / . . ."``."""

from __future__ import annotations

from engines import games
from engines.cardlebones.state import State, View
from engines.game import Game, Seat
from tests.support.positions import Position, Positions

CARDLEBONES: Game[State, View] = games()["cardlebones"]
POSITIONS = Positions(CARDLEBONES, seats_field="boards")
load, reach, play = POSITIONS.load, POSITIONS.reach, POSITIONS.play
refusal, news, sentences = POSITIONS.refusal, POSITIONS.news, POSITIONS.sentences
EMPTY = ". . . / . . . / . . ."


def position(
    own: str = EMPTY,
    other: str = EMPTY,
    *,
    drawn: str | None = None,
    stock: str = "",
    discard: str = "",
    turn: Seat = 0,
) -> Position:
    """A position with all fields of the rule book; ``own`` is the board of p1."""
    return {
        "boards": [_board(own), _board(other)],
        "drawn": drawn,
        "stock": stock.split(),
        "discard": discard.split(),
        "turn": turn,
    }


def _board(spelled: str) -> list[list[str | None]]:
    return [[None if cell == "." else cell for cell in column.split()] for column in spelled.split("/")]
