"""Positions for the tests of Trío y Escalera, written briefly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.game import IllegalMove, Seat
from engines.trio_escalera import game
from engines.trio_escalera.state import State

OTHERS = ("9Cr JDb", "8Db QCb", "4Db JSr", "10Sr 2Db", "6Db 3Hr")
"""Hands of the seats that do nothing in a test."""
STOCK = "8Hr 10Db 3Sb"
BACKS = {"r": "b", "b": "r"}


def position(
    hand: str,
    table: Mapping[str, str] | None = None,
    *,
    on: bool = True,
    seats: int = 2,
    stock: str | None = None,
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> State:
    """Seat 0 is to play with a hand, and has opened or not.

    Cards of other hands, and of a stock that is not given, have the other back where they are named.
    """
    named = {*hand.split(), *" ".join((table or {}).values()).split(), *(stock or "").split()}
    return game.load(
        {
            "hands": [hand.split(), *(list(unnamed(other, named)) for other in OTHERS[: seats - 1])],
            "stock": list(unnamed(STOCK, named)) if stock is None else stock.split(),
            "groups": [{"name": name, "cards": cards.split()} for name, cards in (table or {}).items()],
            "on": [on] + [False] * (seats - 1),
            **more,
        },
        seats,
        options or {},
    )


def unnamed(some: str, named: set[str]) -> Iterable[str]:
    """Some cards, those that are named elsewhere with their other back."""
    for card in some.split():
        yield card[:-1] + BACKS[card[-1]] if card in named else card


def play(state: State, *actions: str, seat: Seat = 0) -> State:
    """The state after some actions of a seat."""
    for action in actions:
        _, state, _ = game.act(state, seat, action)
    return state


def groups(state: State) -> dict[str, str]:
    """The table as it lies, in the order of its groups."""
    return {group.name: " ".join(group.cards) for group in state.groups}


def hand(state: State, seat: Seat = 0) -> str:
    return " ".join(state.hands[seat])


def told(state: State, action: str, seat: Seat = 0) -> list[str]:
    """The public news of an action, as English sentences with their placeholders."""
    *_, events = game.act(state, seat, action)
    return [event.text.message for event in events if event.to is None]


def refusal(state: State, action: str | Mapping[str, Any], seat: Seat = 0) -> str:
    """The code with which an action is refused, or the empty text."""
    try:
        game.act(state, seat, action)
    except IllegalMove as illegal:
        return illegal.code
    return ""
