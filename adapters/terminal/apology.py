"""Tells the player that an unexpected error has ended the game."""

from __future__ import annotations

from bot.errors import origin
from engines.game import Text


def apology(error: BaseException) -> Text:
    """The message to the player when an unexpected error ends the game.

    It shows neither the error's message nor its variables, since they may name hidden cards.
    """
    return Text(
        "Sorry, something broke and this game can't go on. (For a bug report: {place})",
        place=origin(error),
    )
