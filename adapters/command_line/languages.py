"""Finds the language of the command line's user. Imports nothing that takes long, since `--help` needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import pairwise

import typer

from bot.settings.choices import LANGUAGES, Language, language
from bot.settings.local_settings import LocalSettings, read_plain


def local_settings() -> LocalSettings:
    """Reads the settings of games at a terminal; raises `typer.BadParameter` for invalid ones."""
    if (settings := read_plain()) is not None:
        return settings
    from adapters.hosting.host_settings import read_settings
    from bot.settings.host_settings import Settings

    return read_settings(Settings).local


def locale_of(lang: Language | None, setting: Language | None) -> Language:
    """The language of ``--lang``, else of the setting, else of the system's locale or of Windows' menus.

    English if the system's language is not offered.
    """
    system = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
    return language(lang or setting or system or _windows_locale())


def locale_despite_errors(given: Sequence[str]) -> Language:
    """The language of the user who typed these arguments; wrong arguments and wrong settings are ignored."""
    options = ("--lang=", "--lang ", "-l", "-l ")
    ways: dict[str, Language] = {
        f"{option}{language}": language for option in options for language in LANGUAGES
    }
    found = [ways.get(word) or ways.get(f"{word} {following}") for word, following in pairwise((*given, ""))]
    lang = next((language for language in reversed(found) if language), None)
    try:
        return locale_of(lang, local_settings().language)
    except typer.BadParameter:
        return locale_of(lang, None)


def _windows_locale() -> str | None:
    """The language in which Windows shows its menus, such as ``es_MX``; None elsewhere."""
    found: str | None = None
    if sys.platform == "win32":
        import ctypes
        import locale

        found = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage())
    return found
