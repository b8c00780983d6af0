"""The words that people may type for the values of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from bot.i18n import Speech, folded
from bot.inbox.arguments.commands import ParameterKind
from bot.model.leaderboards import LeaderboardOrder
from bot.model.places import Openers
from bot.model.tables import Vanish
from bot.settings.choices import Language, Period
from bot.tables.names.levels import LEVELS
from engines.game import Level

V = TypeVar("V")
Words = Mapping[V, tuple[str, ...]]
"""The words of each value: the English one, the Spanish one, then others."""

LEVEL_WORDS: Words[Level] = {
    level: (Speech("en")(record.label), Speech("es")(record.label), level) for level, record in LEVELS.items()
}
SCOPE_WORDS: Words[str] = {
    "channel": ("here", "aquí", "channel", "canal"),
    "server": ("server", "servidor", "group", "grupo"),
    "everywhere": ("everywhere", "todas"),
}
PERIOD_WORDS: Words[Period] = {
    "all": ("all", "todo"),
    "month": ("month", "mes"),
    "week": ("week", "semana"),
}
ORDER_WORDS: Words[LeaderboardOrder] = {
    "rating": ("rating", "puntuación"),
    "wins": ("wins", "victorias"),
    "games": ("games", "partidas"),
}
"""The order of a leaderboard. No game's name begins with a word for a scope, a period or an order: a typed
word cannot mean both.
"""
OPENER_WORDS: Words[Openers] = {
    "everyone": ("everyone", "todos", "cualquiera"),
    "moderators": ("moderators", "moderadores"),
    "nobody": ("nobody", "nadie"),
}
EXTENT_WORDS: Words[str] = {
    "channel": ("here", "aquí", "channel", "canal"),
    "everywhere": ("everywhere", "servidor", "server"),
}
"""“todos” is missing because it is a word of `OPENER_WORDS`: the same command takes both."""
FLAG_WORDS: Words[bool] = {True: ("on", "sí", "yes"), False: ("off", "no")}
HIDDEN_WORDS: Words[bool] = {False: ("shown", "visible"), True: ("hidden", "oculto", "oculta")}
ANSWER_WORDS: Words[bool] = {True: ("yes", "sí", "y", "s", "agree"), False: ("no", "no", "n")}
READER_WORDS: Words[str] = {
    "me": ("me", "mí", "yo"),
    "channel": ("here", "aquí", "group", "grupo", "channel", "canal"),
}
LANGUAGE_WORDS: Words[Language] = {"en": ("English", "inglés", "en"), "es": ("Spanish", "español", "es")}
VANISH_WORDS: Words[Vanish] = {
    "computer": ("computer", "máquina"),
    "forfeit": ("forfeit", "pierde", "abandono", "lose"),
}
SETTING_WORDS: Words[str] = {
    "order": ("order", "orden", "mano", "hand"),
    "letters": ("letters", "letras", "suits", "palos"),
    "pictures": ("pictures", "cartas", "cards"),
    "careful": ("careful", "confirmar", "confirm"),
    "calls": ("calls", "avisos", "reminders"),
    "quiet": ("quiet", "silencio"),
    "zone": ("zone", "zona", "time", "hora"),
    "forced": ("forced", "forzadas"),
    "suggestions": ("suggestions", "sugerencias"),
}
PREFERENCE_WORDS: Mapping[str, Words[str]] = {
    "order": {"rank": ("value", "valor", "rank"), "suit": ("suit", "palo")},
    "letters": {"off": ("symbols", "símbolos", "off", "no"), "on": ("letters", "letras", "on", "yes", "sí")},
    "pictures": {
        "fits": ("fits", "pocas"), "boxes": ("boxes", "dibujadas"), "lines": ("lines", "líneas"),
    },
    "careful": {"off": ("no", "no", "off"), "on": ("yes", "sí", "on")},
    "calls": {"soon": ("soon", "pronto"), "away": ("away", "ausente"), "never": ("never", "nunca")},
    "quiet": {"off": ("none", "ninguna", "off", "no")},
    "forced": {
        "open": ("open", "evidente"), "always": ("always", "siempre"), "never": ("never", "nunca"),
    },
    "suggestions": {
        "full": ("full", "todas"), "fewer": ("fewer", "menos"), "off": ("none", "ninguna", "off", "no"),
    },
}  # fmt: skip
"""The words for the values of a person's settings but the time zone; for quiet hours only those for none."""

WORDS: Mapping[ParameterKind, Words[Any]] = {
    "level": LEVEL_WORDS,
    "scope": SCOPE_WORDS,
    "period": PERIOD_WORDS,
    "order": ORDER_WORDS,
    "openers": OPENER_WORDS,
    "extent": EXTENT_WORDS,
    "threads": FLAG_WORDS,
    "hidden": HIDDEN_WORDS,
    "answer": ANSWER_WORDS,
    "reader": READER_WORDS,
    "language": LANGUAGE_WORDS,
    "vanish": VANISH_WORDS,
}
"""The words of the kinds of parameters with few values; of a game or a setting the handler reads the name."""


def meant(words: Words[V], typed: str) -> V | None:
    """The value that a typed word stands for; None if it stands for none."""
    word = folded(typed)
    for value, spellings in words.items():
        if word in map(folded, spellings):
            return value
    return None


def as_read(words: Words[Any], language: Language) -> dict[str, str]:
    """Each word for any of the values, with the first word in this language for the same value."""
    return {word: spellings[language == "es"] for spellings in words.values() for word in spellings}
