"""The paces of computer players: how long they take for a move."""

from __future__ import annotations

from collections.abc import Mapping

from bot.i18n import named
from bot.settings.choices import Pace
from engines.game import Text
from engines.values import Value


class PaceRecord(Value):
    """A pace of computer players."""

    label: Text
    """Its name, as players read and type it."""
    factor: float
    """The pause before a move, as a part of the natural one.

    Where a pause could tell for whom the game secretly waits, all paces have the same.
    """


PACES: Mapping[Pace, PaceRecord] = {
    "natural": PaceRecord(Text("natural"), 1.0),
    "fast": PaceRecord(Text("fast"), 0.3),
    "instant": PaceRecord(Text("at once"), 0.0),
}
"""All paces, the slowest first."""


def pace_named(word: str) -> Pace | None:
    """The pace that a word names in any language; None if it names none."""
    return named(word, {pace: record.label for pace, record in PACES.items()})
