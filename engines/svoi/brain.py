"""A computer player for Svoi Kozyri."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.game import Move
from engines.svoi.rules import View


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The cheapest move."""
    return moves[0]
