"""The levels of computer players: what they are called, and whether the leaderboard counts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.i18n import named
from engines.game import Level, Name, Seat, Text
from engines.values import Value


class LevelRecord(Value):
    """A level of computer players."""

    label: Text
    """Its name, as players read and type it."""
    caption: Callable[[Seat], Text]
    """The name of a computer player of this level in the list of players."""
    counts: bool = True
    """Whether the leaderboard counts games of one person with computers of this level."""


LEVELS: Mapping[Level, LevelRecord] = {
    "easy": LevelRecord(
        Text("easy"), lambda seat: Text("{who} (computer, easy)", who=Name(seat)), counts=False
    ),
    "normal": LevelRecord(Text("normal"), lambda seat: Text("{who} (computer)", who=Name(seat))),
    "hard": LevelRecord(Text("hard"), lambda seat: Text("{who} (computer, hard)", who=Name(seat))),
}
"""All levels, the weakest first."""

UNCOUNTED = tuple(level for level, record in LEVELS.items() if not record.counts)
"""The levels that are too weak for the leaderboard."""


def level_named(word: str) -> Level | None:
    """The level that a word names in any language; None if it names none."""
    return named(word, {level: record.label for level, record in LEVELS.items()})
