"""The values of command parameters: which are fixed, which are numbers, and which name people.

A platform whose commands have options of several types offers fixed values as choices, numbers with their
bounds, and people in a picker; `bot.inbox.commands.autocomplete` suggests values of most other kinds.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.i18n import Speech
from bot.inbox.arguments.commands import ParameterKind
from bot.inbox.handlers.settings.place_settings import EXTENTS, ON_OFF, OPENERS
from bot.inbox.handlers.settings.preferences import PREFERENCES
from bot.pages.clock_page import VANISH_CHOICES
from bot.pages.results.leaderboard_page import ORDER_NAMES, PERIOD_NAMES, SCOPES
from bot.settings.choices import LANGUAGES
from bot.tables.names.levels import LEVELS
from engines import games
from engines.game import Text

Label = Text | str
"""The label that players read; a name that is the same in all languages is no `Text`."""

PEOPLE: frozenset[ParameterKind] = frozenset(("player", "person", "barred", "people"))
"""The kinds whose values are people."""

_FIXED: Mapping[ParameterKind, Mapping[str, Label]] = {
    "level": {level: record.label for level, record in LEVELS.items()},
    "scope": dict(SCOPES.items()),
    "period": dict(PERIOD_NAMES.items()),
    "order": dict(ORDER_NAMES.items()),
    "hidden": {"shown": Text("shown"), "hidden": Text("hidden")},
    "openers": OPENERS,
    "extent": EXTENTS,
    "threads": ON_OFF,
    "answer": {"yes": Text("yes"), "no": Text("no")},
    "vanish": VANISH_CHOICES,
    "reader": {"me": Text("for me"), "channel": Text("for this channel")},
    "language": dict(LANGUAGES.items()),
    "setting": {name: preference.about for name, preference in PREFERENCES.items()},
}


def fixed_values(kind: ParameterKind) -> Mapping[str, Label]:
    """The only values of a kind, with their labels; empty for a kind whose values are not fixed."""
    if kind == "game":
        return {key: game.title for key, game in games().items()}
    return _FIXED.get(kind, {})


def number_range(kind: ParameterKind) -> range | None:
    """The numbers that a parameter of a kind can have in some game; None for a kind that is no number."""
    if kind == "players":
        return range(min(game.seats[0] for game in games().values()), most_seats() + 1)
    return range(most_seats()) if kind == "computers" else None


def most_seats() -> int:
    """The most seats of any game."""
    return max(game.seats[-1] for game in games().values())


def spoken(label: Label, say: Speech) -> str:
    """A label in a language."""
    return say(label) if isinstance(label, Text) else label
