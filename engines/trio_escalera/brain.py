"""A computer player."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.game import Move
from engines.trio_escalera.state import View


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    return moves[0]
