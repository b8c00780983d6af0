"""The command line: one function for each command of ``sobremesa``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from adapters.coercion import PlainCommand, PlainGroup
from adapters.parameters import (
    BackupFile,
    FinishedGame,
    ForcedName,
    GameName,
    GamesFile,
    HouseRules,
    Lang,
    LevelName,
    PaceName,
    PeriodName,
    PlayedGame,
    Players,
    Seed,
    SuggestionsName,
    readable,
)
from adapters.shared.commands import HelpfulGroup
from adapters.shared.program import program
from adapters.streams import prepare
from adapters.version import VERSION
from bot.errors import origin
from engines import game_keys
from engines.levels import Level

if TYPE_CHECKING:
    from bot.i18n import Speech


class Commands(HelpfulGroup, PlainGroup):
    """The commands of the program."""

    def speech(self, given: Sequence[str]) -> Speech:
        from adapters.arguments import speech_in_spite_of

        return speech_in_spite_of(given)


app = typer.Typer(
    name="sobremesa",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Card games for the time after a meal: Casino, Cardlebones and others, against the "
    "computer or with friends at one keyboard, in English or Spanish.\n\n"
    "Start with `sobremesa play`: it asks which game. Press F1 in a game for its rules.",
)


Done = TypeVar("Done")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sobremesa {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Declares the options that come before a command."""


@app.command(cls=PlainCommand)
def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help=f"One of: {', '.join(game_keys())}. Without it, you choose."),
    ] = None,
    players: Players = None,
    humans: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="People who share this keyboard; computers take the other seats."
        ),
    ] = 1,
    seed: Seed = None,
    option: HouseRules = None,
    level: LevelName = "normal",
    pace: PaceName = "natural",
    suggestions: SuggestionsName = "full",
    forced: ForcedName = "open",
    lang: Lang = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="The name of a player at this keyboard; repeat for the next seat."),
    ] = None,
    cut: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", callback=readable, help="Cut the deck with these words before the deal."
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", "-r", help="Go on with your last unfinished game, or your last of GAME."),
    ] = False,
    first_to: Annotated[
        int,
        typer.Option(
            "--first-to",
            metavar="N",
            min=1,
            max=99,
            show_default=False,
            help="Play a match: the first to win N games wins it. The score is kept for another day.",
        ),
    ] = 0,
    file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save games in this file instead of the one in your data folder."),
    ] = None,
    guide: Annotated[
        bool, typer.Option("--guide", help="Learn the game in a guided first hand of about five minutes.")
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="Line by line, for screen readers and pipes; automatic without a terminal."
        ),
    ] = False,
) -> None:
    """Play a game at this terminal.

    `sobremesa play casino` starts Casino against the computer at once.

    `sobremesa play casino --players 3 --humans 2` is for two people who share one keyboard,
    against one computer.

    `sobremesa play --resume` goes on with your last unfinished game, even on another day.
    Games at a terminal are saved in a file; games from a pipe only if you give one with --file. The
    language is that of your last game, unless you choose one with --lang.
    """

    from adapters.arguments import game_of, local_settings, locale_of, must_fit, names_of
    from adapters.play import (
        defaults_from,
        guided_from,
        resume_game,
        say_how_to_go_on,
        setup_from,
        start,
        store_over,
        thinker_from,
    )

    asked = (players, seed, option, cut, None if humans == 1 else humans, guide or None, first_to or None)
    must_fit(resume=resume, changed=any(one is not None for one in asked), seed=seed, cut=cut)
    settings = local_settings()
    locale = locale_of(lang, settings.language)
    names = names_of(name or [], humans, settings.name, locale)
    defaults = defaults_from(
        settings, locale, names, players or 0, level=level, pace=pace, seed=seed, cut=cut, first_to=first_to
    )
    defaults = replace(defaults, suggestions=suggestions, forced=forced)
    setup = None if resume else setup_from(defaults, game, players, option or [])
    if guide:
        setup = guided_from(setup, is_free=not any((players, seed, option, cut, humans > 1)))
    store = store_over(file or settings.file, always=resume)
    thinker = thinker_from(settings)
    try:
        if store and resume:
            chosen = game_of(game) if game else None
            resume_game(store, defaults, thinker, chosen, plain=plain, keep_language=lang is not None)
        else:
            start(setup, defaults, store, thinker, plain=plain)
    finally:
        if store:
            store.finish()
            say_how_to_go_on(store, locale, file)


