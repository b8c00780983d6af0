"""Casino positions in short: ``position(hands=["4H 10C", "9D"], builds=["2S+5C"])``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines import games
from engines.cards import Card
from engines.casino.state import State, View
from engines.game import Game, Seat
from tests.support.positions import Position, Positions

CASINO: Game[State, View] = games()["casino"]
POSITIONS = Positions(CASINO)
load, reach, play, time_out = POSITIONS.load, POSITIONS.reach, POSITIONS.play, POSITIONS.time_out
legal, refusal = POSITIONS.legal, POSITIONS.refusal
news = POSITIONS.news


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
