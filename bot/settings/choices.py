"""The values of settings that the command line names: language, pace, suggested and forced moves, period.

Imports the standard library only, since ``--help`` needs it at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Language = Literal["en", "es"]
"""A language that the bot speaks, by its ISO 639-1 code."""
LANGUAGES: Mapping[Language, str] = {"en": "English", "es": "Español"}
"""Each language's name for itself."""

Pace = Literal["natural", "fast", "instant"]
"""How fast the computers of a table move."""

SuggestedMoves = Literal["full", "fewer", "off"]
"""How many whole moves a menu suggests where cards combine freely: as many as fit, at most two, or none."""

ForcedMoves = Literal["open", "always", "never"]
"""When a person's only possible move is played for them.

``open``: only where all players can tell that the move is the only one.
"""

Period = Literal["all", "month", "week"]
"""The period whose games a leaderboard counts."""


def language(tag: str | None) -> Language:
    """The language of a tag such as ``es_MX.UTF-8``; English for a language that is not offered."""
    code = (tag or "").replace("-", "_").partition("_")[0].partition(".")[0].casefold()
    return next((known for known in LANGUAGES if known == code), "en")
