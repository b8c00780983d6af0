"""The command line: everything the program does begins here, where the parts are put together."""

from __future__ import annotations

import getpass
import io
import json
import os
import random
import secrets
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from bot.brains import play_out
from bot.fair import seed_of
from bot.i18n import Speech, language, safe_name
from bot.model import Language, Level
from bot.settings import Settings
from bot.table import AnyGame
from engines import games
from engines.drawing import columns
from engines.game import Result, Text, plural

app = typer.Typer(
    name="sobremesa",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Card games for the time people stay at the table: Casino, Cardlebones and their like, "
    "against the computer or with friends at one keyboard, in English or Spanish.\n\n"
    "Start with [bold]sobremesa play[/bold]: it asks which game. Press F1 in a game for its rules.",
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of: {', '.join(games())}.")]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="Seats at the table; the fewest the game allows.")
]


def _readable(words: str | None) -> str | None:
    """Refuses what the system could not decode, since nobody could type it again."""
    if words is not None and not _fits(words, "utf-8"):
        raise typer.BadParameter("these words are no text in the encoding of your system")
    return words


Seed = Annotated[
    str | None,
    typer.Option(
        "--seed",
        metavar="WORDS",
        callback=_readable,
        help="Deal from these words: the same words, the same game.",
    ),
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="RULE=VALUE",
        help="A house rule, as “sobremesa rules GAME” lists them; again for the next.",
    ),
]
LevelName = Annotated[Level, typer.Option("--level", help="How well the computer players play.")]
Lang = Annotated[Language | None, typer.Option("--lang", "-l", help="The language of the screens.")]


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help=f"One of: {', '.join(games())}. Without: choose.")
    ] = None,
    players: Players = None,
    humans: Annotated[
        int, typer.Option(min=1, help="People who share this keyboard; computers take the other seats.")
    ] = 1,
    seed: Seed = None,
    option: HouseRules = None,
    level: LevelName = "normal",
    lang: Lang = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="What somebody at this keyboard is called, in the order of seats."),
    ] = None,
    cut: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", callback=_readable, help="Cut the deck with these words before the deal."
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="Line by line, for screen readers and pipes; so too without a terminal."
        ),
    ] = False,
) -> None:
    """Play a game at this terminal.

    [bold]sobremesa play casino[/bold] starts Casino against the computer at once.

    [bold]sobremesa play casino --players 3 --humans 2[/bold] has two people take turns at one
    keyboard, against one computer player.
    """
    from adapters.terminal.session import Setup

    if seed is not None and cut is not None:
        raise typer.BadParameter("a deal from --seed is fixed: --cut has nothing to change")
    settings, plain = _settings(), plain or not _on_a_terminal()
    locale = _locale(lang, settings)
    base = Setup(
        key="",
        players=players or 0,
        names=_names(name or [], humans, settings, locale),
        locale=locale,
        level=level,
        seed=seed,
        cut=cut if cut and cut.strip() else None,
        letters=settings.sobremesa_letters or not _shows("♠"),
        pace=settings.sobremesa_pace if sys.stdin.isatty() else 0.0,
    )
    setup = None
    if game:
        chosen = _game(game)
        setup = replace(
            base,
            key=chosen.key,
            players=_seats(chosen, players, humans),
            options=_options(chosen, option or []),
        )
    elif option:
        raise typer.BadParameter("house rules are those of one game: name the game")
    elif not any((players or max(humans, known.seats[0])) in known.seats for known in games().values()):
        raise typer.BadParameter(f"no game is for {players or humans} players")
    if plain:
        from adapters.terminal.plain import play_plainly

        play_plainly(setup, base)
    else:
        from adapters.terminal.app import TerminalApp

        screen = TerminalApp(setup, base)
        screen.run()
        raise typer.Exit(screen.return_code or 0)


@app.command()
def simulate(
    game: GameName,
    players: Players = None,
    count: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 100,
    seed: Seed = None,
    option: HouseRules = None,
    level: LevelName = "normal",
    lang: Lang = None,
) -> None:
    """Let computer players play against each other, and count.

    The first game is dealt from the seed, the others from the seed, a colon and their number.
    """
    from rich.progress import track

    say = Speech(_locale(lang, _settings()))
    chosen = _game(game)
    seats, options = _seats(chosen, players), _options(chosen, option or [])
    seed = secrets.token_hex(4) if seed is None else seed
    results: list[Result] = []
    began, moves = time.perf_counter(), 0
    for i in track(range(count), say(chosen.title), disable=not sys.stdout.isatty(), transient=True):
        words = seed if i == 0 else f"{seed}:{i}"
        result, made = play_out(chosen, [level] * seats, seed_of(words), options, random.Random(words))
        results.append(result)
        moves += made
    _report(results, moves, time.perf_counter() - began, seed, say)


