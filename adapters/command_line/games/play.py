"""Starts terminal games from parsed arguments, in full-screen or in line mode.

Imports no game and no table until they are needed: without a game's name, the list of games is painted first.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from adapters.command_line.arguments.general import shows
from adapters.command_line.games.first_paint import first_paint
from adapters.shared.wrong_argument import WrongArgument
from adapters.terminal.equipment import Equipment, LateEquipment
from adapters.terminal.setup import Setup
from bot.settings.choices import Language, Pace
from bot.settings.local_settings import LocalSettings
from engines import summaries
from engines.game import Text, plural
from engines.levels import Level
from engines.values import replace

if TYPE_CHECKING:
    from bot.model.ids import GameId


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
    """The setup of this run's games while none is chosen: without ``key`` and house rules."""
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
    """The setup of the game named on the command line; None if no game is named.

    Raises `WrongArgument` for wrong arguments, and if no game allows the number of players.
    """
    humans = len(defaults.names)
    if name:
        from adapters.command_line.arguments.games import game_argument, option_arguments, seats_of

        game = game_argument(name)
        seats, chosen = seats_of(game, players, humans), option_arguments(game, options)
        return replace(defaults, key=game.key, players=seats, options=chosen)
    if options:
        raise WrongArgument(Text("--option needs a game: say which game's house rule it is."))
    all_seats = [known.seats for known in summaries().values()]
    if not any((max(humans, seats[0]) if players is None else players) in seats for seats in all_seats):
        n = humans if players is None else players
        raise WrongArgument(plural("No game is for {n} player.", "No game is for {n} players.", n))
    return None


def guided_from(setup: Setup | None, *, is_free: bool) -> Setup:
    """The setup of a game's guided first hand; ``is_free`` says that no argument sets the deal.

    Raises `WrongArgument`.
    """
    if setup is None:
        raise WrongArgument(Text("--guide needs a game: say which one you want to learn."))
    from adapters.terminal.guide import guided
    from engines import games

    if games()[setup.key].guide is None:
        raise WrongArgument(Text("This game has no guide."))
    if not is_free:
        raise WrongArgument(Text("--guide has a deal of its own: leave out the other settings of the deal."))
    return guided(setup)


def equipment_over(settings: LocalSettings, file: Path | None, *, always: bool) -> LateEquipment:
    """The equipment of games that are kept in a file, by default in the user's data folder.

    If no file is given and standard input is no terminal, games are not kept, unless ``always``.
    """
    is_kept = always or file is not None or sys.stdin.isatty()

    def count_games() -> int:
        if not (is_kept and games_file(file).exists()):
            return 0
        from bot.store.files.unfinished import unfinished_count

        return unfinished_count(games_file(file))

    return LateEquipment(lambda: _equipment(settings, games_file(file) if is_kept else None), count_games)


def _equipment(settings: LocalSettings, file: Path | None) -> Equipment:
    from adapters.shared.clock import AsyncioClock
    from adapters.terminal.guide import GuideMemory
    from adapters.terminal.saved_games.store import WriteBehindStore
    from bot.thinking.pool import WorkerPool

    # Hard computers think in worker processes, the others in this one, which they do not hold up long.
    thinker = WorkerPool(AsyncioClock(), settings.thinkers, inline=("easy", "normal"))
    if file is None:
        return Equipment(thinker)
    # A guide is offered only to a player at a terminal.
    guides = GuideMemory(file.with_name("guides.txt")) if sys.stdin.isatty() else None
    return Equipment(thinker, WriteBehindStore(file, AsyncioClock()), guides)


def games_file(given: Path | None) -> Path:
    """The file of the terminal's games: the one that is given, else that in the user's data folder."""
    import platformdirs

    return (given or platformdirs.user_data_path("sobremesa", appauthor=False) / "games.db").expanduser()


def start(
    setup: Setup | None,
    defaults: Setup,
    equipment: LateEquipment,
    unfinished: GameId | None = None,
    *,
    plain: bool,
) -> None:
    """Runs the full-screen or the line interface until the player quits; imports only that one.

    After the full screen it raises `typer.Exit`, with the screen's exit code.
    """
    if defaults.first_to and (store := equipment().store) and store.file.exists():
        # The players' last match goes on if it is undecided, which only the games in the file tell.
        store.wait_until_read()
    # Without a handler, logging would write its warnings into the game.
    logging.getLogger().addHandler(logging.NullHandler())
    if plain or not has_full_screen():
        from adapters.terminal.plain.interface import play_plainly

        play_plainly(setup, defaults, equipment(), unfinished)
        return
    # Collections would search the imported modules, which are no garbage: a sixth of the time to the first
    # screen. Once that is painted, the app turns collections on again.
    gc.disable()
    try:
        with first_paint():
            from adapters.terminal.app import TerminalApp

            screen = TerminalApp(setup, defaults, equipment=equipment, unfinished=unfinished)
        screen.run()
    finally:
        gc.enable()
    raise typer.Exit(screen.return_code or 0)


def has_full_screen() -> bool:
    """Whether a player sits at a terminal that can show more than lines."""
    # Windows sets no TERM; its consoles show a full screen all the same.
    terminal = os.environ.get("TERM", "windows" if os.name == "nt" else "dumb")
    return sys.stdin.isatty() and sys.stdout.isatty() and terminal != "dumb"