@app.command(cls=PlainCommand)
def simulate(
    game: GameName,
    players: Players = None,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="LEVELS",
            help="A level for each seat, such as hard,normal: each deal is played from every seat.",
        ),
    ] = None,
    count: Annotated[
        int,
        typer.Option("--games", "-n", metavar="N", min=1, help="How many games, rounded up to whole deals."),
    ] = 100,
    seed: Annotated[
        str, typer.Option(metavar="WORDS", callback=readable, help="Deal from these words.")
    ] = "1",
    option: HouseRules = None,
    level: Annotated[Level | None, typer.Option(help="How well all computers play.")] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", metavar="N", min=1, help="How many processes; by default all cores but one."
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the games of earlier runs.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the score as one JSON object.")] = False,
    lang: Lang = None,
) -> None:
    """Let computers play against each other, and count who wins.

    Who plays better: `sobremesa simulate casino --seats hard,normal --games 400`

    Games are kept: stop with Ctrl+C, and run the same command again to go on.
    After a change of the game's code it starts anew.

    The first deal is made from the seed, the others from the seed, a colon and their number.
    """
    from adapters import simulate as matches
    from adapters.arguments import contenders_of, game_of, options_of, speech_of
    from bot.matches.playing import Match, computers
    from bot.matches.results import ResultsFile, results_folder, source_hash
    from bot.matches.running import usual_jobs
    from bot.matches.scores import standing

    say = speech_of(lang)
    chosen = game_of(game)
    levels = contenders_of(chosen, seats, players, level)
    match = Match(chosen.key, levels, options_of(chosen, option or []), seed, swaps=seats is not None)
    results = ResultsFile(results_folder(), match, source_hash(chosen.key))
    if fresh:
        results.clear()
    title = say(chosen.title)
    records, stopped = matches.watched(match, computers, count, results, jobs or usual_jobs(), title)
    if stopped:
        typer.echo(say(matches.interruption(len(records), match, count)), err=True)
    if score := standing(records, match.games_of_a_deal):
        if as_json:
            typer.echo(matches.in_json(match, score))
        else:
            matches.print_score(match, score, say)
    if stopped:
        raise typer.Exit(130)


@app.command(cls=PlainCommand)
def referee(
    game: GameName,
    players: Players = None,
    seed: Seed = None,
    option: HouseRules = None,
    lang: Lang = None,
) -> None:
    """Referee a game between programs, in JSON lines.

    Reads one action a line, such as {"type": "throw", "playerId": "p1", "handCard": "7D"}. Writes,
    after the deal and after every action, the state for everybody and the hand of each player; or
    {"type": "refused", "playerId": …, "code": …, "reason": …}, and then nothing has changed.
    """
    import secrets

    from adapters.arguments import game_of, options_of, seats_of, shows, speech_of
    from adapters.referee import Referee
    from bot.tables.commitment import seed_of

    chosen = game_of(game)
    seats, options = seats_of(chosen, players), options_of(chosen, option or [])
    say = speech_of(lang)
    game_seed = secrets.token_bytes(32) if seed is None else seed_of(seed)
    judge = Referee(chosen, seats, game_seed, options, say)
    ascii_only = not shows("♠")
    _send(judge.messages(), ascii_only)
    for line in sys.stdin.buffer:
        _send(judge.hear(line.decode("utf-8", "replace")), ascii_only)


@app.command(cls=PlainCommand)
def rules(game: GameName, lang: Lang = None) -> None:
    """Print the rules of a game."""
    from adapters.arguments import game_of, local_settings, locale_of, shows
    from bot.i18n import Speech

    settings = local_settings()
    say = Speech(locale_of(lang, settings.language), letters=settings.letters or not shows("♠"))
    text = say.spelled(game_of(game).help(say))
    if not sys.stdout.isatty():
        typer.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))


