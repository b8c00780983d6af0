"""The commands about files of finished games: checks one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import typer

from adapters.arguments import local_settings, locale_of, shows
from bot.i18n import Speech, safe_name
from bot.model import Language
from bot.replays.checks import Finding, Verdict, findings, is_proved
from bot.replays.game_file import BYTES, GameFile, NotReadable, read
from bot.tables.parsing import title_of
from engines.game import Text

UNREADABLE = 2
"""The exit code for a file that is no game file."""
_VERDICTS: Mapping[Verdict, Text] = {"ok": Text("ok"), "wrong": Text("wrong"), "open": Text("unknown")}


def speech(lang: Language | None) -> Speech:
    """The language and the suits of what a command prints."""
    settings = local_settings()
    return Speech(locale_of(lang, settings.language), letters=settings.letters or not shows("♠"))


def load(path: Path, say: Speech) -> GameFile:
    """The game of a file. Exits with `UNREADABLE` and the reason if it holds none."""
    try:
        with path.open("rb") as opened:
            return read(opened.read(BYTES + 1))
    except OSError as error:
        told = Text("I can't read {file}: {reason}.", file=str(path), reason=error.strerror or "?")
    except NotReadable as error:
        told = Text("{file} is no file of a finished game: {reason}.", file=str(path), reason=error.why)
    typer.echo(say(told), err=True)
    raise typer.Exit(UNREADABLE)


def verify(path: Path, say: Speech) -> bool:
    """Prints what a check of a file finds; whether every claim of it holds."""
    file = load(path, say)
    say = speech_of(file, say)
    found = list[Finding]()
    typer.echo(", ".join((safe_name(title_of(file.game, say), 40), *map(say.name, range(len(file.seats))))))
    for finding in findings(file):
        found.append(finding)
        typer.echo(f"{say(_VERDICTS[finding.verdict]):<8} {say(finding.text)}")
    for text in _conclusion(file, found):
        typer.echo(say(text))
    return is_proved(found)


def speech_of(file: GameFile, say: Speech) -> Speech:
    """The speech that names the players of a file as they were at the deal."""
    names = tuple(safe_name(one.name) for one in file.seats)
    return Speech(say.locale, names, say.letters)


def _conclusion(file: GameFile, found: list[Finding]) -> Iterator[Text]:
    if not is_proved(found):
        yield Text("This file does not prove that the deal was honest.")
        return
    yield Text("Everything in the file holds.")
    if file.commitment:
        yield Text("Now compare the fingerprint with the one you saw before the deal, and your own cuts.")
