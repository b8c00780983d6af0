"""Lists the legal moves: a placement in each empty cell of the own board."""

from __future__ import annotations

from functools import cache

from engines.cardlebones.state import CELLS, Place, State, cards_on
from engines.game import Move, Seat


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The placements of the drawn card, column by column, top to bottom."""
    if seat != state.turn or state.drawn is None:
        return ()
    return _placements(tuple(map(bool, cards_on(state.boards[seat]))))


@cache
def _placements(taken: tuple[bool, ...]) -> tuple[Move, ...]:
    """The placements in those of the `CELLS` that are not taken; cached, since every game repeats them."""
    return tuple(Place(cell).to_move() for cell, is_taken in zip(CELLS, taken, strict=True) if not is_taken)
