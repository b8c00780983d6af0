"""Makes Throw-in positions from short texts: ``position("7H 8H", "7S", "9S", table="7C")``."""

from __future__ import annotations

from engines.game import Seat
from tests.support.games.throw_in.rules import game
from tests.support.positions import Position, Positions

POSITIONS = Positions(game)
load, reach = POSITIONS.load, POSITIONS.reach


def position(*hands: str, table: str = "", turn: Seat = 0) -> Position:
    """A position with the hands of all seats."""
    return {"hands": [hand.split() for hand in hands], "table": table.split(), "turn": turn}
