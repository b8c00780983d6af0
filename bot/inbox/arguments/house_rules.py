"""Reads house rules and their values as players type them: by key, by label, or by words of a label."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from bot.i18n import Speech, folded
from bot.model.tables import Refused
from bot.nearest import did_you_mean, nearest
from bot.pages.menus.labels import is_begun
from bot.settings.choices import LANGUAGES
from bot.tables.log.table_state import AnyGame
from engines.game import Option, Text

Names = Mapping[str, Collection[str]]
"""By key, the names of house rules or of a rule's values in every language, as `_flat` makes them."""

_NO_APOSTROPHES = dict.fromkeys(map(ord, "'’"))
"""Drops apostrophes, for `str.translate`: a phone types the curly one, and some people none."""
_WORD = re.compile(r"[^\s=:()“”«»]+")
"""Matches a word without the marks between a house rule and its value, or around them."""
_BRACKETED = re.compile(r"\([^()]*\)")
"""Matches what stands in brackets, brackets included."""


def _is_whole(typed: str, name: str) -> bool:
    return typed == name


def _has_words(typed: str, name: str) -> bool:
    """Whether a name has all typed words, in any order."""
    return set(typed.split()) <= set(name.split())


Ways = Sequence[Callable[[str, str], bool]]
"""Tests of whether typed words mean a name, in order: only the first test that a name passes counts."""
_RULE_WAYS: Ways = (_is_whole, is_begun, _has_words)
_VALUE_WAYS: Ways = (_is_whole, _has_words)
"""Without `is_begun`, since one value's first word may be another one's last: “bajo o alto”, “solo bajo”."""


def house_rule(line: str, game: AnyGame, say: Speech, others: Sequence[Text] = ()) -> tuple[str, str]:
    """The keys of the house rule and of the value that a typed line names.

    Raises `Refused` for a rule or value that the game does not have, and for words that could mean several.
    A refusal that lists all rules has ``others``, the labels of other settings, after the rules of the game.
    """
    words, names = _flat(line).split(), _names_of_rules(game)
    longest = max((len(name.split()) for called in names.values() for name in called), default=0)
    whole = [(fits, len(words)) for fits in _RULE_WAYS if len(words) <= longest]
    parted = [(fits, n) for fits in _RULE_WAYS for n in range(min(len(words) - 1, longest), 0, -1)]
    # In this order: the line as a rule's whole name, its first words as a name or part of one, the line as
    # part of a name.
    for fits, n in (*whole[:1], *parted, *whole[1:]):
        begun = " ".join(words[:n])
        if found := _fitting(begun, names, fits):
            return _chosen(begun, found, " ".join(words[n:]), game, say)
    if not (texts := (*(option.text for option in game.options), *others)):
        raise Refused(Text("{game} has no house rules.", game=game.title))
    labels = tuple(Text("“{label}”", label=text) for text in texts)
    raise Refused(Text("The house rules are: {rules}.", rules=labels))


def house_rules(pairs: Iterable[str], game: AnyGame, say: Speech) -> dict[str, str]:
    """The keys of house rules and values from ``rule=value``. Raises `Refused` as `house_rule` does."""
    options = {}
    for pair in pairs:
        rule, _, value = pair.partition("=")
        if not (found := _named(_flat(rule), _names_of_rules(game), _RULE_WAYS)):
            raise Refused(_no_rule(pair, game, say))
        name, chosen = _chosen(rule, found, _flat(value), game, say)
        options[name] = chosen
    return options


def value_after(label: Text, names: Iterable[str], line: str) -> str | None:
    """The words of a line after one of the names of a setting; None for a line that begins with none.

    The names of the setting are ``names``, and its label in every language.
    """
    words = line.split()
    for name in (*(_flat(Speech(language)(label)) for language in LANGUAGES), *names):
        n = len(name.split())
        if _flat(" ".join(words[:n])) == name:
            return " ".join(words[n:])
    return None


def _chosen(typed: str, found: Sequence[str], value: str, game: AnyGame, say: Speech) -> tuple[str, str]:
    """The key of the only house rule in ``found``, and that of its value that ``value`` names.

    ``found`` are the keys of the rules that ``typed`` names. Raises `Refused` if there are several such
    rules or values, with their labels, and if ``value`` names no value, with those of all values.
    """
    rule = _option(game, _only(typed, found, {option.name: option.text for option in game.options}))
    if values := _named(value, _names_of_values(rule), _VALUE_WAYS):
        return rule.name, _only(value, values, rule.values)
    all_values = ", ".join(map(say, rule.values.values()))
    raise Refused(Text("“{rule}” can be: {values}.", rule=rule.text, values=all_values))


