"""The commands without a person who plays: matches of computer players, and a referee of programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from adapters.command_line.arguments.parameters import GameName, HouseRules, Lang, Players, Seed, readable
from engines.levels import Level

_INTERRUPTED = 130
"""The exit code that shells use for a program which Ctrl+C has ended: 128 and the number of the signal."""


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
    from adapters.command_line.arguments.games import game_argument, levels_of, option_arguments
    from adapters.command_line.arguments.general import speech_of
    from adapters.command_line.games import simulate as matches
    from bot.matches.playing import DuplicateMatch, computers
    from bot.matches.results import ResultsFile, results_folder, source_hash
    from bot.matches.running import usual_jobs
    from bot.matches.scores import standing

    say = speech_of(lang)
    chosen = game_argument(game)
    levels = levels_of(chosen, seats, players, level)
    match = DuplicateMatch(
        chosen.key, levels, option_arguments(chosen, option or []), seed, swaps=seats is not None
    )
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
        raise typer.Exit(_INTERRUPTED)


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

    from adapters.command_line.arguments.games import game_argument, option_arguments, seats_of
    from adapters.command_line.arguments.general import shows, speech_of
    from adapters.command_line.games.referee import Referee
    from bot.tables.log.commitment import seed_of

    chosen = game_argument(game)
    seats, options = seats_of(chosen, players), option_arguments(chosen, option or [])
    say = speech_of(lang)
    game_seed = secrets.token_bytes(32) if seed is None else seed_of(seed)
    judge = Referee(chosen, seats, game_seed, options, say)
    ascii_only = not shows("♠")
    _send(judge.messages(), ascii_only)
    for line in sys.stdin.buffer:
        _send(judge.apply(line.decode("utf-8", "replace")), ascii_only)


def _send(messages: Iterable[Mapping[str, Any]], ascii_only: bool) -> None:
    import json

    for message in messages:
        print(json.dumps(message, ensure_ascii=ascii_only), flush=True)
