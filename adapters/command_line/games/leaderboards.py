"""Prints the terminal's own records for the commands `leaderboard` and `profile`."""

from __future__ import annotations

import shutil
from collections.abc import Coroutine
from pathlib import Path

from adapters.command_line.asynchronous import completed
from adapters.command_line.games.play import games_file
from adapters.command_line.printing import tell
from adapters.terminal.saved_games.records import Lines, leaderboard_lines, profile_lines
from bot.i18n import Speech
from bot.model.leaderboards import LeaderboardOrder
from bot.model.tables import Refused
from bot.settings.choices import Period


def leaderboard(file: Path | None, say: Speech, key: str, period: Period, order: LeaderboardOrder) -> None:
    """Prints who has won or played most, then the ratings; if ``order`` is ``rating``, only the ratings."""
    path, width = games_file(file), shutil.get_terminal_size().columns
    tell("\n".join(completed(leaderboard_lines(path, say, width, key=key, period=period, order=order), say)))


def profile(file: Path | None, say: Speech, name: str | None) -> bool:
    """Prints the profile of a player, by default of the one with most games.

    If the file of games has no player of this name, prints so to standard error and returns False. Without a
    file it says that no game counts, and returns True.
    """
    path, width = games_file(file), shutil.get_terminal_size().columns
    found = completed(_or_refused(profile_lines(path, say, width, name or "")), say)
    if isinstance(found, Refused):
        tell(say(found.reason), err=True)
        return False
    tell("\n".join(found))
    return True


async def _or_refused(work: Coroutine[None, None, Lines]) -> Lines | Refused:
    """The lines, or the refusal as a value: raised, `completed` would take it for an unexpected error."""
    try:
        return await work
    except Refused as refused:
        return refused
