"""The messages to players about errors: one that ends the program, and those of a file of games."""

from __future__ import annotations

from pathlib import Path

from bot.errors import origin
from engines.game import Text


def apology(error: BaseException) -> Text:
    """The message to the player when an unexpected error ends the program, mostly during a game.

    It shows neither the error's message nor its variables, since they may name hidden cards.
    """
    return Text(
        "Sorry, something broke and this game can't go on. (For a bug report: {place})",
        place=origin(error),
    )


def unreadable(file: Path, reason: Text | str) -> Text:
    """The message to a player whose file of games cannot be read."""
    return Text("Your games in {file} can't be read: {reason}", file=str(file), reason=reason)


def damaged(file: Path) -> Text:
    """The message to a player one of whose unfinished games cannot be replayed."""
    return Text("An unfinished game in {file} is damaged and can't go on.", file=str(file))
