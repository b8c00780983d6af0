"""Starts terminal games from parsed arguments, in full-screen or in line mode."""

from __future__ import annotations

import logging
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import platformdirs
import typer

from adapters.arguments import game_of, options_of, seats_of, shows
from adapters.first_paint import first_paint
from adapters.shared.clock import AsyncioClock
from adapters.shared.program import program
from adapters.shared.wrong import WrongArgument
from adapters.terminal.guide import GuideMemory, guided
from adapters.terminal.setup import Setup
from adapters.terminal.store import WriteBehindStore
from bot.i18n import Speech
from bot.local_settings import LocalSettings
from bot.model import GameId, Language
from bot.tables.paces import Pace
from bot.tables.table import UPDATED
from bot.tables.table_state import AnyGame
from bot.thinking.pool import WorkerPool
from bot.thinking.thinker import Thinker
from engines import games
from engines.game import Level, Text, plural


def defaults_from(
    settings: LocalSettings,
    locale: Language,
    names: Sequence[str],
    players: int,
    *,
    level: Level,
    pace: Pace,
    seed: str | None,
    cut: str | None,
    first_to: int = 0,
) -> Setup:
    """The part of a setup that is the same for every game of this run; its ``key`` is empty."""
    return Setup(
        key="",
        players=players,
        names=names,
        locale=locale,
        level=level,
        computers_pace=pace,
        seed=seed,
        cut=cut if cut and cut.strip() else None,
        first_to=first_to,
        letters=settings.letters or not shows("♠"),
        pace=settings.pace if sys.stdin.isatty() else 0.0,
    )


def setup_from(
    defaults: Setup, name: str | None, players: int | None, options: Sequence[str]
) -> Setup | None:
    """The setup of the game named on the command line; None if it names none.

    Raises `WrongArgument` for wrong arguments, and if no game allows the number of players.
    """
    humans = len(defaults.names)
    if name:
        game = game_of(name)
        seats, chosen = seats_of(game, players, humans), options_of(game, options)
        return replace(defaults, key=game.key, players=seats, options=chosen)
    if options:
        raise WrongArgument(Text("--option needs a game: say which game's house rule it is."))
    if not any((players or max(humans, known.seats[0])) in known.seats for known in games().values()):
        raise WrongArgument(
            plural("No game is for {n} player.", "No game is for {n} players.", players or humans)
        )
    return None


def guided_from(setup: Setup | None, *, is_free: bool) -> Setup:
    """The setup of a game's guided first hand; ``is_free`` says that nothing else was asked of the deal.

    Raises `WrongArgument`.
    """
    if setup is None:
        raise WrongArgument(Text("--guide needs a game: say which one you want to learn."))
    if games()[setup.key].guide is None:
        raise WrongArgument(Text("This game has no guide."))
    if not is_free:
        raise WrongArgument(Text("--guide has a deal of its own: leave out the other settings of the deal."))
    return guided(setup)


def store_over(file: Path | None, *, always: bool) -> WriteBehindStore | None:
    """The store of games in the given file, else in the user's data folder.

    None if no file is given and standard input is a pipe; ``always`` returns a store even then.
    """
    if file is None and not always and not sys.stdin.isatty():
        return None
    return WriteBehindStore(games_file(file), AsyncioClock())


def games_file(given: Path | None) -> Path:
    """The file of the terminal's games: the one that is given, else that in the user's data folder."""
    return (given or platformdirs.user_data_path("sobremesa", appauthor=False) / "games.db").expanduser()


def thinker_from(settings: LocalSettings) -> Thinker:
    """Hard computers think in worker processes, the others in this one, which they do not hold up long."""
    return WorkerPool(AsyncioClock(), settings.thinkers, inline=("easy", "normal"))


def resume_game(
    store: WriteBehindStore,
    defaults: Setup,
    thinker: Thinker,
    game: AnyGame | None = None,
    *,
    plain: bool,
    keep_language: bool,
) -> None:
    """Resumes the last unfinished game of a store, or the last of one game; exits with code 1 without one.

    The game is shown in its last language, unless ``keep_language``.
    """
    if store.file.exists():
        with nullcontext() if plain or not has_full_screen() else first_paint(stays=False):
            store.wait_until_read()
    found = (one.listing for one in store.unfinished() if game is None or one.listing.key == game.key)
    if (listing := next(found, None)) is None:
        typer.echo(Speech(defaults.locale)(_nothing_to_resume(store, game)))
        raise typer.Exit(1)
    if store.language and not keep_language:
        defaults = replace(defaults, locale=store.language)
    start(None, defaults, store, thinker, listing.game, plain=plain)


def _nothing_to_resume(store: WriteBehindStore, game: AnyGame | None) -> Text:
    """Why there is no unfinished game, or none of the game asked for."""
    if warning := store.warning():
        return warning
    if game.key in store.updated if game else store.updated:
        return UPDATED
    if game:
        return Text("There is no unfinished game of {game} to resume.", game=game.title)
    return Text("There is no unfinished game to resume.")


def say_how_to_go_on(store: WriteBehindStore, locale: Language, file: Path | None) -> None:
    """Prints the command that resumes the game just left, if any; it names the file that was given."""
    if not store.left():
        return
    command = f"{program()} play --resume"
    if file:
        command += f' --file "{file}"' if os.name == "nt" else f" --file {shlex.quote(str(file))}"
    say = Speech(store.language or locale)
    typer.echo(say(Text("Your game is saved. To go on: {command}", command=command)))


def start(
    setup: Setup | None,
    defaults: Setup,
    store: WriteBehindStore | None,
    thinker: Thinker,
    unfinished: GameId | None = None,
    *,
    plain: bool,
) -> None:
    """Runs the full-screen or the line interface until the player quits; imports only that one."""
    if defaults.first_to and store and store.file.exists():
        # A match that is not decided goes on.
        store.wait_until_read()
    # Without a handler, logging would write its warnings into the game.
    logging.getLogger().addHandler(logging.NullHandler())
    # Without a player at a terminal there is nobody to ask.
    guides = GuideMemory(store.file.with_name("guides.txt")) if store and sys.stdin.isatty() else None
    if plain or not has_full_screen():
        from adapters.terminal.plain import play_plainly

        play_plainly(setup, defaults, store, unfinished, thinker, guides)
        return
    with first_paint():
        from adapters.terminal.app import TerminalApp

        screen = TerminalApp(
            setup, defaults, store=store, unfinished=unfinished, thinker=thinker, guides=guides
        )
    screen.run()
    raise typer.Exit(screen.return_code or 0)


def has_full_screen() -> bool:
    """Whether a player sits at a terminal that can show more than lines."""
    # Windows sets no TERM; its consoles show a full screen all the same.
    terminal = os.environ.get("TERM", "windows" if os.name == "nt" else "dumb")
    return sys.stdin.isatty() and sys.stdout.isatty() and terminal != "dumb"