@app.command()
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
    from bot.referee import Referee

    chosen = _game(game)
    seats, options = _seats(chosen, players), _options(chosen, option or [])
    say = Speech(_locale(lang, _settings()))
    game_seed = secrets.token_bytes(32) if seed is None else seed_of(seed)
    judge = Referee(chosen, seats, game_seed, options, say)
    _send(judge.messages())
    for line in sys.stdin.buffer:
        _send(judge.hear(line.decode("utf-8", "replace")))


@app.command()
def rules(game: GameName, lang: Lang = None) -> None:
    """Print the rules of a game."""
    settings = _settings()
    say = Speech(_locale(lang, settings), letters=settings.sobremesa_letters or not _shows("♠"))
    typer.echo(say.spelled(_game(game).help(say)))


def main() -> None:
    """Runs the program ``sobremesa``."""
    # A stream that was closed before we began is None.
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    sys.stdout = sys.stdout or io.TextIOWrapper(io.BytesIO())
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="sobremesa")
    except BrokenPipeError:
        # The reader has gone; what is still buffered would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _send(messages: Iterable[Mapping[str, Any]]) -> None:
    for message in messages:
        print(json.dumps(message, ensure_ascii=not _shows("♠")), flush=True)


def _settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        wrong = ", ".join(str(one["loc"][0]).upper() for one in error.errors())
        raise typer.BadParameter(f"these settings cannot be read: {wrong}") from None


def _locale(lang: Language | None, settings: Settings) -> Language:
    """What was asked for, else the setting, else the language of the system."""
    system = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
    return language(lang or settings.sobremesa_language or system)


def _game(name: str) -> AnyGame:
    """The game of a key, or of the beginning of one."""
    key = name.casefold().replace("-", "_")
    fitting = [known for known in games() if known == key] or [
        known for known in games() if known.startswith(key)
    ]
    if len(fitting) != 1:
        raise typer.BadParameter(f"no game {name!r}; there are: {', '.join(games())}")
    return games()[fitting[0]]


def _seats(game: AnyGame, players: int | None, humans: int = 1) -> int:
    seats = max(game.seats[0], humans) if players is None else players
    if seats not in game.seats:
        raise typer.BadParameter(
            f"{game.key} is for {game.seats[0]} to {game.seats[-1]} players, not {seats}"
        )
    if humans > seats:
        raise typer.BadParameter(f"{humans} people do not fit in {seats} seats")
    return seats


def _options(game: AnyGame, given: Sequence[str]) -> dict[str, str]:
    options = {}
    for pair in given:
        option, _, value = pair.partition("=")
        if value not in game.options.get(option, ()):
            known = "; ".join(f"{name}={'|'.join(values)}" for name, values in game.options.items())
            raise typer.BadParameter(f"{game.key} has no house rule {pair!r}; it has: {known}")
        options[option] = value
    return options


def _names(given: Sequence[str], humans: int, settings: Settings, locale: Language) -> tuple[str, ...]:
    """One name a person: those given, then the setting or the login, then the number of the seat."""
    if humans == 1 and not given:
        given = [settings.sobremesa_name or _login()]
    named = list(map(safe_name, given[:humans]))
    say = Speech(locale)
    return tuple(named[seat] if named[seat:] and named[seat] else say.name(seat) for seat in range(humans))


def _login() -> str:
    """The login name, unless it is nobody's own."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        return ""
    return "" if name in ("root", "nobody", "admin") else name.capitalize()


def _report(results: Sequence[Result], moves: int, seconds: float, seed: str, say: Speech) -> None:
    """The results as a table, in words that a pipe takes too."""
    seats = len(results[0].scores)
    head = [say(Text("player")), say(Text("wins")), say(Text("draws")), say(Text("mean score"))]
    table = [head]
    for seat in range(seats):
        won = sum(result.winners == (seat,) for result in results)
        drawn = sum(seat in result.winners for result in results) - won
        mean = sum(result.scores[seat] for result in results) / len(results)
        table.append([say.name(seat), str(won), str(drawn), f"{mean:.2f}"])
    typer.echo("\n".join(columns(table, 60)))
    count = plural("{n} game", "{n} games", len(results))
    rate = f"{moves / seconds:,.0f}"
    typer.echo(
        say(Text("{games}, {moves} moves, {rate} moves a second", games=count, moves=moves, rate=rate))
    )
    typer.echo(say(Text("seed: {seed}", seed=seed)))


def _on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _shows(text: str) -> bool:
    """Whether what is written to the standard output can hold the text."""
    return _fits(text, sys.stdout.encoding or "ascii")


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