@app.command(cls=PlainCommand)
def run(lang: Lang = None) -> None:
    """Run the bot on every platform whose token is set.

    Ctrl+C stops it. The tokens come from the environment or from a file .env; if none is set, this says
    which ones it looks for. Tables, players and results are stored in DATABASE_URL.
    """
    from adapters.arguments import locale_of
    from adapters.doctor import nothing_set
    from adapters.host_settings import read_settings
    from adapters.registry import platforms, required_settings
    from adapters.serve import log_to_stderr, serve
    from adapters.shared.clock import AsyncioClock
    from bot.i18n import Speech
    from bot.settings import Settings

    settings, clock = read_settings(Settings), AsyncioClock()
    read = [read_settings(platform) for platform in platforms().values()]
    served = [platform.start(clock) for platform in read if platform.is_set]
    if not served:
        say = Speech(locale_of(lang, settings.sobremesa_language))
        typer.echo(say(nothing_set(required_settings())), err=True)
        raise typer.Exit(1)
    log_to_stderr(settings)
    _completed(serve(served, settings, clock))


@app.command(cls=PlainCommand, context_settings={"ignore_unknown_options": True})
def doctor(
    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CHAT", help="The ids of chats, or their @names: says what the bot may do in them."
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    """Say what is wrong with settings, database, tokens or clock.

    The bot may be running. Nothing is changed. The exit code is 1 if there is a problem.
    """
    from adapters.arguments import locale_of
    from adapters.doctor import VERDICTS, examine
    from adapters.host_settings import examined_settings
    from adapters.registry import platforms
    from bot.i18n import Speech
    from bot.settings import Settings

    settings, invalid = examined_settings(Settings)
    say = Speech(locale_of(lang, settings.sobremesa_language))
    read = [examined_settings(platform) for platform in platforms().values()]
    # A file that cannot be read is found for each kind of settings.
    invalid = [*invalid, *(finding for _, found in read for finding in found if finding not in invalid)]

    async def report() -> bool:
        healthy = True
        async for verdict, text in examine(settings, [one for one, _ in read], places or (), invalid):
            healthy = healthy and verdict != "problem"
            typer.echo(f"{say(VERDICTS[verdict]):<9} {say(text)}")
        return healthy

    if not _completed(report()):
        raise typer.Exit(1)


@app.command(cls=PlainCommand)
def history(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Only games of this kind, such as casino.")
    ] = None,
    file: GamesFile = None,
    lang: Lang = None,
) -> None:
    """List the last games that were finished at this terminal.

    `sobremesa replay 1` shows the last one again, `sobremesa verify 1` checks it.
    """
    from adapters.arguments import game_of, local_settings
    from adapters.game_files import history, speech

    history(speech(lang), game_of(game).key if game else None, file or local_settings().file)


@app.command(cls=PlainCommand)
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
    from adapters.arguments import local_settings
    from adapters.game_files import load, print_text, replay, speech
    from bot.replays.game_file import written

    say = speech(lang)
    found = load(game, say, file or local_settings().file)
    if as_json:
        typer.echo(written(found), nl=False)
    elif text:
        print_text(found, say)
    else:
        replay(found, say, plain=plain)


@app.command(cls=PlainCommand)
def leaderboard(
    game: PlayedGame = None,
    period: PeriodName = "all",
    by_games: Annotated[
        bool, typer.Option("--games", help="Rank by games played instead of games won.")
    ] = False,
    file: GamesFile = None,
    lang: Lang = None,
) -> None:
    """Show who has won most at this terminal, against people and against computers."""
    from adapters.arguments import game_of, local_settings
    from adapters.game_files import speech
    from adapters.records import leaderboard, records

    key, found = game_of(game).key if game else "", records(file or local_settings().file)
    leaderboard(found, speech(lang), key, period, time.time(), by_games=by_games)


@app.command(cls=PlainCommand)
def profile(
    player: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The player; without a name, the one who has played most."),
    ] = None,
    file: GamesFile = None,
    lang: Lang = None,
) -> None:
    """Show a player's games and wins at this terminal."""
    from adapters.arguments import local_settings
    from adapters.game_files import speech
    from adapters.records import profile, records

    if not profile(records(file or local_settings().file), speech(lang), player):
        raise typer.Exit(1)


