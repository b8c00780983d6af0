"""The names of computer players, and new players with them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import folded
from bot.model.tables import Player
from engines.game import Level

NAMES = ("Lola", "Beto", "Nina", "Paco", "Inés", "Tito")
"""The names of computer players, in the order in which they sit down."""


def computers(n: int, level: Level, taken: Sequence[str] = ()) -> list[Player]:
    """New computer players with names that are not taken; fewer than n if the names run out."""
    free = [name for name in NAMES if folded(name) not in set(map(folded, taken))]
    return [Player(name, level) for name in free[:n]]
