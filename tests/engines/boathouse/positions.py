"""Boathouse positions in short: ``position(hands=["4H 10C", "9D"], melds=["5H 6H 7H"])``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bot.i18n import Speech
from engines import games
from engines.boathouse.state import State, View
from engines.game import Game, IllegalMove, Seat

BOATHOUSE: Game[State, View] = games()["boathouse"]
SAY = Speech("en", ("Ana", "Ben", "Cas", "Dan"), letters=True)

Action = str | Mapping[str, Any]
Position = dict[str, Any]
STOCK = "AC 10S 6D"


def position(
    *,
    hands: Sequence[str],
    stock: str = STOCK,
    pile: str = "4C",
    melds: Sequence[str] = (),
    turn: Seat = 0,
    phase: str = "play",
    barred: str = "",
    laid_before: Sequence[Seat] = (),
    laid_now: bool = False,
    thin_turns: int = 0,
    dealer: Seat | None = None,
    hand: int = 1,
    ledger: Sequence[int] = (),
) -> Position:
    """The whole position of the rule book; melds belong to the last seat."""
    seats = len(hands)
    return {
        "hands": [held.split() for held in hands],
        "stock": stock.split(),
        "pile": pile.split(),
        "melds": [
            {"name": f"meld_{n}", "cards": meld.split(), "by": seats - 1} for n, meld in enumerate(melds)
        ],
        "turn": turn,
        "phase": phase,
        "barred": barred.split(),
        "laid_before": [seat in laid_before for seat in range(seats)],
        "laid_now": laid_now,
        "thin_turns": thin_turns,
        "dealer": (turn - 1) % seats if dealer is None else dealer,
        "hand": hand,
        "ledger": list(ledger or [0] * seats),
    }


def load(where: Position, **options: str) -> State:
    return BOATHOUSE.load(where, len(where["hands"]), options)


def reach(where: Position, *steps: tuple[Seat, Action], **options: str) -> State:
    """The state after these actions."""
    state = load(where, **options)
    for seat, action in steps:
        _, state, _ = BOATHOUSE.act(state, seat, action)
    return state


def play(where: Position, *steps: tuple[Seat, Action], **options: str) -> Position:
    """The position after these actions."""
    return BOATHOUSE.dump(reach(where, *steps, **options))


def scores(where: Position, *steps: tuple[Seat, Action], **options: str) -> tuple[int, ...]:
    """The scores of the game that these actions end."""
    result = BOATHOUSE.result(reach(where, *steps, **options))
    assert result is not None
    return result.scores


def legal(where: Position, seat: Seat = 0, **options: str) -> set[str]:
    """All moves of the seat."""
    return set(map(str, BOATHOUSE.moves(load(where, **options), seat)))


def refusal(where: Position, seat: Seat, action: Action, **options: str) -> tuple[str, str]:
    """The code and the sentence of the refusal."""
    state = load(where, **options)
    with pytest.raises(IllegalMove) as refused:
        BOATHOUSE.act(state, seat, action)
    assert BOATHOUSE.dump(state) == where
    return refused.value.code, SAY(refused.value.reason)


def told(where: Position, seat: Seat, action: Action, **options: str) -> list[str]:
    """The sentences of an action's news; those for one seat alone begin with its name."""
    *_, events = BOATHOUSE.act(load(where, **options), seat, action)
    marks = ["" if event.to is None else f"({SAY.name(event.to)}) " for event in events]
    return [mark + SAY(event.text) for mark, event in zip(marks, events, strict=True)]


def message(seat: Seat, verb: str, **fields: Any) -> dict[str, Any]:
    return {"type": verb, "playerId": f"p{seat + 1}", **fields}