@app.command(cls=PlainCommand)
def verify(game: FinishedGame, file: GamesFile = None, lang: Lang = None) -> None:
    """Check a finished game: the fingerprint, the cuts, the deal and every move.

    In a chat the file comes from the button Log of a finished game. The exit code is 0 if everything
    holds, 1 if not, 2 if there is no such game. docs/verify.md says how to check without this program.
    """
    from adapters.arguments import local_settings
    from adapters.game_files import load, speech, verify

    say = speech(lang)
    if not verify(load(game, say, file or local_settings().file), say):
        raise typer.Exit(1)


@app.command(cls=PlainCommand)
def backup(file: BackupFile, lang: Lang = None) -> None:
    """Save everything the bot has stored in one new file.

    The bot may go on running. DATABASE_URL, in the environment or in .env, says where it stores things.
    The file holds the cards of running games: keep it to yourself.
    """
    from adapters.arguments import locale_of
    from adapters.host_settings import read_settings
    from bot.i18n import Speech
    from bot.settings import Settings
    from bot.store.backup import backup
    from engines.game import plural

    settings = read_settings(Settings)
    rows = _completed(backup(settings.database_url.get_secret_value(), file))
    say = Speech(locale_of(lang, settings.sobremesa_language))
    typer.echo(say(plural("{n} row saved.", "{n} rows saved.", rows)))


@app.command(cls=PlainCommand)
def restore(file: BackupFile, lang: Lang = None) -> None:
    """Fill a new, empty store from a backup, all or nothing.

    DATABASE_URL says where; it may be another kind of database than the one that was saved.
    """
    from adapters.arguments import locale_of
    from adapters.host_settings import read_settings
    from bot.i18n import Speech
    from bot.settings import Settings
    from bot.store.backup import restore
    from engines.game import plural

    settings = read_settings(Settings)
    rows = _completed(restore(settings.database_url.get_secret_value(), file))
    say = Speech(locale_of(lang, settings.sobremesa_language))
    typer.echo(say(plural("{n} row restored.", "{n} rows restored.", rows)))


@app.command(cls=PlainCommand)
def ratings(lang: Lang = None) -> None:
    """Work out all ratings and leaderboards anew, from the logs of the finished games.

    The bot may go on running; until this is done, leaderboards lack the later games. DATABASE_URL says
    where things are stored. docs/ratings.md has the arithmetic.
    """
    from adapters.arguments import locale_of
    from adapters.host_settings import read_settings
    from adapters.rebuilding import rebuild
    from bot.i18n import Speech
    from bot.settings import Settings
    from engines.game import plural

    settings = read_settings(Settings)
    games = _completed(rebuild(settings.database_url.get_secret_value()))
    say = Speech(locale_of(lang, settings.sobremesa_language))
    typer.echo(say(plural("{n} game worked out anew.", "{n} games worked out anew.", games)))


def main() -> None:
    """Runs the program ``sobremesa``."""
    prepare()
    try:
        try:
            app(prog_name=program())
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has closed it; flushing the buffer at exit would raise the error again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _send(messages: Iterable[Mapping[str, Any]], ascii_only: bool) -> None:
    import json

    for message in messages:
        print(json.dumps(message, ensure_ascii=ascii_only), flush=True)


def _completed(work: Coroutine[Any, Any, Done]) -> Done:
    """Runs a coroutine and returns its result; if it fails, prints the reason and exits with code 1.

    An unexpected error is printed as its type and line only: its message may hold a card or a token.
    """
    import asyncio

    from bot.ports import NotAdmitted
    from bot.storage import StoreError

    try:
        return asyncio.run(work)
    except NotAdmitted as error:
        reason = str(error)
    except StoreError as error:
        reason = f"sobremesa: {error}"
    except Exception as error:
        reason = f"sobremesa: {origin(error)}"
    typer.echo(reason, err=True)
    raise typer.Exit(1)
