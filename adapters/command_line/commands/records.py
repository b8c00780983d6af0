"""The commands about finished games: those of this terminal, and those in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adapters.command_line.arguments.parameters import FinishedGame, GamesFile, Lang, PeriodName, PlayedGame

if TYPE_CHECKING:
    from bot.model.leaderboards import LeaderboardOrder


def history(game: PlayedGame = None, file: GamesFile = None, lang: Lang = None) -> None:
    """List the last games that were finished at this terminal.

    `sobremesa replay 1` shows the last one again, `sobremesa verify 1` checks it.
    """
    from adapters.command_line.arguments.games import game_argument
    from adapters.command_line.games.game_files import history, speech
    from adapters.command_line.languages import local_settings

    history(speech(lang), game_argument(game).key if game else None, file or local_settings().file)


def replay(
    game: FinishedGame,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, for screen readers; automatic without a terminal.")
    ] = False,
    text: Annotated[bool, typer.Option("--text", help="Print the whole game as a text, and end.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the file of the game, which docs/verify.md describes.")
    ] = False,
    file: GamesFile = None,
    lang: Lang = None,
) -> None:
    """Show a finished game again, move by move, with the hands of all."""
    from adapters.command_line.games.game_files import load, print_text, replay, speech
    from adapters.command_line.languages import local_settings
    from bot.replays.game_file import written

    say = speech(lang)
    found = load(game, say, file or local_settings().file)
    if as_json:
        typer.echo(written(found), nl=False)
    elif text:
        print_text(found, say)
    else:
        replay(found, say, plain=plain)


def analyse(
    game: Annotated[
        str,
        typer.Argument(
            metavar="RECORD",
            show_default=False,
            help="The number or id of a game in `sobremesa history`; without it, the last one.",
        ),
    ] = "1",
    file: GamesFile = None,
    lang: Lang = None,
) -> None:
    """Look back at a finished game: the chances to win, and the moves that cost most, with better ones.

    The first time takes up to a few minutes; what is found is kept with the game.
    """
    from adapters.command_line.commands.analysis import print_analysis
    from adapters.command_line.games.game_files import speech
    from adapters.command_line.languages import local_settings

    print_analysis(game, speech(lang), file or local_settings().file)


def leaderboard(
    game: PlayedGame = None,
    period: PeriodName = "all",
    by_games: Annotated[
        bool, typer.Option("--games", help="Rank by games played instead of games won.")
    ] = False,
    by_rating: Annotated[
        bool, typer.Option("--rating", help="Only the ratings; with a period, the rating gained in it.")
    ] = False,
    file: GamesFile = None,
    lang: Lang = None,
) -> None:
    """Show who has won most at this terminal, against people and against computers, and the ratings.

    Rated are the games that people play among themselves at one keyboard, under their names.
    """
    from adapters.command_line.arguments.games import game_argument
    from adapters.command_line.games.game_files import speech
    from adapters.command_line.games.leaderboards import leaderboard
    from adapters.command_line.languages import local_settings

    key = game_argument(game).key if game else ""
    order: LeaderboardOrder = "rating" if by_rating else "games" if by_games else "wins"
    leaderboard(file or local_settings().file, speech(lang), key, period, order)


def profile(
    player: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The player; without a name, the one who has played most."),
    ] = None,
    file: GamesFile = None,
    lang: Lang = None,
) -> None:
    """Show a player's games, wins and ratings at this terminal."""
    from adapters.command_line.games.game_files import speech
    from adapters.command_line.games.leaderboards import profile
    from adapters.command_line.languages import local_settings

    if not profile(file or local_settings().file, speech(lang), player):
        raise typer.Exit(1)


def verify(game: FinishedGame, file: GamesFile = None, lang: Lang = None) -> None:
    """Check a finished game: the fingerprint, the cuts, the deal and every move.

    In a chat the file comes from the button Log of a finished game. The exit code is 0 if everything
    holds, 1 if not, 2 if there is no such game. docs/verify.md says how to check without this program.
    """
    from adapters.command_line.games.game_files import load, speech, verify
    from adapters.command_line.languages import local_settings

    say = speech(lang)
    if not verify(load(game, say, file or local_settings().file), say):
        raise typer.Exit(1)
