"""A computer player for Trío y Escalera that places what it can, as many cards a movement as it can."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.game import Move
from engines.trio_escalera.state import View


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The best movement while there is one; else the end of the turn, or the draw it needs."""
    plain = {move.verb: move for move in moves if not move.words}
    movements = [move for move in moves if move.words]
    if view.drawn in view.hand:
        movements = [move for move in movements if view.drawn in move.words]
    if movements and view.hand:
        return movements[0]
    return next(plain[verb] for verb in ("end", "draw", "reset") if verb in plain)
