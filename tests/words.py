"""Finds the sentences in the sources and their translations; run as a program, updates the ``.po`` files.

``python -m tests.words`` adds new sentences, untranslated, and drops those that the sources no longer
have; a new game gets a ``locale`` folder of its own.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import typer
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from adapters.command_line import cli
from adapters.command_line.help.help_page import FOLDER, TYPER_WORDS, sentences
from bot.catalogue import SOURCES
from bot.settings.choices import LANGUAGES

ROOT = Path(__file__).parent.parent
KEYWORDS = {"Text": None, "plural": (1, 2), "refuse": (2,)}
"""The calls whose arguments are sentences, with the arguments' numbers from 1; None is the first."""
HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def folders() -> Iterator[Path]:
    """Every folder whose sources have a ``locale`` folder of their own."""
    for source in SOURCES:
        yield from sorted(locale.parent for locale in (ROOT / source).rglob("locale") if locale.is_dir())


def extracted(folder: Path) -> Catalog:
    """The sentences of a folder's sources, without those of subfolders that have a ``locale`` folder."""
    catalog = Catalog()
    below = [other for other in folders() if folder in other.parents]
    for name, _, message, _, _ in extract_from_dir(folder, keywords=KEYWORDS):
        if not any((folder / name).is_relative_to(other) for other in below):
            catalog.add(message)
    return catalog


def translations(folder: Path, language: str) -> Catalog:
    """The catalogue of a folder's translations into a language."""
    with (folder / "locale" / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def update(folder: Path, language: str) -> None:
    """Updates the sentences in a folder's translations to those of its sources."""
    file = folder / "locale" / f"{language}.po"
    catalog = translations(folder, language) if file.exists() else Catalog(locale=language)
    catalog.update(extracted(folder), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    save(catalog, file)


def help_file(language: str) -> Path:
    """The file of the translations of the command line's help pages."""
    return FOLDER / f"{language}.po"


def help_sentences() -> Catalog:
    """All that the help pages say."""
    catalog = Catalog()
    group = typer.main.get_command(cli.app)
    assert isinstance(group, cli.Commands)
    for command in (group, *map(group.built, group.functions)):
        for sentence in sentences(command):
            catalog.add(sentence)
    for word in TYPER_WORDS:
        catalog.add(word)
    return catalog


def update_help(language: str) -> None:
    """Updates the sentences in the translations of help pages."""
    file = help_file(language)
    catalog = Catalog(locale=language)
    if file.exists():
        with file.open("rb") as before:
            catalog = read_po(before, locale=language)
    catalog.update(help_sentences(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    save(catalog, file)


def save(catalog: Catalog, file: Path) -> None:
    """Writes a catalogue with a header that has no dates or names, so that it never changes."""
    body = io.BytesIO()
    write_po(body, catalog, omit_header=True, no_location=True, sort_output=True, width=100)
    header = HEADER.format(language=catalog.locale, plural_forms=catalog.plural_forms)
    file.write_text(header + body.getvalue().decode(), "utf-8")


def main() -> None:
    """Updates all folders and the help pages in every language; makes the ``locale`` folder of a new game."""
    for package in (ROOT / "engines").glob("*/__init__.py"):
        (package.parent / "locale").mkdir(exist_ok=True)
    for language in TRANSLATED:
        for folder in folders():
            update(folder, language)
        update_help(language)


if __name__ == "__main__":
    main()
