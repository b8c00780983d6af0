"""The words among which players choose a language, a pace and a period. Imports nothing that takes long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Language = Literal["en", "es"]
"""The languages of all sentences."""
LANGUAGES: Mapping[Language, str] = {"en": "English", "es": "Español"}
"""The languages offered to players, each with its own name for itself."""

Pace = Literal["natural", "fast", "instant"]
"""How fast the computers of a table move."""

Suggestions = Literal["full", "fewer", "off"]
"""How many whole moves a menu suggests where cards combine freely: as many as fit, a few, or none."""

Forced = Literal["open", "always", "never"]
"""When a person's only possible move is played for them: where all players can tell that it is the only one,
always, or never.
"""

Period = Literal["all", "month", "week"]
"""The times of which a leaderboard counts the games."""


def language(tag: str | None) -> Language:
    """The language of a tag such as ``es_MX.UTF-8``; English for a language that is not offered."""
    code = (tag or "").replace("-", "_").partition("_")[0].partition(".")[0].casefold()
    return next((known for known in LANGUAGES if known == code), "en")
