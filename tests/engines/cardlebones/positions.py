"""Cardlebones positions in short: a board is its columns, top to bottom, ``"7C . . / . KD . / . . ."``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bot.i18n import Speech
from engines import games
from engines.cardlebones.state import State, View
from engines.game import Event, Game, IllegalMove, Seat

CARDLEBONES: Game[State, View] = games()["cardlebones"]
SAY = Speech("en", ("Ana", "Ben"), letters=True)
EMPTY = ". . . / . . . / . . ."

Action = str | Mapping[str, Any]
Position = dict[str, Any]


def position(
    own: str = EMPTY,
    other: str = EMPTY,
    *,
    drawn: str | None = None,
    stock: str = "",
    discard: str = "",
    turn: Seat = 0,
) -> Position:
    """The whole position of the rule book; ``own`` is the board of p1."""
    return {
        "boards": [_board(own), _board(other)],
        "drawn": drawn,
        "stock": stock.split(),
        "discard": discard.split(),
        "turn": turn,
    }


def _board(spelled: str) -> list[list[str | None]]:
    return [[None if cell == "." else cell for cell in column.split()] for column in spelled.split("/")]


def load(where: Position, **options: str) -> State:
    return CARDLEBONES.load(where, 2, options)


def play(where: Position, *steps: tuple[Seat, Action], **options: str) -> Position:
    """The position after these actions."""
    state = load(where, **options)
    for seat, action in steps:
        _, state, _ = CARDLEBONES.act(state, seat, action)
    return CARDLEBONES.dump(state)


def refusal(where: Position, seat: Seat, action: Action) -> str:
    """The code that the action is refused with, when nothing has changed."""
    state = load(where)
    with pytest.raises(IllegalMove) as refused:
        CARDLEBONES.act(state, seat, action)
    assert CARDLEBONES.dump(state) == where
    assert SAY(refused.value.reason)
    return refused.value.code


def told(events: Sequence[Event]) -> list[tuple[Seat | None, str]]:
    """To whom, and what, in English with suits as letters."""
    return [(event.to, SAY(event.text)) for event in events]


def message(seat: Seat, **fields: Any) -> dict[str, Any]:
    """The action as JSON."""
    return {"type": "place", "playerId": f"p{seat + 1}", **fields}
