"""Writes help pages in the reader's language.

Imports nothing that takes long, since ``--help`` needs it; the sentences are those of the commands' own
declarations and of Typer, translated in ``adapters/locale/help``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from typer._click.core import Context
from typer._click.formatting import HelpFormatter

from adapters.shared.program import program
from bot.catalogue import translations
from bot.settings.choices import Language
from engines import game_keys

GIVEN = "sobremesa.given"
"""The key in `Context.meta` of the arguments as they were typed."""
FOLDER = Path(__file__).resolve().parents[2] / "locale" / "help"
"""Where the translations of help pages are, in a file for each language."""
TYPER_WORDS = (
    "ARGS", "Arguments", "COMMAND", "Commands", "OPTIONS", "Options", "Usage", "default", "required",
    "Install completion for the current shell.",
    "Show completion for the current shell, to copy it or customize the installation.",
    "Show this message and exit.",
)  # fmt: skip
"""The sentences that Typer itself writes on help pages."""
_NAMED = re.compile(r"(?<=[`“«])sobremesa(?= )")
"""Matches the program's name in a command that a help text quotes."""
_METAVAR = re.compile(r"(?<![-<|\w])[A-Z]{2,}(?![|>\w])")
"""Matches a word of two or more capitals that stands for a value, such as ``GAME``.

Not in an option, in another word, or among alternatives such as ``EN|ES``.
"""
_BRACED = re.compile(r"\{([A-Z]+)\}")
"""Matches an argument that is required, as Typer writes it in a usage."""
_EXTRA = re.compile(r"  \[([^]]*)\]$")
"""Matches what Typer adds to the help of a parameter: its default, or that it is required."""
_NARROW = 70
"""A help page with fewer characters in a line gives its left column at most `_NARROW_LEFT`."""
_NARROW_LEFT = 16
"""The most characters of the left column of a narrow help page."""


class HelpWords:
    """Translates the words of help pages into a language."""

    def __init__(self, locale: Language) -> None:
        self._known = _translations(locale)

    def __call__(self, words: str) -> str:
        return self._known.get(words, (words,))[0]

    def metavars(self, words: str) -> str:
        """Translates the words that stand for values, such as ``GAME``, in a usage or beside an option."""
        return _METAVAR.sub(lambda found: self(found[0]), _BRACED.sub(r"\1", words))

    def text(self, help_text: str) -> str:
        """A help text, translated, with the games for ``{games}`` and the program's name as it was typed."""
        translated = "\n\n".join(map(self, paragraphs(help_text))).replace("{games}", ", ".join(game_keys()))
        # Not a plain replacement, in which the backslashes of a path would be escapes.
        return _NAMED.sub(lambda _: program(), translated)

    def explanation(self, help_text: str) -> str:
        """The help of a parameter or a command, with what Typer adds to it."""
        found = _EXTRA.search(help_text)
        if found is None:
            return self.text(help_text)
        added = "; ".join(map(self._addition, found[1].split("; ")))
        return f"{self.text(help_text[: found.start()])}  [{added}]"

    def _addition(self, words: str) -> str:
        name, colon, value = words.partition(": ")
        return self(name) + colon + value


class Formatter(HelpFormatter):
    """Translates a help page while Typer writes it; on a narrow terminal the left column gets less room."""

    def __init__(self, locale: Language, width: int | None, max_width: int | None) -> None:
        super().__init__(width=width, max_width=max_width)
        self._words = HelpWords(locale)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, self._words.metavars(args), prefix or f"{self._words('Usage')}: ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(self._words(heading))

    def write_text(self, text: str) -> None:
        super().write_text(self._words.text(text))

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        translated = [(self._words.metavars(name), self._words.explanation(text)) for name, text in rows]
        super().write_dl(translated, _NARROW_LEFT if self.width < _NARROW else col_max, col_spacing)


class _Localized(Protocol):
    """A group of commands that knows its user's language."""

    def locale(self, given: Sequence[str]) -> Language: ...


class HelpContext(Context):
    """The context of a command; writes the command's help in the language of the user who typed it."""

    def make_formatter(self) -> HelpFormatter:
        group = cast(_Localized, self.find_root().command)
        locale = group.locale(self.meta.get(GIVEN, ()))
        return Formatter(locale, self.terminal_width, self.max_content_width)


def paragraphs(help_text: str) -> Iterator[str]:
    """The paragraphs of a help text, each in one line."""
    return (" ".join(paragraph.split()) for paragraph in help_text.split("\n\n"))


@cache
def _translations(locale: Language) -> Mapping[str, Sequence[str]]:
    return {} if locale == "en" else translations((FOLDER / f"{locale}.po").read_text("utf-8"))


def sentences(command: Any) -> Iterator[str]:
    """The sentences and words to translate on the help page of a command, apart from Typer's own."""
    yield from paragraphs(command.help or "")
    for parameter in command.params:
        yield from paragraphs(parameter.help or "")
        yield from _METAVAR.findall(parameter.metavar or "")
