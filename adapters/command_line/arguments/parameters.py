"""Declares parameters of the commands. Imports nothing that takes long, since every start imports it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.settings.choices import ForcedMoves, Language, Pace, Period, SuggestedMoves
from engines.levels import Level


def readable(words: str | None) -> str | None:
    """Returns the argument unchanged; raises `WrongArgument` for a text with bytes that could not be decoded.

    A player could not type such words again to repeat a game.
    """
    if words is not None and not fits(words, "utf-8"):
        from adapters.shared.wrong_argument import WrongArgument
        from engines.game import Text

        raise WrongArgument(Text("These words aren't valid text on your system."))
    return words


def fits(text: str, encoding: str) -> bool:
    """Whether an encoding can encode a text."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _existing(file: Path | None) -> Path | None:
    """Returns the argument unchanged; raises `WrongArgument` for a file that is missing."""
    if file is not None and not file.expanduser().exists():
        from adapters.shared.wrong_argument import WrongArgument
        from engines.game import Text

        raise WrongArgument(Text("There is no file {file}.", file=str(file)))
    return file


# The help page fills in ``{games}`` (`adapters.command_line.help.help_page`).
GameName = Annotated[str, typer.Argument(metavar="GAME", help="One of: {games}.")]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", metavar="N", help="How many seats; without it, as few as possible."),
]
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
SuggestionsName = Annotated[
    SuggestedMoves,
    typer.Option("--suggestions", help="How many whole moves are suggested where cards combine freely."),
]
ForcedName = Annotated[
    ForcedMoves,
    typer.Option(
        "--forced",
        help="When your only possible move is played for you: if all can tell (open), always or never.",
    ),
]
Lang = Annotated[Language | None, typer.Option("--lang", "-l", help="The language that this command speaks.")]
FinishedGame = Annotated[
    str,
    typer.Argument(
        metavar="RECORD",
        help="The file of a finished game, or the number or id of one in `sobremesa history`.",
    ),
]
GamesFile = Annotated[
    Path | None,
    typer.Option(
        "--file", metavar="FILE", callback=_existing, help="The file of saved games, instead of your own."
    ),
]
PlayedGame = Annotated[
    str | None, typer.Argument(metavar="GAME", help="Only games of this kind, such as casino.")
]
PeriodName = Annotated[
    Period, typer.Option("--period", help="Which games count: all, or those of this month or week.")
]
BackupFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="The backup file; its name usually ends in .gz.")
]
