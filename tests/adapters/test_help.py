"""Help pages: everything they say is translated, and they are in their reader's language."""

from __future__ import annotations

import pytest
from babel.messages.pofile import read_po
from typer.testing import CliRunner

from adapters.command_line import cli
from adapters.command_line.help.help_page import HelpWords
from tests.words import TRANSLATED, help_file, help_sentences

PAGES = ["", *cli.Commands.functions]
every_page = pytest.mark.parametrize("command", PAGES)


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs each test in English, without settings of the language or of the program's name."""
    for name in ("LC_ALL", "LC_MESSAGES", "SOBREMESA_LANGUAGE", "SOBREMESA_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


def page(*words: str) -> str:
    """A help page, with its line breaks as blanks."""
    shown = CliRunner().invoke(cli.app, list(words), terminal_width=2000)
    assert shown.exit_code == 0
    return " ".join(shown.output.split())


@pytest.mark.parametrize("language", TRANSLATED)
def test_all_that_help_says_is_translated_and_nothing_else(language: str) -> None:
    with help_file(language).open("rb") as file:
        found = {one.id: one.string for one in read_po(file, locale=language) if one.id}
    assert {sentence for sentence, translated in found.items() if not translated} == set()
    assert set(found) == {sentence.id for sentence in help_sentences() if sentence.id}
    assert len(found) > 80


@every_page
def test_a_page_in_spanish_has_no_sentence_in_english(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    english = page(*command.split(), "-h")
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    spanish = page(*command.split(), "-h")
    said = [
        sentence.id for sentence in help_sentences() if isinstance(sentence.id, str) and " " in sentence.id
    ]
    assert [one for one in said if one in english]
    assert [one for one in said if one in spanish] == []
    assert "Usage" not in spanish
    assert "[default" not in spanish


@pytest.mark.parametrize(("name", "value"), [("LANG", "es_MX.UTF-8"), ("SOBREMESA_LANGUAGE", "es")])
def test_help_is_in_the_language_of_the_system_or_of_the_setting(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page("play", "-h").startswith("Usage: sobremesa play [OPTIONS] [GAME] Play a game")
    monkeypatch.setenv(name, value)
    assert page("play", "-h").startswith("Uso: sobremesa play [OPCIONES] [JUEGO] Juega una partida")
    assert page("play", "--lang", "en", "-h").startswith("Usage: ")


def test_help_is_in_the_systems_language_if_a_setting_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBREMESA_PACE", "soon")
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert page("play", "-h").startswith("Uso: ")


def test_help_names_the_games() -> None:
    assert "One of: boathouse, cardlebones, casino, svoi, trio_escalera." in page("rules", "-h")


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("How fast.  [default: natural]", "How fast.  [por defecto: natural]"),
        ("[default: 1; required]", "[default: 1; required]"),
        ("A file.  [default: 1; required]", "A file.  [por defecto: 1; obligatorio]"),
    ],
)
def test_what_is_added_to_the_help_of_a_parameter_is_translated(english: str, spanish: str) -> None:
    assert HelpWords("es").explanation(english) == spanish


@every_page
@pytest.mark.parametrize("before", [["--lang", "es"], ["-l", "es"], ["-les"], ["--lang=es"]], ids=" ".join)
def test_the_language_may_stand_before_the_command(before: list[str], command: str) -> None:
    assert page(*before, *command.split(), "-h").startswith("Uso: ")


@pytest.mark.parametrize(("after", "title"), [([], "¿"), (["--lang", "en"], "Which game?")])
def test_the_language_before_a_command_is_that_of_what_it_prints(after: list[str], title: str) -> None:
    shown = CliRunner().invoke(cli.app, ["--lang", "es", "play", "--plain", *after], input="quit\n")
    assert shown.stdout.startswith(title)


@pytest.mark.parametrize(
    ("language", "command", "named"),
    [
        ("en", "python3 run.py", "“python3 run.py rules GAME”"),
        ("es", "python3 run.py", "«python3 run.py rules JUEGO»"),
        ("en", r"py C:\Users\ana\run.py", r"“py C:\Users\ana\run.py rules GAME”"),
    ],
)
def test_a_command_is_named_as_the_program_was_called(
    language: str, command: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_COMMAND", command)
    assert named in page("--lang", language, "play", "-h")


def test_a_required_argument_stands_in_the_usage_without_braces() -> None:
    assert page("rules", "-h").startswith("Usage: sobremesa rules [OPTIONS] GAME Print the rules")


@pytest.mark.parametrize("command", ["replay", "analyse", "verify"])
def test_a_finished_game_has_another_word_than_a_kind_of_game(command: str) -> None:
    usage = page("--lang", "es", command, "-h").split()[:5]
    assert usage[-1].strip("[]") == "PARTIDA"
    assert "[OPCIONES] [JUEGO] " in page("--lang", "es", "history", "-h")
