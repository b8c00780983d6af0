"""Short spellings of Casino positions, and what the game answers in them.

``position(hands=["4H 10C", "9D"], builds=["2S+5C"])`` is a position of two players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bot.i18n import Speech
from engines import games
from engines.cards import Card
from engines.casino.state import State, View
from engines.game import Event, Game, IllegalMove, Seat

CASINO: Game[State, View] = games()["casino"]
SAY = Speech("en", ("Ana", "Ben", "Cas"), letters=True)

Action = str | Mapping[str, Any]
Position = dict[str, Any]


def position(
    *,
    hands: Sequence[str],
    loose: str = "",
    builds: Sequence[str] = (),
    piles: Sequence[str] = (),
    stock: str = "",
    turn: Seat = 0,
    phase: str = "play",
    last_capturer: Seat | None = None,
) -> Position:
    """A position with all fields of the rule book."""
    return {
        "hands": [hand.split() for hand in hands],
        "loose": loose.split(),
        "builds": [_build(build) for build in builds],
        "piles": [pile.split() for pile in piles or [""] * len(hands)],
        "stock": stock.split(),
        "turn": turn,
        "phase": phase,
        "last_capturer": last_capturer,
    }


def _build(spelled: str) -> dict[str, Any]:
    cards = spelled.split("+")
    return {"cards": cards, "value": sum(Card(card).number for card in cards)}


def load(where: Position, **options: str) -> State:
    return CASINO.load(where, len(where["hands"]), options)


def play(where: Position, *steps: tuple[Seat, Action], **options: str) -> Position:
    """The position after these actions."""
    state = load(where, **options)
    for seat, action in steps:
        _, state, _ = CASINO.act(state, seat, action)
    return CASINO.dump(state)


def time_out(where: Position, seat: Seat, **options: str) -> Position:
    """The position after the seat's clock has run out."""
    state = load(where, **options)
    return CASINO.dump(CASINO.apply(state, seat, CASINO.timeout(state, seat))[0])


def refusal(where: Position, seat: Seat, action: Action, **options: str) -> str:
    """The code of the refusal; asserts that the state is unchanged and that the reason can be said."""
    state = load(where, **options)
    with pytest.raises(IllegalMove) as refused:
        CASINO.act(state, seat, action)
    assert CASINO.dump(state) == where
    assert SAY(refused.value.reason)
    return refused.value.code


def legal(where: Position, seat: Seat, **options: str) -> set[str]:
    """The legal moves, each in its one spelling."""
    return set(map(str, CASINO.moves(load(where, **options), seat)))


def told(events: Sequence[Event]) -> list[tuple[Seat | None, str]]:
    """The reader and the English sentence of each event, suits as letters."""
    return [(event.to, SAY(event.text)) for event in events]


def news(where: Position, seat: Seat, action: Action, **options: str) -> list[tuple[Seat | None, str]]:
    """The events of an action, as `told` has them."""
    return told(CASINO.act(load(where, **options), seat, action)[2])


def message(seat: Seat, verb: str, **fields: Any) -> dict[str, Any]:
    """The action as a message."""
    return {"type": verb, "playerId": f"p{seat + 1}", **fields}
