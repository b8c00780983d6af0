"""Declares, parses and checks the arguments of the command line; a wrong one raises `typer.BadParameter`."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings

from adapters.shared.finding import Finding, problem
from adapters.shared.served import InvalidSetting
from bot.i18n import Speech, language, safe_name
from bot.model import Language, Refused
from bot.pages.seat_counts import players_caption
from bot.settings import Settings
from bot.tables.levels import LEVELS, level_named
from bot.tables.paces import Pace
from bot.tables.parsing import game_named, options_from
from bot.tables.table_state import AnyGame
from engines import games
from engines.game import Level, Text

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of: {', '.join(games())}.")]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", help="How many seats; without it, the fewest the game allows."),
]


_ENGLISH = Speech("en")
"""Writes this module's errors in English, as Typer's are, even if the screens are in Spanish."""


def readable(words: str | None) -> str | None:
    """Returns the argument unchanged; refuses bytes that the system could not decode into text.

    A player could not type such words again to repeat a game.
    """
    if words is not None and not _fits(words, "utf-8"):
        raise typer.BadParameter("these words aren't valid text on your system")
    return words


Seed = Annotated[
    str | None,
    typer.Option(
        "--seed",
        metavar="WORDS",
        callback=readable,
        help="Deal from these words: the same words deal the same cards.",
    ),
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="RULE=VALUE",
        help="A house rule; “sobremesa rules GAME” lists them. Repeat for more.",
    ),
]
LevelName = Annotated[Level, typer.Option("--level", help="How well the computers play.")]
PaceName = Annotated[Pace, typer.Option("--pace", help="How fast the computers move.")]
Lang = Annotated[Language | None, typer.Option("--lang", "-l", help="The language of the screens.")]
BackupFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="The backup file; its name usually ends in .gz.")
]


Read = TypeVar("Read", bound=BaseSettings)

_NOT_UTF8 = Text("The file .env isn't UTF-8 text. Save it as UTF-8.")


def read_settings(kind: type[Read]) -> Read:
    """Reads settings from the environment and ``.env``.

    The error names the invalid settings, and why their own checks refuse them, but not their values, which
    may be secret.
    """
    try:
        return kind()
    except UnicodeDecodeError:
        raise typer.BadParameter(_ENGLISH(_NOT_UTF8)) from None
    except ValidationError as error:
        wrong = ", ".join(
            _name(one) + (f" ({_ENGLISH(why)})" if (why := _why(one)) else "") for one in error.errors()
        )
        raise typer.BadParameter(
            f"these settings aren't valid: {wrong}; .env.example explains them"
        ) from None


def examined_settings(kind: type[Read]) -> tuple[Read, Sequence[Finding]]:
    """Reads settings like `read_settings`; an invalid one is a finding, and has its default value."""
    findings = list[Finding]()
    source: dict[str, Any] = {}
    try:
        kind()
    except UnicodeDecodeError:
        findings.append(problem(_NOT_UTF8))
        source["_env_file"] = None
    except ValidationError:
        pass
    try:
        return kind(**source), findings
    except ValidationError as error:
        wrong = error.errors()
    for one in wrong:
        if why := _why(one):
            message = Text(
                "{setting} isn't valid ({reason}). .env.example explains it.", setting=_name(one), reason=why
            )
        else:
            message = Text("{setting} isn't valid. .env.example explains it.", setting=_name(one))
        findings.append(problem(message))
    fields = {str(one["loc"][0]) for one in wrong}
    defaults = {field: kind.model_fields[field].get_default(call_default_factory=False) for field in fields}
    return kind(**source, **defaults), findings


def _name(wrong: ErrorDetails) -> str:
    """The name of an invalid setting, as in the environment."""
    return str(wrong["loc"][0]).upper()


def _why(wrong: ErrorDetails) -> Text | None:
    """Why a check of ours refuses a setting; other errors have the words of a library."""
    error = wrong.get("ctx", {}).get("error")
    return error.reason if isinstance(error, InvalidSetting) else None


def locale_of(lang: Language | None, settings: Settings) -> Language:
    """The language of ``--lang``, else of the setting, else of the system's locale."""
    system = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
    return language(lang or settings.sobremesa_language or system)


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


def names_of(given: Sequence[str], humans: int, settings: Settings, locale: Language) -> tuple[str, ...]:
    """One name for each human player: the given name, else the default name of the seat.

    A single human player without a given name has that of the setting or of the login.
    """
    if humans == 1 and not given:
        given = [settings.sobremesa_name or _login()]
    named = list(map(safe_name, given[:humans]))
    say = Speech(locale)
    return tuple(named[seat] if named[seat:] and named[seat] else say.name(seat) for seat in range(humans))


def _login() -> str:
    """The capitalised login name; empty for an account that several people share, such as root."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        return ""
    return "" if name in ("root", "nobody", "admin") else name.capitalize()


def shows(text: str) -> bool:
    """Whether the encoding of standard output can encode a text."""
    return _fits(text, sys.stdout.encoding or "ascii")


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
