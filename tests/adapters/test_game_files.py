"""The commands about files of finished games, as they are typed."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapters.command_line import cli
from adapters.command_line.games.game_files import load, verify
from bot.i18n import Speech
from bot.replays.game_file import read, written
from bot.table_service.analysis_jobs import Analyses
from tests.adapters.test_registry import SETTING_NAMES
from tests.bot.replays.make_vectors import VECTORS
from tests.bot.replays.test_game_file import HOSTILE
from tests.support.judging import Judge


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Runs each test in an empty folder, in English, and without settings."""
    for name in (*SETTING_NAMES, "LC_ALL", "LC_MESSAGES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def run(*words: str, code: int = 0, typed: str = "") -> str:
    """Runs the program; its output on both streams. Asserts the exit code."""
    result = CliRunner().invoke(cli.app, list(words), input=typed)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def test_an_honest_game_is_proved_in_plain_words() -> None:
    assert run("verify", str(VECTORS / "casino-cuts.json")).splitlines() == [
        "Casino, Ana, Beto, Carla",
        f"ok       The seed belongs to the fingerprint {_commitment('casino-cuts')}.",
        "ok       3 cuts are part of the deal.",
        'ok       Ana cut the deck: ñandú "quoted" \\ ♠ 🎲',
        "ok       Beto cut the deck: two words",
        "ok       Beto cut the deck: last",
        "ok       The seed gives the cards that were dealt.",
        "ok       40 moves, and all are legal.",
        "ok       The moves lead to the result.",
        "Everything in the file holds.",
        "Now compare the fingerprint with the one you saw before the deal, and your own cuts.",
    ]


def test_on_a_terminal_no_word_of_a_check_is_divided(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert verify(load(str(VECTORS / "casino-cuts.json"), Speech("en")), Speech("en"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == [
        "Now compare the fingerprint with the one",
        "you saw before the deal, and your own",
        "cuts.",
    ]
    assert max(map(len, lines)) <= 40


def test_the_answer_is_in_the_language_of_the_reader() -> None:
    printed = run("verify", str(VECTORS / "casino-words.json"), "--lang", "es")
    assert "Las cartas salen de las palabras «breakfast, mañana»." in printed
    assert printed.endswith("Todo lo que dice el archivo es cierto.\n")


def test_a_forged_game_file_is_told_and_ends_with_code_1(tmp_path: Path) -> None:
    whole = json.loads((VECTORS / "casino-cuts.json").read_bytes())
    whole["steps"][5]["move"] = "throw 10D"
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(whole), "utf-8")
    printed = run("verify", str(forged), code=1)
    assert "wrong    Step 6 is no legal move: Ana throw 10D." in printed
    assert printed.endswith("This file does not prove that the deal was honest.\n")


@pytest.mark.parametrize("name", list(HOSTILE))
def test_a_file_that_is_no_game_file_ends_with_code_2(name: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.json"
    path.write_bytes(HOSTILE[name])
    printed = run("verify", str(path), code=2)
    assert printed.startswith(f"{path} isn't the file of a finished game: ")
    assert printed.count("\n") == 1


def test_a_file_that_cannot_be_opened_ends_with_code_2(tmp_path: Path) -> None:
    assert "there is no such file" in run("verify", "missing.json", code=2)
    assert "ese archivo no existe" in run("verify", "missing.json", "--lang", "es", code=2)
    assert "it is a folder" in run("verify", str(tmp_path), code=2)
    assert "too long" in run("verify", "x" * 5000, code=2)
    assert run("verify", "1", code=2) == "There is no game 1 in your history.\n"


def test_a_file_prints_no_control_characters(tmp_path: Path) -> None:
    whole = json.loads((VECTORS / "casino-words.json").read_bytes())
    whole["words"] = "\x1b[2J \u202e \x07"
    whole["seats"][0]["name"] = "\x1b[31mAna\n\n"
    whole["game"] = "\x1b]0;\x07"
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(whole), "utf-8")
    printed = run("verify", str(path), code=1)
    assert {char for char in printed if not char.isprintable()} == {"\n"}


ENDLESS = "1\n" * 300


def test_games_of_the_terminal_are_listed_checked_and_shown_again() -> None:
    assert run("history") == "No game has been finished yet.\n"
    for game in ("casino", "cardlebones"):
        run("play", game, "--plain", "--file", "g.db", "--name", "Ana", "--cut", "my words", typed=ENDLESS)
    first, second = run("history", "--file", "g.db").splitlines()
    assert first.startswith("1. Cardlebones, ")
    assert second.startswith("2. Casino, ")
    assert "Ana" in first
    assert run("history", "casino", "--file", "g.db").splitlines() == [f"1{second[1:]}"]
    game = second.split("(")[-1].rstrip(")")
    assert "ok       Ana cut the deck: my words\n" in run("verify", "2", "--file", "g.db")
    content = run("replay", game, "--file", "g.db", "--json")
    Path("2").write_text(content, "utf-8")
    # Where there is a file called 2, the word 2 is its name, and not the number of a game.
    assert run("verify", "2").startswith("Casino, Ana, ")
    assert written(read(content.encode())) == content.encode()
    shown = run("replay", "1", "--file", "g.db", "--lang", "es", typed="last\n")
    assert re.search(r"Paso (\d+) de \1\.", shown)
    assert "Points: Ana " in run("replay", "1", "--file", "g.db", "--text")
    for unknown in ("9", "0", "0123456789"):
        assert (
            run("replay", unknown, "--file", "g.db", code=2)
            == f"There is no game {unknown} in your history.\n"
        )


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Replaces the search that analyses games, which takes seconds; players still think for themselves."""
    found = Judge()
    monkeypatch.setattr(
        "adapters.command_line.commands.analysis.Analyses",
        lambda store, service, thinker: Analyses(store, service, found),
    )
    monkeypatch.setattr(
        "adapters.terminal.session.Analyses", lambda store, service, thinker: Analyses(store, service, found)
    )
    return found


@pytest.mark.parametrize("looked", [False, True])
def test_a_look_back_at_a_game_is_kept_with_it(judge: Judge, looked: bool) -> None:
    typed = ENDLESS + "look back\n" if looked else ENDLESS
    run("play", "cardlebones", "--plain", "--file", "g.db", "--name", "Ana", typed=typed)
    before = judge.asked
    assert (before > 0) is looked
    first = run("analyse", "1", "--file", "g.db")
    asked = judge.asked
    assert (asked > before) is not looked
    assert "Your chance: " in first
    assert run("analyse", "1", "--file", "g.db") == first
    assert run("analyse", "--file", "g.db") == first
    assert "Tu probabilidad: " in run("analyse", "1", "--file", "g.db", "--lang", "es")
    assert judge.asked == asked


def test_a_running_game_of_the_terminal_is_neither_checked_nor_shown(tmp_path: Path) -> None:
    run("play", "casino", "--plain", "--file", "g.db", typed="1\n1\nquit\n")
    assert run("history", "--file", "g.db") == "No game has been finished yet.\n"
    with closing(sqlite3.connect(tmp_path / "g.db")) as database:
        ((game,),) = database.execute("select id from game").fetchall()
    for command in ("replay", "verify"):
        assert run(command, game, "--file", "g.db", code=2).startswith("There is no game ")
    assert run("analyse", game, "--file", "g.db", code=1) == "The game isn't over yet.\n"
    assert run("analyse", "1", "--file", "g.db", code=2) == "There is no game 1 in your history.\n"


@pytest.mark.usefixtures("judge")
def test_the_file_of_the_settings_is_the_one_whose_games_are_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("play", "cardlebones", "--plain", "--file", "g.db", "--name", "Ana", typed=ENDLESS)
    monkeypatch.setenv("SOBREMESA_FILE", str(tmp_path / "g.db"))
    assert "Your chance: " in run("analyse", "1")


def test_a_file_that_is_no_store_is_named_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "g.db").write_bytes(b"no database" * 100)
    for words in (("history",), ("replay", "1"), ("verify", "1"), ("analyse", "1")):
        printed = run(*words, "--file", "g.db", code=1)
        assert printed.endswith("Your games in g.db can't be read: it isn't a file of games\n")


def test_a_game_of_older_rules_is_shown_as_its_moves(tmp_path: Path) -> None:
    whole = json.loads((VECTORS / "casino-alone.json").read_bytes())
    whole["line"] = whole["line"].replace('"revision":1', '"revision":0')
    path = tmp_path / "old.json"
    path.write_text(json.dumps({**whole, "revision": 0, "position": None}), "utf-8")
    assert f"3. Ana: {whole['steps'][2]['move']}" in run("replay", str(path))
    assert "unknown  An update has changed the rules" in run("verify", str(path), code=1)


def test_a_forged_game_is_not_shown(tmp_path: Path) -> None:
    whole = json.loads((VECTORS / "casino-alone.json").read_bytes())
    whole["steps"][4]["move"] = "throw 1X"
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(whole), "utf-8")
    assert run("replay", str(path), code=1).startswith("Step 5 is no ")
    assert "4. " in run("replay", str(path), "--text")


def _commitment(name: str) -> str:
    return str(json.loads((VECTORS / f"{name}.json").read_bytes())["commitment"])
