"""Resumes unfinished games of the terminal, and prints the command that does so."""

from __future__ import annotations

import os
import shlex
from contextlib import nullcontext
from pathlib import Path

import typer

from adapters.command_line.games.first_paint import first_paint
from adapters.command_line.games.play import has_full_screen, start
from adapters.command_line.printing import tell
from adapters.shared.program import program
from adapters.terminal.equipment import LateEquipment, obstacle_to_resuming
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.setup import Setup
from bot.i18n import Speech
from bot.settings.choices import Language
from bot.tables.log.table_state import AnyGame
from bot.tables.table import UPDATED
from engines.game import Text
from engines.values import replace


def resume_game(
    equipment: LateEquipment,
    defaults: Setup,
    game: AnyGame | None = None,
    *,
    plain: bool,
    keep_language: bool,
) -> None:
    """Resumes the unfinished game that was played last, of the kind ``game`` if that is given.

    Without an unfinished game, prints why and exits with code 1. The game is shown in the language saved with
    it; with ``keep_language``, in that of ``defaults``.
    """
    store = equipment().store
    assert store
    if store.file.exists():
        with nullcontext() if plain or not has_full_screen() else first_paint(stays=False):
            store.wait_until_read()
    found = (
        unfinished.listing
        for unfinished in store.unfinished()
        if game is None or unfinished.listing.key == game.key
    )
    if (listing := next(found, None)) is None:
        tell(Speech(defaults.locale)(_nothing_to_resume(store, game)))
        raise typer.Exit(1)
    if (language := store.languages.get(listing.game)) and not keep_language:
        defaults = replace(defaults, locale=language)
    start(None, defaults, equipment, listing.game, plain=plain)


def _nothing_to_resume(store: WriteBehindStore, game: AnyGame | None) -> Text:
    """Why there is no unfinished game, or none of the kind that was asked for."""
    why = obstacle_to_resuming(store)
    # That an update has ended a game explains nothing to a player who asks for a game of another kind.
    if why and (why != UPDATED or game is None or game.key in store.updated):
        return why
    if game:
        return Text("There is no unfinished game of {game} to resume.", game=game.title)
    return Text("There is no unfinished game to resume.")


def say_how_to_go_on(store: WriteBehindStore, locale: Language, file: Path | None) -> None:
    """Prints the command that resumes the game just left, if possible; ``file`` is from ``--file``."""
    if not store.can_resume_last():
        return
    command = f"{program()} play --resume"
    if file:
        command += f' --file "{file}"' if os.name == "nt" else f" --file {shlex.quote(str(file))}"
    say = Speech(store.last_language() or locale)
    typer.echo(say(Text("Your game is saved. To go on: {command}", command=command)))
