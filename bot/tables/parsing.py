"""Reads what players type on every platform: games, house rules, clocks, guests, hints and paces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from bot.choices import LANGUAGES, Pace
from bot.i18n import Speech, folded
from bot.model.tables import Refused
from bot.nearest import by_words, did_you_mean, nearest, wrong_value
from bot.tables.paces import PACES, pace_named
from bot.tables.table_state import AnyGame
from bot.tables.turn_clock import DAY, is_allowed
from engines import games
from engines.game import Option, Say, Text, allows


class UnknownGame(Refused):
    """A typed name is no game's, or that of several."""

    def __init__(self) -> None:
        titles = tuple(game.title for game in games().values())
        super().__init__(Text("Which game? You can play {games}.", games=titles))


def title_of(key: str, say: Say) -> str:
    """The title of a game; its key if only a newer version of the bot knows it."""
    return say(games()[key].title) if key in games() else key


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
    """The names of all games, in all languages, as they are compared."""
    titles = (Speech(language)(game.title) for game in games().values() for language in LANGUAGES)
    return tuple(map(_title_words, (*games(), *titles)))


def _title_words(name: str) -> str:
    """The name of a game as it is compared."""
    return folded(name).replace("-", " ").replace("_", " ")


def clock_word(word: str) -> int | None:
    """The seconds that a word names (``60``, ``90s``, ``2d``, ``off``); None if no turn can have them."""
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


CLOCK_LIMITS = Text("A turn can last 15 to 300 seconds (60), or 1 to 7 days (2days). Or play without: off.")

_CLOCK = re.compile(r"(\d{1,4})\s*(|s|sec|seg|seconds?|segundos?|m|min|minutes?|minutos?|d|days?|dias?)")
_UNITS = {"": 1, "s": 1, "m": 60, "d": DAY}
"""The seconds of a unit, by its first letter."""
_NO_CLOCK = frozenset(("off", "no", "none", "sin", "0"))


def guests_from(words: str) -> tuple[str, ...]:
    """The people whom a line mentions, each once. Raises `Refused` for a word that is no mention."""
    guests = []
    for word in words.replace(",", " ").split():
        # In a typed line the parameter's name may stand before the first mention.
        mention = _MENTION.fullmatch(word[word.index("@") - word.count("<") :] if "@" in word else word)
        if mention is None:
            raise Refused(Text("Write the people to invite as mentions, such as @ana."))
        guests.append(f"<@{mention[1]}>" if mention[1] else f"@{mention[2].casefold()}")
    return tuple(dict.fromkeys(guests))


_MENTION = re.compile(r"<@!?(\w{1,32})>|@([^\s<>@]{1,64})")
"""Matches a mention by id or by username."""


def hints_from(pairs: Sequence[str], say: Say) -> tuple[bool, Sequence[str]]:
    """Whether there are hints, by pairs such as ``hints=no`` among house rules, and the other pairs.

    Raises `Refused` for a pair that neither allows nor forbids hints.
    """
    matches = {pair: match for pair in pairs if (match := _HINTS.fullmatch(pair))}
    for match in matches.values():
        if folded(match[2]) not in (*_NO, *_YES):
            raise Refused(wrong_value(match[1], match[2], by_words((Text("yes"), Text("no")), say)))
    allowed = not any(folded(match[2]) in _NO for match in list(matches.values())[-1:])
    return allowed, [pair for pair in pairs if pair not in matches]


_HINTS = re.compile(r"(hints|pistas)=(.+)", re.IGNORECASE)
_YES, _NO = ("yes", "on", "si"), ("no", "off")


def pace_from(pairs: Sequence[str], say: Say) -> tuple[Pace, Sequence[str]]:
    """The computers' pace, by pairs such as ``pace=fast`` among house rules, and the other pairs.

    Raises `Refused` for an unknown pace.
    """
    matches = {pair: match for pair in pairs if (match := _PACE.fullmatch(pair))}
    labels = by_words((record.label for record in PACES.values()), say)
    pace: Pace = "natural"
    for match in matches.values():
        if (chosen := pace_named(match[2])) is None:
            raise Refused(wrong_value(match[1], match[2], labels))
        pace = chosen
    return pace, [pair for pair in pairs if pair not in matches]


_PACE = re.compile(r"(pace|ritmo)=(.+)", re.IGNORECASE)


def options_from(pairs: Iterable[str], game: AnyGame) -> dict[str, str]:
    """House rules from ``rule=value``. Raises `Refused` for one that the game does not have."""
    options = {}
    for pair in pairs:
        option, _, value = pair.partition("=")
        if not allows(game.options, option, value):
            raise Refused(_no_rule(pair, game))
        options[option] = value
    return options


def _no_rule(pair: str, game: AnyGame) -> Text:
    """The refusal of a house rule that a game does not have: with the one it resembles, else with all."""
    name, _, value = pair.partition("=")
    unknown = Text("There is no house rule “{rule}”.", rule=pair)
    rules = {option.name: option for option in game.options}
    if near := nearest(name, rules):
        values = rules[near].values
        if meant := value if value in values else nearest(value, values):
            return did_you_mean(unknown, f"{near}={meant}")
    if not rules:
        return Text("{game} has no house rules.", game=game.title)
    known = ", ".join(f"{rule.name}={'|'.join(rule.values)}" for rule in game.options)
    return Text("{reason} Choose: {choices}.", reason=unknown, choices=known)


def option_from(line: str, game: AnyGame, say: Say) -> tuple[str, str]:
    """The house rule and the value that a typed line names, by their keys or by their labels.

    Raises `Refused` for a rule that the game does not have, and for a value that the rule does not have.
    """
    rules = {option.name: tuple(_names(option, say)) for option in game.options}
    name, rest = _begun(line, rules)
    option = next((option for option in game.options if option.name == name), None)
    if option is None:
        known = tuple(Text("“{label}”", label=option.text) for option in game.options)
        if not known:
            raise Refused(Text("{game} has no house rules.", game=game.title))
        raise Refused(Text("The house rules are: {rules}.", rules=known))
    for value, label in option.values.items():
        if rest in (_flat(value), _flat(say(label))):
            return option.name, value
    values = ", ".join(map(say, option.values.values()))
    raise Refused(Text("“{rule}” can be: {values}.", rule=option.text, values=values))


def _names(option: Option, say: Say) -> Iterator[str]:
    """The names of a house rule that players may type."""
    yield option.name
    yield option.name.replace("_", " ")
    yield say(option.text)


def _begun(line: str, names: Mapping[str, Iterable[str]]) -> tuple[str, str]:
    """The key whose name a line begins with, if any, and the rest of the line."""
    words = _flat(line).split()
    # Of two keys with one name the first counts.
    keys = {_flat(name): key for key, called in tuple(names.items())[::-1] for name in called}
    longest = max((len(name.split()) for name in keys), default=0)
    for n in range(min(len(words), longest), 0, -1):
        if found := keys.get(" ".join(words[:n])):
            return found, " ".join(words[n:])
    return "", line


def _flat(text: str) -> str:
    """Text as it is compared: without case, accents and the marks between a house rule and its value."""
    return " ".join(folded(text).replace("=", " ").replace(":", " ").split())
