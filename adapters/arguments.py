"""Parses and checks the arguments of the command line; a wrong one raises `typer.BadParameter`."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Sequence

import typer

from adapters.parameters import fits
from bot.choices import Language
from bot.i18n import Speech, language, safe_name, shared_name
from bot.local_settings import LocalSettings, plainly_read
from bot.model import Refused
from bot.pages.seat_counts import players_caption
from bot.tables.levels import LEVELS, level_named
from bot.tables.parsing import game_named, options_from
from bot.tables.table_state import AnyGame
from engines import games
from engines.levels import Level

_ENGLISH = Speech("en")
"""Writes this module's errors in English, as Typer's are, even if the screens are in Spanish."""


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
    if sys.platform == "win32":
        import ctypes
        import locale

        return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage())
    return None


def game_of(name: str) -> AnyGame:
    """The game with this key or title, or the only game whose key or title begins with ``name``."""
    try:
        return game_named(name, _ENGLISH)
    except Refused:
        # The error lists keys, since titles with blanks need quotes on a command line.
        raise typer.BadParameter(f"there is no game {name!r}; choose one of: {', '.join(games())}") from None


def seats_of(game: AnyGame, players: int | None, humans: int = 1) -> int:
    """The number of seats: ``players`` if given, else the fewest that the game allows and its humans need."""
    seats = max(game.seats[0], humans) if players is None else players
    if seats not in game.seats:
        raise typer.BadParameter(
            f"{_ENGLISH(game.title)} is for {_ENGLISH(players_caption(game.seats))}, not {seats}"
        )
    if humans > seats:
        raise typer.BadParameter(
            f"{humans} people need {humans} seats, but there are {seats}: change --players or --humans"
        )
    return seats


def contenders_of(
    game: AnyGame, seats: str | None, players: int | None, level: Level | None
) -> tuple[Level, ...]:
    """The level of each seat of a match: those of ``seats``, else ``level`` in all seats."""
    if seats is None:
        return (level or "normal",) * seats_of(game, players)
    if players is not None or level is not None:
        raise typer.BadParameter("--seats names all seats and levels: leave out --players and --level")
    levels = tuple(_level(word.strip()) for word in seats.split(","))
    seats_of(game, len(levels))
    return levels


def _level(word: str) -> Level:
    if level := level_named(word):
        return level
    raise typer.BadParameter(f"there is no level {word!r}; choose from: {', '.join(LEVELS)}")


def options_of(game: AnyGame, given: Sequence[str]) -> dict[str, str]:
    """The house rules by name, parsed from arguments of the form ``rule=value``."""
    try:
        return options_from(given, game)
    except Refused as refused:
        raise typer.BadParameter(_ENGLISH(refused.reason)) from None


def names_of(given: Sequence[str], humans: int, setting: str | None, locale: Language) -> tuple[str, ...]:
    """One name for each human player, empty for a player without one. Refuses a name that two would share.

    A single human player without a given name has that of the setting or of the login.
    """
    if humans == 1 and not given:
        given = [setting or _login()]
    named = tuple(map(safe_name, given[:humans]))
    names = (*named, *("" for _ in range(humans - len(named))))
    if (name := shared_name(names, locale)) is not None:
        raise typer.BadParameter(f"two players can't both be called {name}")
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
