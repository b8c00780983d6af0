"""Loads, lists, checks, replays and prints finished games, for commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import typer

from adapters.command_line.arguments.general import shows
from adapters.command_line.asynchronous import completed
from adapters.command_line.games.play import games_file, has_full_screen
from adapters.command_line.languages import local_settings, locale_of
from adapters.command_line.printing import tell
from adapters.shared.clock import local_zone
from adapters.terminal.saved_games.records import history_lines, own_game
from adapters.terminal.setup import Setup
from bot.file_errors import file_error_text
from bot.i18n import Speech, safe_name
from bot.pages.callback_data import is_game, parse_number
from bot.replays.checks import CheckResult, Verdict, findings, is_proved
from bot.replays.films import Film, film
from bot.replays.frames import NotPlayable
from bot.replays.game_file import BYTES, GameFile, NotReadable, read
from bot.replays.readable import readable
from bot.settings.choices import Language
from bot.tables.names.titles import title_of
from engines.game import Text
from engines.values import replace as replace_in

UNREADABLE = 2
"""The exit code for a file that cannot be read as a game, and for a game that is not in the history."""
_VERDICTS: Mapping[Verdict, Text] = {"ok": Text("ok"), "wrong": Text("wrong"), "open": Text("unknown")}


def speech(lang: Language | None) -> Speech:
    """The speech for what a command prints, with the suits and the time zone of this terminal."""
    settings = local_settings()
    letters = settings.letters or not shows("♠")
    return Speech(locale_of(lang, settings.language), letters=letters, zone=local_zone())


def load(name: str, say: Speech, store: Path | None = None) -> GameFile:
    """The game in the file ``name``; without such a file, the one of this number or id in the history.

    Prints the reason and exits with `UNREADABLE` if the file cannot be read as a game or the history has no
    such game, and with 1 if the history cannot be read.
    """
    path = Path(name)
    if (is_game(name) or parse_number(name) is not None) and not path.exists():
        history_file = games_file(store)
        if history_file.exists() and (file := completed(own_game(name, history_file), say)):
            return file
        reason = Text("There is no game {name} in your history.", name=name)
    else:
        try:
            with path.open("rb") as opened:
                return read(opened.read(BYTES + 1))
        except OSError as error:
            reason = Text("I can't read {file}: {reason}.", file=name, reason=file_error_text(error))
        except NotReadable as error:
            reason = Text("{file} isn't the file of a finished game: {reason}.", file=name, reason=error.why)
    tell(say(reason), err=True)
    raise typer.Exit(UNREADABLE)


def history(say: Speech, key: str | None, store: Path | None) -> None:
    """Prints the last games that were finished at this terminal, each with its number and its id."""
    for line in completed(history_lines(games_file(store), key, say), say):
        tell(line)


def replay(file: GameFile, say: Speech, *, plain: bool) -> None:
    """Shows a game step by step, or as a text if its cards were never dealt or cannot be again.

    Exits with 1 if the rules do not allow one of its steps; a full screen ends with its own exit code.
    """
    try:
        shown = film(file)
    except NotPlayable as refused:
        tell(named_speech(file, say)(refused.reason), err=True)
        raise typer.Exit(1) from None
    if not shown.frames:
        print_text(file, say)
    elif plain or not has_full_screen():
        from adapters.terminal.plain.replay import replay_plainly

        replay_plainly(shown, say)
    else:
        from adapters.terminal.app import TerminalApp

        screen = TerminalApp(None, Setup("", 0, (), say.locale, letters=say.letters), film=shown)
        screen.run()
        raise typer.Exit(screen.return_code or 0)


def print_text(file: GameFile, say: Speech) -> None:
    """Prints a game as a text: its events and scores, or only its moves if it cannot be played again."""
    try:
        shown = film(file)
    except NotPlayable:
        shown = Film(file, ())
    for line in readable(shown, say):
        tell(line)


def verify(file: GameFile, say: Speech) -> bool:
    """Prints what a check of a game finds; returns whether every claim of its file holds."""
    say = named_speech(file, say)
    found = list[CheckResult]()
    tell(", ".join((safe_name(title_of(file.game, say), 40), *map(say.name, range(len(file.seats))))))
    for finding in findings(file):
        found.append(finding)
        tell(f"{say(_VERDICTS[finding.verdict]):<8} {say(finding.text)}")
    for text in _conclusion(file, found):
        tell(say(text))
    return is_proved(found)


def named_speech(file: GameFile, say: Speech) -> Speech:
    """The speech that names the players of a file as they were at the deal."""
    names = tuple(safe_name(seat.name) for seat in file.seats)
    return replace_in(say, names=names)


def _conclusion(file: GameFile, found: list[CheckResult]) -> Iterator[Text]:
    if not is_proved(found):
        yield Text("This file does not prove that the deal was honest.")
        return
    yield Text("Everything in the file holds.")
    if file.commitment:
        yield Text("Now compare the fingerprint with the one you saw before the deal, and your own cuts.")
