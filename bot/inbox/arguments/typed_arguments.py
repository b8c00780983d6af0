"""Reads the arguments of commands in typed lines, and refuses words that a command cannot take."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from bot.i18n import Speech, safe_name
from bot.inbox.arguments.commands import Command, Parameter, ParameterKind
from bot.inbox.arguments.value_words import WORDS, as_read, meant
from bot.model.tables import Refused
from bot.nearest import did_you_mean, nearest, wrong_value
from bot.pages.callback_data import is_game
from bot.settings.choices import Language
from bot.tables.names.parsing import CLOCK_LIMITS, begins_title, clock_word
from engines.game import Text

UNREAD = "?"
"""The key, among the arguments of a line, of the words that no parameter can take."""
_MOST_WORDS = 40
"""The most words that are read: no command needs more, but for the words of a free text."""
_QUOTED_WIDTH = 40
"""The most cells of words that a refusal repeats."""
_COURTESY = re.compile(
    r"(?:^|,?\s+)(?:please|pls|plz|thanks|thank\s+you|por\s+favor|porfa|gracias)[,.!]*(?=\s|$)", re.IGNORECASE
)
"""Matches words of courtesy, which no value needs."""
_NAMES: frozenset[ParameterKind] = frozenset(("player", "person", "barred", "seat"))
"""The kinds whose values may be names of several words."""
_SWITCHES: frozenset[ParameterKind] = frozenset(("clock", "threads"))
"""The kinds that can be turned off by the same words."""


def arguments(command: Command, line: str, known: Mapping[str, str] | None = None) -> dict[str, str]:
    """The arguments in a typed line: each word goes to the first parameter without a value that it fits.

    Parameters in ``known`` have a value already. A parameter's name may stand before its word, as in
    “/channel openers nobody” and ``level=hard``: then the word is its value even if it does not fit. A name
    after the value, as in “3 players”, is left out, and so are words of courtesy, but for those of a cut.
    Other words that fit no parameter, or could turn off two things, are given as `UNREAD`.
    """
    given = dict(known or {})
    words = _without_courtesy(command, line).split()
    if words and command.parameters and command.parameters[0].rest:
        words, named = _without_named(command.parameters[1:], words)
        return given | {command.parameters[0].name: " ".join(words)} | named
    words, beyond = _with_units(command, words[:_MOST_WORDS]), words[_MOST_WORDS:]
    unread = [given.pop(UNREAD)] if UNREAD in given else []
    last: Parameter | None = None
    while words:
        word = words.pop(0)
        if last and _goes_on(command, last, given, word):
            given[last.name] += f" {word}"
            continue
        parameter, value = _named(command, given, word) if words or _PAIR.fullmatch(word) else (None, "")
        if parameter is None:
            parameter, value = _fitting(command, given, word), word
        if parameter is None:
            if last is None or word.casefold() not in last.names:
                unread.append(word)
            continue
        value = value or words.pop(0)
        if parameter.rest and parameter.kind != "rules":
            value, words, beyond = " ".join((value, *words, *beyond)), [], []
        if parameter.kind == "rules" and parameter.name in given:
            value = f"{given[parameter.name]} {value}"
        given[parameter.name], last = value, parameter
    unread += beyond
    return given | ({UNREAD: " ".join(unread)} if unread else {})


def checked(command: Command, given: Mapping[str, str], say: Speech) -> Mapping[str, str]:
    """The arguments of a command; those that were typed among the house rules are given to their parameters.

    Raises `Refused` for words that no parameter can take, unless `_must_be_superfluous` lets them pass, and
    for a value that is not one of the few that a parameter has.
    """
    rules = next((parameter.name for parameter in command.parameters if parameter.kind == "rules"), "")
    if rules_line := given.get(rules, ""):
        others = {name: value for name, value in given.items() if name != rules}
        given = arguments(command, rules_line.replace(",", " "), others)
    for parameter in command.parameters:
        value = given.get(parameter.name, "").strip()
        if value and (words := WORDS.get(parameter.kind)) and meant(words, value) is None:
            value = safe_name(value, _QUOTED_WIDTH)
            raise Refused(wrong_value(parameter.called(say.locale), value, as_read(words, say.locale)))
    if unread := safe_name(given.get(UNREAD, ""), _QUOTED_WIDTH):
        _must_be_superfluous(command, given, unread, say.locale)
    return given


def _must_be_superfluous(command: Command, given: Mapping[str, str], unread: str, language: Language) -> None:
    """Raises `Refused` for unread words, unless all parameters that they could be meant for have a value."""
    free = [parameter for parameter in command.parameters if parameter.name not in given]
    free = [parameter for parameter in free if parameter.kind in WORDS or parameter.kind in _FITS]
    free = [parameter for parameter in free if parameter.kind != "table"]
    if not free:
        return
    if any(parameter.kind == "clock" for parameter in free) and unread.isdecimal():
        raise Refused(CLOCK_LIMITS)
    if len(switches := [each for each in free if each.kind in _SWITCHES and fits(each.kind, unread)]) > 1:
        one, other = (f"{each.called(language)} {unread}" for each in switches)
        raise Refused(
            Text("“{word}” can mean several things. Type “{one}” or “{other}”.",
                 word=unread, one=one, other=other)
        )  # fmt: skip
    lists = {parameter.called(language): as_read(WORDS[parameter.kind], language)
             for parameter in free if parameter.kind in WORDS}  # fmt: skip
    if lists and (len(free) == 1 or any(parameter.required for parameter in free)):
        name, words = next(iter(lists.items()))
        raise Refused(wrong_value(name, unread, words))
    known = {name: parameter.called(language) for parameter in free for name in parameter.names}
    for words in lists.values():
        known |= words
    reason = Text("I don't understand “{words}”.", words=unread)
    if near := nearest(unread.split()[0], known):
        raise Refused(did_you_mean(reason, known[near]))
    names = ", ".join(parameter.called(language) for parameter in free)
    example = next((f"{name} {next(iter(words.values()))}" for name, words in lists.items()), "")
    raise Refused(
        Text("{reason} You can give: {names}, such as “{example}”.",
             reason=reason, names=names, example=example)
    )  # fmt: skip


def _without_named(parameters: Sequence[Parameter], words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Splits a line into the words of a free text and the named values at its end, such as ``table=3``."""
    words, given = list(words), dict[str, str]()
    for parameter in parameters:
        if len(words) > 1 and (pair := _PAIR.fullmatch(words[-1])) and pair[1].casefold() in parameter.names:
            words, given[parameter.name] = words[:-1], pair[2]
        elif len(words) > 2 and words[-2].casefold() in parameter.names and fits(parameter.kind, words[-1]):
            words, given[parameter.name] = words[:-2], words[-1]
    return words, given


