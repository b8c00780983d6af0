"""Reads the settings of a command and checks its arguments; a wrong one raises `WrongArgument`.

Imports no game. Arguments about a game are read by `adapters.game_arguments`.
"""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

import typer

from adapters.parameters import fits
from adapters.shared.wrong import WrongArgument
from bot.choices import Language
from bot.i18n import LANGUAGES, Speech, language, safe_name, shared_name
from bot.local_settings import LocalSettings, plainly_read
from engines.game import Text


def local_settings() -> LocalSettings:
    """Reads the settings of games at a terminal; raises `typer.BadParameter` for invalid ones."""
    if (settings := plainly_read()) is not None:
        return settings
    from adapters.host_settings import read_settings
    from bot.settings import Settings

    return read_settings(Settings).local


def speech_of(lang: Language | None) -> Speech:
    """The speech for the reader of a command's output."""
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
    """The speech for the user who typed these arguments, some of which may be wrong."""
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
