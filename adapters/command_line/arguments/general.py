"""Checks arguments for which the rules of no game are needed; a wrong one raises `WrongArgument`.

Imports no game; `adapters.command_line.arguments.games` checks the arguments that need one.
"""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence

from adapters.command_line.arguments.parameters import fits
from adapters.command_line.languages import local_settings, locale_of
from adapters.shared.wrong_argument import WrongArgument
from bot.i18n import Speech, safe_name, shared_name
from bot.settings.choices import Language
from engines.game import Text


def speech_of(lang: Language | None) -> Speech:
    """The speech for the reader of a command's output. Raises `typer.BadParameter` for invalid settings."""
    return Speech(locale_of(lang, local_settings().language))


def must_fit(*, resume: bool, changed: bool, seed: str | None, cut: str | None) -> None:
    """Refuses settings of a new game (``changed``) beside --resume, and a cut beside a seed."""
    if resume and changed:
        raise WrongArgument(Text("--resume goes on with a game as it was dealt: leave out its settings."))
    if seed is not None and cut is not None:
        raise WrongArgument(
            Text("--seed fixes the deal, so a cut can't change it: leave out --seed or --cut.")
        )


def names_of(given: Sequence[str], humans: int, setting: str | None, locale: Language) -> tuple[str, ...]:
    """One name for each human player, empty for a player without one. Refuses a name that two would share.

    ``given`` names the first players; more names than players are ignored. A single human player without a
    given name is called by the ``setting``, else by the login name.
    """
    if humans == 1 and not given:
        given = [setting or _login()]
    named = tuple(map(safe_name, given[:humans]))
    names = (*named, *("" for _ in range(humans - len(named))))
    if (name := shared_name(names, locale)) is not None:
        raise WrongArgument(Text("Two players can't both be called {name}.", name=name))
    return names


def _login() -> str:
    """The capitalised login name; empty if none is found, or if it names no person, such as root."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        # If no variable holds the name, Python imports a module that Windows lacks.
        return ""
    return "" if name in ("root", "nobody", "admin") else name.capitalize()


def shows(text: str) -> bool:
    """Whether the encoding of standard output can encode a text."""
    return fits(text, sys.stdout.encoding or "ascii")
