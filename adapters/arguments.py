"""Parses the arguments of the command line; a wrong one raises `typer.BadParameter`."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from bot.i18n import Speech, language, safe_name
from bot.model import Language, Level, Refused
from bot.settings import Settings
from bot.tables.parsing import game_named, options_from
from bot.tables.table import AnyGame
from engines import games

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of: {', '.join(games())}.")]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="Seats at the table; the fewest the game allows.")
]


_ENGLISH = Speech("en")
"""The errors of this module are in English, as Typer's are, whatever the language of the screens."""


def readable(words: str | None) -> str | None:
    """The words; refused if the system could not decode them, since a player could not type them again."""
    if words is not None and not _fits(words, "utf-8"):
        raise typer.BadParameter("these words are no text in the encoding of your system")
    return words


Seed = Annotated[
    str | None,
    typer.Option(
        "--seed",
        metavar="WORDS",
        callback=readable,
        help="Deal from these words: the same words, the same game.",
    ),
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="RULE=VALUE",
        help="A house rule, as “sobremesa rules GAME” lists them; again for the next.",
    ),
]
LevelName = Annotated[Level, typer.Option("--level", help="How well the computer players play.")]
Lang = Annotated[Language | None, typer.Option("--lang", "-l", help="The language of the screens.")]
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, by custom something.gz.")]


def read_settings() -> Settings:
    """The settings; an error names those that are invalid, but not their values, which may be secret."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = ", ".join(str(one["loc"][0]).upper() for one in error.errors())
        raise typer.BadParameter(f"these settings cannot be read: {wrong}") from None


def locale_of(lang: Language | None, settings: Settings) -> Language:
    """The language asked for, else the setting, else the language of the system."""
    system = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
    return language(lang or settings.sobremesa_language or system)


def game_of(name: str) -> AnyGame:
    """The game with this key or title, or the only game whose key or title begins with ``name``."""
    try:
        return game_named(name, _ENGLISH)
    except Refused:
        # Unlike titles, keys need no quotes on a command line.
        raise typer.BadParameter(f"no game {name!r}; there are: {', '.join(games())}") from None


def seats_of(game: AnyGame, players: int | None, humans: int = 1) -> int:
    """The number of seats asked for, else the fewest that the game and the people allow."""
    seats = max(game.seats[0], humans) if players is None else players
    if seats not in game.seats:
        raise typer.BadParameter(
            f"{game.key} is for {game.seats[0]} to {game.seats[-1]} players, not {seats}"
        )
    if humans > seats:
        raise typer.BadParameter(f"{humans} people do not fit in {seats} seats")
    return seats


def options_of(game: AnyGame, given: Sequence[str]) -> dict[str, str]:
    """House rules from arguments of the form ``rule=value``."""
    try:
        return options_from(given, game)
    except Refused as refused:
        raise typer.BadParameter(_ENGLISH(refused.reason)) from None


def names_of(given: Sequence[str], humans: int, settings: Settings, locale: Language) -> tuple[str, ...]:
    """One name for each person: as given, else the setting or the login, else the number of the seat."""
    if humans == 1 and not given:
        given = [settings.sobremesa_name or _login()]
    named = list(map(safe_name, given[:humans]))
    say = Speech(locale)
    return tuple(named[seat] if named[seat:] and named[seat] else say.name(seat) for seat in range(humans))


def _login() -> str:
    """The login name, unless it is an account that people share."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        return ""
    return "" if name in ("root", "nobody", "admin") else name.capitalize()


def shows(text: str) -> bool:
    """Whether the encoding of the standard output can hold the text."""
    return _fits(text, sys.stdout.encoding or "ascii")


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
