"""The commands to play at this terminal, and to read rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from adapters.command_line.arguments.parameters import (
    ForcedName,
    GameName,
    HouseRules,
    Lang,
    LevelName,
    PaceName,
    Players,
    Seed,
    SuggestionsName,
    readable,
)


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="One of: {games}. Without it, you choose."),
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
        typer.Option(
            metavar="NAME",
            help="The name of a player at this keyboard; repeat for the next seat. Alone you need none; "
            "of several people, those without names are on no leaderboard.",
        ),
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

    `sobremesa play --resume` goes on with your last unfinished game, even on another day, in
    the language that it had, unless you choose one with --lang. Games at a terminal are saved
    in a file; games from a pipe only in one that you name.
    """

    from adapters.command_line.arguments.general import must_fit, names_of
    from adapters.command_line.games.play import defaults_from, equipment_over, guided_from, setup_from, start
    from adapters.command_line.languages import local_settings, locale_of
    from engines.values import replace

    chosen_settings = (
        players, seed, option, cut, humans if humans > 1 else None, guide or None, first_to or None
    )  # fmt: skip
    changed = any(value is not None for value in chosen_settings)
    must_fit(resume=resume, changed=changed, seed=seed, cut=cut)
    settings = local_settings()
    locale = locale_of(lang, settings.language)
    names = names_of(name or [], humans, settings.name, locale)
    defaults = defaults_from(
        settings, locale, names, players or 0, level=level, pace=pace, seed=seed, cut=cut, first_to=first_to
    )
    defaults = replace(defaults, suggestions=suggestions, forced=forced)
    setup = None if resume else setup_from(defaults, game, players, option or [])
    if guide:
        of_the_deal = (players, seed, option, cut, humans if humans > 1 else None)
        setup = guided_from(setup, is_free=all(value is None for value in of_the_deal))
    equipment = equipment_over(settings, file or settings.file, always=resume)
    try:
        if resume:
            from adapters.command_line.arguments.games import game_argument
            from adapters.command_line.games.resuming import resume_game

            named = game_argument(game) if game else None
            resume_game(equipment, defaults, named, plain=plain, keep_language=lang is not None)
        else:
            start(setup, defaults, equipment, plain=plain)
    finally:
        if equipment.made and (store := equipment.made.store):
            from adapters.command_line.games.resuming import say_how_to_go_on

            store.finish()
            say_how_to_go_on(store, locale, file)


def rules(game: GameName, lang: Lang = None) -> None:
    """Print the rules of a game."""
    from adapters.command_line.arguments.games import game_argument
    from adapters.command_line.arguments.general import shows
    from adapters.command_line.languages import local_settings, locale_of
    from bot.i18n import Speech

    settings = local_settings()
    say = Speech(locale_of(lang, settings.language), letters=settings.letters or not shows("♠"))
    text = say.spelled(game_argument(game).help(say))
    if not sys.stdout.isatty():
        typer.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))
