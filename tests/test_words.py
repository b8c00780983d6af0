"""Every sentence of the sources is a literal, and has one translation into every language."""

from __future__ import annotations

import ast
import string
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from bot.catalogue import SOURCES
from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from engines import games
from engines.game import Text, plural
from tests.words import KEYWORDS, ROOT, TRANSLATED, extracted, folders, main, translations

FOLDERS = list(folders())
FILES = sorted(file for source in SOURCES for file in (ROOT / source).rglob("*.py"))
PAIRS = [(folder, language) for folder in FOLDERS for language in TRANSLATED]
CALLS = {"Text": (0,), "plural": (0, 1), "refuse": (1,)}
"""The calls whose arguments are sentences, with the numbers of these arguments, from 0.

It is independent of `tests.words.KEYWORDS`, with which it is compared.
"""
PASS_ON = ((ROOT / "engines" / "sentences.py", "plural"), (ROOT / "engines" / "game.py", "refuse"))
"""The functions that pass on a sentence that they were given."""
Forms = tuple[str, ...]

every_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
every_catalogue = pytest.mark.parametrize(
    ("folder", "language"), PAIRS, ids=[f"{folder.relative_to(ROOT)}-{tag}" for folder, tag in PAIRS]
)


def key(message: Message) -> Forms:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def said(message: Message) -> Forms:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def entries(catalog: Catalog) -> dict[Forms, Forms]:
    """The messages of a catalogue with their translations, without the header."""
    return {key(message): said(message) for message in catalog if message.id}


@cache
def spelled(folder: Path) -> frozenset[Forms]:
    """The sentences that the extraction finds in a folder."""
    return frozenset(key(message) for message in extracted(folder) if message.id)


def placeholders(sentence: str) -> list[tuple[str, str | None, str | None]]:
    return sorted(
        (name, form, how) for _, name, form, how in string.Formatter().parse(sentence) if name is not None
    )


def calls(file: Path) -> Iterator[tuple[ast.Call, str, str]]:
    """The calls of `CALLS` in a file, each with its name and the name of the function that contains it."""

    def walk(node: ast.AST, inside: str) -> Iterator[tuple[ast.Call, str, str]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = node.name
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in CALLS:
                yield node, name, inside
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inside)

    yield from walk(ast.parse(file.read_text("utf-8")), "")


def written(file: Path) -> Iterator[Forms]:
    """The sentences in a file, found without Babel's extraction."""
    for call, name, _ in calls(file):
        arguments = [call.args[at] for at in CALLS[name] if at < len(call.args)]
        if all(isinstance(one, ast.Constant) for one in arguments):
            yield tuple(ast.literal_eval(one) for one in arguments)


def home(file: Path) -> Path:
    """The folder that has the translations of a file's sentences."""
    return next(folder for folder in file.parents if folder in FOLDERS)


def test_there_are_languages_to_translate_into() -> None:
    assert sorted(["en", *TRANSLATED]) == sorted(LANGUAGES)
    assert TRANSLATED


def test_every_package_and_every_game_has_words_of_its_own() -> None:
    named = {str(folder.relative_to(ROOT)) for folder in FOLDERS}
    assert named >= {*SOURCES, *(f"engines/{game}" for game in games())}


def test_a_new_game_gets_files_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.words.ROOT", tmp_path)
    monkeypatch.setattr("tests.words.FOLDER", tmp_path)
    game, shared = tmp_path / "engines" / "sixth", tmp_path / "engines" / "locale"
    for folder in (game, shared):
        folder.mkdir(parents=True)
    (game.parent / "rules.py").write_text('Text("Shared.")', "utf-8")
    (game / "__init__.py").write_text('Text("{who} wins.", who=0)', "utf-8")
    main()
    for language in TRANSLATED:
        assert entries(translations(game, language)) == {("{who} wins.",): ("",)}
        assert entries(translations(game.parent, language)) == {("Shared.",): ("",)}