_PAIR = re.compile(r"([\w-]+)[=:](.+)")
"""Matches a value after its parameter's name."""


def _named(command: Command, given: Mapping[str, str], word: str) -> tuple[Parameter | None, str]:
    """The parameter that a word names, alone or in a pair such as ``level=hard``; then also the pair's value.

    A pair such as ``high=ace`` that begins with no parameter's name is for the house rules.
    """
    if pair := _PAIR.fullmatch(word):
        for parameter in command.parameters:
            if pair[1].casefold() in parameter.names:
                return parameter, pair[2]
        rules = next((parameter for parameter in command.parameters if parameter.kind == "rules"), None)
        return rules, f"{pair[1]}={pair[2]}"
    free = (parameter for parameter in command.parameters if parameter.name not in given)
    return next((parameter for parameter in free if word.casefold() in parameter.names), None), ""


def _fitting(command: Command, given: Mapping[str, str], word: str) -> Parameter | None:
    """The first free parameter that a word fits; None if it fits none, or two switches.

    House rules must be typed with their names, and so must a switch if the word fits both switches.
    """
    free = (parameter for parameter in command.parameters if parameter.name not in given)
    fitting = [each for each in free if each.kind != "rules" and fits(each.kind, word)]
    switches = [each for each in fitting if each.kind in _SWITCHES]
    return fitting[0] if fitting and len(switches) < 2 else None


def _without_courtesy(command: Command, line: str) -> str:
    """The line without words of courtesy; as it is, if the command takes free words, as a cut does."""
    is_free = bool(command.parameters) and command.parameters[0].kind == "words"
    return line if is_free else _COURTESY.sub("", line)


def _goes_on(command: Command, last: Parameter, given: Mapping[str, str], word: str) -> bool:
    """Whether a word continues the value of the last parameter that was given one."""
    value = given[last.name]
    if last.many:
        return fits(last.kind, word)
    if last.kind == "game":
        return begins_title(f"{value} {word}")
    if last.kind not in _NAMES or value.isdecimal() or "@" in value:
        return False
    return not _fitting(command, given, word) and not _named(command, given, word)[0]


def _with_units(command: Command, words: Sequence[str]) -> list[str]:
    """The words of a line, in which “2 days” is one, if the command has a clock."""
    joined = list[str]()
    has_clock = any(parameter.kind == "clock" for parameter in command.parameters)
    for word in words:
        goes_on = has_clock and joined and joined[-1].isdecimal() and word.isalpha()
        if goes_on and clock_word(joined[-1] + word) is not None:
            joined[-1] += word
        else:
            joined.append(word)
    return joined


_FITS: Mapping[ParameterKind, Callable[[str], bool]] = {
    "players": lambda word: word.isdecimal() and not clock_word(word),
    "computers": str.isdecimal,
    "clock": lambda word: clock_word(word) is not None,
    "table": lambda word: word.isdecimal() or is_game(word),
    "people": lambda word: "@" in word,
}
"""Whether a word can be a value, for the kinds that have many values but are no free text."""


def fits(kind: ParameterKind, word: str) -> bool:
    """Whether a typed word can be a value of a kind; of kinds that are free text, any can."""
    if kind == "game":
        leaderboards = (WORDS[name] for name in _OF_LEADERBOARDS)
        return all(meant(words, word) is None for words in leaderboards)
    if (words := WORDS.get(kind)) is not None:
        return meant(words, word) is not None
    return kind not in _FITS or _FITS[kind](word)


_OF_LEADERBOARDS: tuple[ParameterKind, ...] = ("scope", "period", "order")
"""The kinds whose words are no game's name."""
