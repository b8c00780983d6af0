"""Reads the names of games and house rules that players type, on every platform."""

from __future__ import annotations

from collections.abc import Iterable

from bot.model import Refused
from bot.tables.table_log import AnyGame
from engines import games
from engines.game import Say, Text, allows


def game_named(name: str, say: Say) -> AnyGame:
    """The game with this key or title, else the only one whose key or title begins so. Raises `Refused`."""
    typed = name.strip().casefold().replace("-", "_")
    names = {key: (key, say(game.title).casefold()) for key, game in games().items()}
    exact = [key for key, called in names.items() if typed in called]
    found = exact or [key for key, called in names.items() if any(one.startswith(typed) for one in called)]
    if len(found) != 1:
        titles = tuple(game.title for game in games().values())
        raise Refused(Text("Which game? There are {games}.", games=titles))
    return games()[found[0]]


def options_from(pairs: Iterable[str], game: AnyGame) -> dict[str, str]:
    """House rules from ``rule=value``. Raises `Refused` for one that the game does not have."""
    options = {}
    for pair in pairs:
        option, _, value = pair.partition("=")
        if not allows(game.options, option, value):
            known = ", ".join(f"{rule.name}={'|'.join(rule.values)}" for rule in game.options) or "–"
            raise Refused(Text("There is no house rule {rule}; there are: {rules}", rule=pair, rules=known))
        options[option] = value
    return options
