"""Reads what players type on every platform: games, clocks, guests, hints and paces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from bot.i18n import Speech, folded
from bot.model.tables import Refused
from bot.nearest import by_words, wrong_value
from bot.settings.choices import LANGUAGES, Pace
from bot.tables.log.table_state import AnyGame
from bot.tables.names.paces import PACES, pace_named
from bot.tables.turn_clock import DAY, LONGEST_TURN, MOST_DAYS, SHORTEST_TURN, is_allowed
from engines import games
from engines.game import Say, Text


class UnknownGame(Refused):
    """A typed name fits no game, or several."""

    def __init__(self) -> None:
        titles = tuple(game.title for game in games().values())
        super().__init__(Text("Which game? You can play {games}.", games=titles))


def game_named(name: str, say: Say) -> AnyGame:
    """The game with this key or title, else the only one whose key or title begins so.

    Raises `UnknownGame`.
    """
    typed = _title_words(name)
    names = {key: (_title_words(key), _title_words(say(game.title))) for key, game in games().items()}
    exact = [key for key, called in names.items() if typed in called]
    found = exact or [
        key for key, called in names.items() if any(words.startswith(typed) for words in called)
    ]
    if len(found) != 1:
        raise UnknownGame
    return games()[found[0]]


def begins_title(words: str) -> bool:
    """Whether a game's key or title begins with these words, in any language."""
    return any(name.startswith(_title_words(words)) for name in _titles())


@cache
def _titles() -> tuple[str, ...]:
    """The keys and titles of all games, in all languages, spelled as `_title_words` does."""
    titles = (Speech(language)(game.title) for game in games().values() for language in LANGUAGES)
    return tuple(map(_title_words, (*games(), *titles)))


def _title_words(name: str) -> str:
    """The name of a game as it is compared: folded, with spaces for hyphens and underscores."""
    return folded(name).replace("-", " ").replace("_", " ")


def clock_word(word: str) -> int | None:
    """The seconds that a word names (``60``, ``2d``; 0 for ``off``) if a turn may last so long; else None."""
    if (meant := folded(word)) in _NO_CLOCK:
        return 0
    match = _CLOCK.fullmatch(meant)
    seconds = int(match[1]) * _UNITS[match[2][:1]] if match else -1
    return seconds if seconds > 0 and is_allowed(seconds) else None


def clock_named(word: str) -> int:
    """As `clock_word`, but raises `Refused` where that is None."""
    if (seconds := clock_word(word)) is None:
        raise Refused(CLOCK_LIMITS)
    return seconds


CLOCK_LIMITS = Text(
    "A turn can last {shortest} to {longest} seconds (60), or 1 to {days} days (2days). Or play "
    "without: off.",
    shortest=SHORTEST_TURN,
    longest=LONGEST_TURN,
    days=MOST_DAYS,
)

_CLOCK = re.compile(r"(\d{1,4})\s*(|s|sec|seg|seconds?|segundos?|m|min|minutes?|minutos?|d|days?|dias?)")
_UNITS = {"": 1, "s": 1, "m": 60, "d": DAY}
"""The seconds of a unit, by its first letter."""
_NO_CLOCK = frozenset(("off", "no", "none", "sin", "0"))


def guests_from(words: str) -> tuple[str, ...]:
    """The people whom a line mentions, each once. Raises `Refused` for a word that is no mention."""
    guests = []
    for word in words.replace(",", " ").split():
        mention = _MENTION.fullmatch(word)
        if mention is None:
            raise Refused(Text("Write the people to invite as mentions, such as @ana."))
        guests.append(f"<@{mention[1]}>" if mention[1] else f"@{mention[2].casefold()}")
    return tuple(dict.fromkeys(guests))


_MENTION = re.compile(r"(?:[^\s<>@]*[=:])?(?:<@!?(\w{1,32})>|@([^\s<>@]{1,64}))")
"""Matches a mention by id or by username; in a typed line the parameter's name may stand before the first."""


def hints_from(pairs: Sequence[str], say: Say) -> tuple[bool, Sequence[str]]:
    """Whether there are hints, by the last pair such as ``hints=no`` among house rules, and the other pairs.

    Raises `Refused` for a pair such as ``hints=maybe``.
    """
    allowed = True
    for match in filter(None, map(_HINTS.fullmatch, pairs)):
        allowed = hints_named(match[2], match[1], say)
    return allowed, [pair for pair in pairs if not _HINTS.fullmatch(pair)]


def hints_named(value: str, rule: str, say: Say) -> bool:
    """Whether a typed value allows hints; ``rule`` is the word for hints as typed, which a refusal repeats.

    Raises `Refused` for a value that neither allows nor forbids them.
    """
    if (word := folded(value)) not in (*_NO, *_YES):
        raise Refused(wrong_value(rule, value, by_words((Text("yes"), Text("no")), say)))
    return word in _YES


_HINTS = re.compile(r"(hints|pistas)=(.+)", re.IGNORECASE)
_YES, _NO = ("yes", "on", "si", "y", "s"), ("no", "off", "n")


def pace_from(pairs: Sequence[str], say: Say) -> tuple[Pace, Sequence[str]]:
    """The computers' pace, by the last pair such as ``pace=fast`` among house rules, and the other pairs.

    Raises `Refused` for an unknown pace.
    """
    labels = by_words((record.label for record in PACES.values()), say)
    pace: Pace = "natural"
    for match in filter(None, map(_PACE.fullmatch, pairs)):
        if (chosen := pace_named(match[2])) is None:
            raise Refused(wrong_value(match[1], match[2], labels))
        pace = chosen
    return pace, [pair for pair in pairs if not _PACE.fullmatch(pair)]


_PACE = re.compile(r"(pace|ritmo)=(.+)", re.IGNORECASE)