def test_both_lists_name_the_same_calls() -> None:
    assert set(KEYWORDS) == set(CALLS)


@every_folder
def test_sentences_are_found_in_every_folder(folder: Path) -> None:
    assert len(spelled(folder)) >= 5
    assert spelled(folder) == {message for file in FILES if home(file) == folder for message in written(file)}


def test_sentences_of_every_kind_are_found() -> None:
    found = frozenset().union(*map(spelled, FOLDERS))
    assert ("{who} throws {card}.",) in found
    assert ("Everybody gets {n} card.", "Everybody gets {n} cards.") in found
    assert ("{card} isn't in your hand.",) in found
    assert len(found) > 100


def test_every_sentence_is_a_literal() -> None:
    built = [
        f"{file.relative_to(ROOT)}: {ast.unparse(call)}"
        for file in FILES
        for call, name, inside in calls(file)
        for at in CALLS[name]
        if not (at < len(call.args) and isinstance(call.args[at], ast.Constant))
        if (file, inside) not in PASS_ON
    ]
    assert built == []


def test_every_placeholder_is_filled() -> None:
    wrong = []
    for call, name, inside in (found for file in FILES for found in calls(file)):
        if inside in ("plural", "refuse"):
            continue
        given = {keyword.arg for keyword in call.keywords}
        named = {field for at in CALLS[name] for field, *_ in placeholders(ast.literal_eval(call.args[at]))}
        if name == "plural":  # gives {n}, which a sentence that lists the counted cards need not say
            named -= {"n"}
        if None not in given and given != named:
            wrong.append(ast.unparse(call))
    assert wrong == []


@every_catalogue
def test_every_sentence_is_translated_and_no_other(folder: Path, language: str) -> None:
    translated = entries(translations(folder, language))
    assert [message for message, words in translated.items() if not all(words)] == []
    assert set(translated) == spelled(folder)


@every_catalogue
def test_translations_have_the_same_placeholders(folder: Path, language: str) -> None:
    catalog = translations(folder, language)
    for message, words in entries(catalog).items():
        assert len(words) == (1 if len(message) == 1 else catalog.num_plurals)
        for form in words:
            assert placeholders(form) == placeholders(message[-1])


@every_catalogue
def test_translations_keep_the_ends_of_the_sentence(folder: Path, language: str) -> None:
    for message, words in entries(translations(folder, language)).items():
        for form in words:
            assert form == form.strip()
            assert message[0][-1] not in "?.:" or form[-1] == message[0][-1]


@every_catalogue
def test_nothing_is_fuzzy_or_obsolete(folder: Path, language: str) -> None:
    catalog = translations(folder, language)
    assert [key(message) for message in catalog if message.id and message.fuzzy] == []
    assert list(catalog.obsolete) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_two_folders_translate_a_sentence_differently(language: str) -> None:
    known = defaultdict(set)
    for folder in FOLDERS:
        for message, words in entries(translations(folder, language)).items():
            known[message].add(words)
    assert {message: words for message, words in known.items() if len(words) > 1} == {}


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_sentence_is_said_with_and_without_number(language: str) -> None:
    """gettext finds both under the same key."""
    every = {message for folder in FOLDERS for message in entries(translations(folder, language))}
    assert {message[0] for message in every if len(message) == 2} & {
        message[0] for message in every if len(message) == 1
    } == set()


@every_catalogue
def test_speech_finds_what_is_translated(folder: Path, language: str) -> None:
    say = Speech(language)  # type: ignore[arg-type]
    for message, words in entries(translations(folder, language)).items():
        given = {field: "{" + field + "}" for field, *_ in placeholders(message[-1])}
        if len(message) == 1:
            assert say(Text(message[0], **given)) == words[0].format(**given)
        else:
            counted = {field: given[field] for field in given if field != "n"}
            spoken = [say(plural(message[0], message[1], n, **counted)) for n in (1, 2)]
            assert spoken == [form.format(**counted, n=n) for form, n in zip(words, (1, 2), strict=True)]
