"""Parses and checks the arguments of the command line; a wrong one raises `WrongArgument`."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

import typer

from adapters.parameters import fits
from adapters.shared.nearest import nearest
from adapters.shared.wrong import WrongArgument
from bot.choices import Language
from bot.i18n import LANGUAGES, Speech, language, safe_name, shared_name
from bot.local_settings import LocalSettings, plainly_read
from bot.model import Refused
from bot.pages.seat_counts import players_caption
from bot.tables.levels import LEVELS, level_named
from bot.tables.parsing import game_named, options_from
from bot.tables.table_state import AnyGame
from engines import games
from engines.game import Text
from engines.levels import Level


def local_settings() -> LocalSettings:
    """Reads the settings of games at a terminal; raises `typer.BadParameter` for invalid ones."""
    if (settings := plainly_read()) is not None:
        return settings
    from adapters.host_settings import read_settings
    from bot.settings import Settings

    return read_settings(Settings).local


def speech_of(lang: Language | None) -> Speech:
    """Writes in the language of a command's reader."""
    return Speech(locale_of(lang, local_settings().language))


def locale_of(lang: Language | None, setting: Language | None) -> Language:
    """The language of ``--lang``, else of the setting, else of the system's locale."""
    system = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
    return language(lang or setting or system or _windows_locale())


def _windows_locale() -> str | None:
    """The language in which Windows shows its menus, such as ``es_MX``; None elsewhere."""
    found: str | None = None
    if sys.platform == "win32":
        import ctypes
        import locale

        found = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage())
    return found


def speech_in_spite_of(given: Sequence[str]) -> Speech:
    """Writes in the language of the user who typed these arguments, some of which may be wrong."""
    wanted = [
        other if word in ("--lang", "-l") else word.partition("=")[2]
        for word, other in pairwise((*given, ""))
        if word in ("--lang", "-l") or word.startswith("--lang=")
    ]
    lang = next((known for known in LANGUAGES if known in wanted), None)
    try:
        return speech_of(lang)
    except typer.BadParameter:
        return Speech(locale_of(lang, None))


def must_fit(*, resume: bool, changed: bool, seed: str | None, cut: str | None) -> None:
    """Refuses to resume a game with settings that are ``changed``, and to cut a deck whose deal is fixed."""
    if resume and changed:
        raise WrongArgument(Text("--resume goes on with a game as it was dealt: leave out its settings."))
    if seed is not None and cut is not None:
        raise WrongArgument(
            Text("--seed fixes the deal, so a cut can't change it: leave out --seed or --cut.")
        )


def game_of(name: str) -> AnyGame:
    """The game with this key or title, or the only game whose key or title begins with ``name``."""
    try:
        return game_named(name, Speech("en"))
    except Refused:
        called = {key: key for key in games()}
        called |= {Speech(tag)(game.title): key for key, game in games().items() for tag in LANGUAGES}
        if meant := nearest(name, called):
            raise WrongArgument(
                Text("There is no game {name}. Did you mean {meant}?", name=name, meant=called[meant])
            ) from None
        # The error lists keys, since titles with blanks need quotes on a command line.
        listed = ", ".join(games())
        raise WrongArgument(
            Text("There is no game {name}. Choose: {games}.", name=name, games=listed)
        ) from None


def seats_of(game: AnyGame, players: int | None, humans: int = 1) -> int:
    """The number of seats: ``players`` if given, else the fewest that the game allows and its humans need."""
    seats = max(game.seats[0], humans) if players is None else players
    if seats not in game.seats:
        raise WrongArgument(
            Text(
                "{game} is for {players}, not {n}.",
                game=game.title,
                players=players_caption(game.seats),
                n=seats,
            )
        )
    if humans > seats:
        raise WrongArgument(
            Text(
                "{humans} people need {humans} seats, but there are {seats}: change --players or --humans.",
                humans=humans,
                seats=seats,
            )
        )
    return seats


def contenders_of(
    game: AnyGame, seats: str | None, players: int | None, level: Level | None
) -> tuple[Level, ...]:
    """The level of each seat of a match: those of ``seats``, else ``level`` in all seats."""
    if seats is None:
        return (level or "normal",) * seats_of(game, players)
    if players is not None or level is not None:
        raise WrongArgument(Text("--seats names all seats and levels: leave out --players and --level."))
    levels = tuple(_level(word.strip()) for word in seats.split(","))
    seats_of(game, len(levels))
    return levels


def _level(word: str) -> Level:
    if level := level_named(word):
        return level
    if meant := nearest(word, LEVELS):
        raise WrongArgument(Text("There is no level {level}. Did you mean {meant}?", level=word, meant=meant))
    raise WrongArgument(
        Text("There is no level {level}. Choose: {levels}.", level=word or "–", levels=", ".join(LEVELS))
    )


def options_of(game: AnyGame, given: Sequence[str]) -> dict[str, str]:
    """The house rules by name, parsed from arguments of the form ``rule=value``."""
    for pair in given:
        if meant := _meant_rule(pair, game):
            raise WrongArgument(
                Text("There is no house rule {rule}. Did you mean {meant}?", rule=pair, meant=meant)
            )
    try:
        return options_from(given, game)
    except Refused as refused:
        raise WrongArgument(refused.reason) from None


def _meant_rule(pair: str, game: AnyGame) -> str | None:
    """What a mistyped ``rule=value`` means; None if it is right, or means nothing known."""
    rule, _, value = pair.partition("=")
    rules = {option.name: option for option in game.options}
    name = rule if rule in rules else nearest(rule, rules)
    values = rules[name].values if name else ()
    meant = value if value in values else nearest(value, values)
    return f"{name}={meant}" if meant and f"{name}={meant}" != pair else None


def names_of(given: Sequence[str], humans: int, setting: str | None, locale: Language) -> tuple[str, ...]:
    """One name for each human player, empty for a player without one. Refuses a name that two would share.

    A single human player without a given name has that of the setting or of the login.
    """
    if humans == 1 and not given:
        given = [setting or _login()]
    named = tuple(map(safe_name, given[:humans]))
    names = (*named, *("" for _ in range(humans - len(named))))
    if (name := shared_name(names, locale)) is not None:
        raise WrongArgument(Text("Two players can't both be called {name}.", name=name))
    return names


def _login() -> str:
    """The capitalised login name; empty for an account that several people share, such as root."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        # On Windows Python looks for a module that is not there, if no variable holds the name.
        return ""
    return "" if name in ("root", "nobody", "admin") else name.capitalize()


def shows(text: str) -> bool:
    """Whether the encoding of standard output can encode a text."""
    return fits(text, sys.stdout.encoding or "ascii")
