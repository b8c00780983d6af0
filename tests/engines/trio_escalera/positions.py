"""Trío y Escalera positions in short: ``position("5Hr 2Sb", {"trio_0": "KSr KHb KDb"})``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engines.game import Seat
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import State
from tests.support.positions import Positions

POSITIONS = Positions(game)
load, reach, refusal, events = POSITIONS.load, POSITIONS.reach, POSITIONS.refusal, POSITIONS.events
OTHERS = ("9Cr JDb", "8Db QCb", "4Db JSr", "10Sr 2Db", "6Db 3Hr")
"""Hands of the seats that do not play in a test."""
STOCK = "8Hr 10Db 3Sb"
OTHER_BACK = {"r": "b", "b": "r"}


def position(
    hand: str,
    table: Mapping[str, str] | None = None,
    *,
    on: bool | Sequence[bool] = True,
    seats: int = 2,
    stock: str | None = None,
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> State:
    """A position in which it is the turn of seat 0, which has this hand.

    ``on`` says whether seat 0 alone has opened, or lists whether each seat has. The other hands are those of
    `OTHERS`, the stock is `STOCK` by default; a card of these that ``hand``, ``table`` or ``stock`` names
    has its other back.
    """
    named = {*hand.split(), *" ".join((table or {}).values()).split(), *(stock or "").split()}
    fields = {
        "hands": [hand.split(), *(list(unnamed(other, named)) for other in OTHERS[: seats - 1])],
        "stock": list(unnamed(STOCK, named)) if stock is None else stock.split(),
        "groups": [{"name": name, "cards": cards.split()} for name, cards in (table or {}).items()],
        "on": [on] + [False] * (seats - 1) if isinstance(on, bool) else list(on),
        **more,
    }
    return load(fields, **(options or {}))


def unnamed(cards: str, named: set[str]) -> Iterable[str]:
    """The cards, but with the other back where a card is among those named."""
    for card in cards.split():
        yield card[:-1] + OTHER_BACK[card[-1]] if card in named else card


def groups(state: State) -> dict[str, str]:
    """The cards of each group on the table, in the order of the groups."""
    return {group.name: " ".join(group.cards) for group in state.groups}


def hand(state: State, seat: Seat = 0) -> str:
    """The cards of a hand, in its order."""
    return " ".join(state.hands[seat])
