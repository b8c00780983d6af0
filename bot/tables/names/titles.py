"""The names of games and tables, as players read them."""

from __future__ import annotations

from engines import games
from engines.game import Say, Text


def title_of(key: str, say: Say) -> str:
    """The title of a game; its key if this version of the bot does not know the game."""
    return say(games()[key].title) if key in games() else key


def table_title(game: Text | str, number: int) -> Text:
    """The name of a table: the title of its game and its number."""
    return Text("{game}, table {n}", game=game, n=number)