def short_pair(option: Option, value: str, game: AnyGame, say: Speech) -> str:
    """A house rule and a value as ``rule=value``, each by the longest word that names no other."""
    rules, values = _names_of_rules(game), _names_of_values(option)
    rule = _short(option.name, option.text, lambda word: _named(word, rules, _RULE_WAYS), say)
    chosen = _short(value, option.values[value], lambda word: _named(word, values, _VALUE_WAYS), say)
    return f"{rule}={chosen}"


def _no_rule(pair: str, game: AnyGame, say: Speech) -> Text:
    """The refusal of a house rule that a game does not have: with the one it resembles, else with all.

    The one it resembles counts only if it can have the typed value.
    """
    if not game.options:
        return Text("{game} has no house rules.", game=game.title)
    reason, names = Text("There is no house rule “{rule}”.", rule=pair), _names_of_rules(game)
    typed, _, value = pair.partition("=")
    words = {word for option in game.options for word in _words(say(option.text).lower())}
    if near := nearest(typed, {*words, *names}):
        found = _named(_flat(near), names, _RULE_WAYS)
        values = _names_of_values(_option(game, found[0])) if found else {}
        if len(found) == 1 and len(_named(_flat(value), values, _VALUE_WAYS)) == 1:
            return did_you_mean(reason, f"{near}={value}")
    rules = tuple(
        Text("“{label}” ({values})", label=option.text, values=_span(option, say)) for option in game.options
    )
    option = game.options[0]
    example = short_pair(option, list(option.values)[1], game, say)
    return Text(
        "{reason} The house rules are: {rules}. Type a word of one and a word of its value: “{example}”.",
        reason=reason, rules=rules, example=example,
    )  # fmt: skip


def _span(option: Option, say: Speech) -> str:
    """The labels of a house rule's values; of numbers only the least and the greatest."""
    if all(value.isdecimal() for value in option.values):
        numbers = sorted(map(int, option.values))
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(say, option.values.values()))


def _short(key: str, label: Text, named: Callable[[str], Sequence[str]], say: Speech) -> str:
    """The longest word of a label that names this key and no other; the key itself if no word does."""
    words = sorted(_words(say(label).lower()), key=len, reverse=True)
    return next((word for word in words if named(_flat(word)) == [key]), key)


def _named(typed: str, names: Names, ways: Ways) -> list[str]:
    """The keys that typed words name."""
    return next((found for fits in ways if (found := _fitting(typed, names, fits))), [])


def _fitting(typed: str, names: Names, fits: Callable[[str, str], bool]) -> list[str]:
    """The keys that typed words name in one way."""
    return [key for key, called in names.items() if typed and any(fits(typed, name) for name in called)]


def _only(typed: str, found: Sequence[str], labels: Mapping[str, Text]) -> str:
    """The only key that was found. Raises `Refused` with the labels of several."""
    if len(found) == 1:
        return found[0]
    choices = tuple(Text("“{label}”", label=labels[key]) for key in found)
    raise Refused(Text("“{word}” can mean several things: {choices}.", word=typed, choices=choices))


def _names_of_rules(game: AnyGame) -> Names:
    return {option.name: _names(option.name, option.text) for option in game.options}


def _names_of_values(option: Option) -> Names:
    return {value: _names(value, label) for value, label in option.values.items()}


def _names(key: str, label: Text) -> Collection[str]:
    """The names of a key: itself, also with blanks for underscores, and its label in every language."""
    return {key, _flat(key.replace("_", " ")), *(_flat(Speech(language)(label)) for language in LANGUAGES)}


def _option(game: AnyGame, name: str) -> Option:
    return next(option for option in game.options if option.name == name)


def _flat(text: str) -> str:
    """Text as it is compared: folded, without marks and apostrophes and without what stands in brackets.

    A label's brackets may name another value.
    """
    return " ".join(_words(_BRACKETED.sub(" ", folded(text).translate(_NO_APOSTROPHES))))


def _words(text: str) -> list[str]:
    return _WORD.findall(text)
