"""The command that analyses a finished game of the terminal; the analysis is kept with the game."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from adapters.command_line.asynchronous import completed
from adapters.command_line.games.game_files import UNREADABLE
from adapters.command_line.games.play import games_file
from adapters.command_line.languages import local_settings
from adapters.command_line.printing import tell
from adapters.shared.clock import AsyncioClock
from adapters.shared.rendering.lines import as_lines
from adapters.terminal.keyboard import people_at
from adapters.terminal.saved_games.records import game_id
from bot.i18n import Speech
from bot.model.ids import GameId
from bot.model.tables import Refused
from bot.pages.results.analysis_page import finished_page, progress
from bot.ports import Limits
from bot.store import open_store
from bot.table_service.analysis_jobs import Analyses
from bot.table_service.service import TableService
from bot.thinking.pool import WorkerPool
from bot.thinking.thinker import Thinker
from engines.game import Text

_WIDTH = 80
"""The cells of a line."""
_PROGRESS_INTERVAL = 1.0
"""Seconds between two updates of the progress on a terminal."""


def print_analysis(name: str, say: Speech, file: Path | None) -> None:
    """Prints the analysis of the game with this number in the history, or with this id.

    Exits with `UNREADABLE` if there is no such game, and with 1 if it cannot be analysed.
    """
    path = games_file(file)
    game = completed(game_id(name, path), say) if path.exists() else None
    if game is None:
        tell(say(Text("There is no game {name} in your history.", name=name)), err=True)
        raise typer.Exit(UNREADABLE)
    thinker = WorkerPool(AsyncioClock(), local_settings().thinkers)
    found = completed(_analysis_lines(game, path, say, thinker), say)
    if isinstance(found, Text):
        tell(say(found), err=True)
        raise typer.Exit(1)
    for line in found:
        tell(line)


async def _analysis_lines(game: GameId, path: Path, say: Speech, thinker: Thinker) -> list[str] | Text:
    """The lines of the analysis, or why there is none; its progress goes to a terminal's standard error."""
    clock, store = AsyncioClock(), await open_store(str(path))
    service = TableService(store, clock)
    analyses = Analyses(store, service, thinker)
    try:
        table = await service.whole(game)
        job = await analyses.ask(table)
        while not job.is_over:
            if sys.stderr.isatty():
                typer.echo(f"\r{say(progress(job))}", err=True, nl=False)
            await job.wait(clock, _PROGRESS_INTERVAL)
        if sys.stderr.isatty():
            typer.echo("\r\x1b[K", err=True, nl=False)
        people = people_at(table)
        reader = people[0] if len(people) == 1 else None
        say_names = Speech(say.locale, tuple(player.name for player in table.players), say.letters)
        return as_lines(await finished_page(table, job, reader, say_names, Limits(text=10_000)), None, _WIDTH)
    except Refused as refused:
        return refused.reason
    finally:
        await analyses.close()
        await service.close()
        await thinker.close()
        await store.close()
