"""The command line: its commands and output; no user's mistake ends in a traceback."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from adapters.command_line import cli
from adapters.command_line.games import simulate
from adapters.command_line.games.game_files import UNREADABLE
from adapters.version import VERSION
from bot.i18n import Speech
from bot.matches import running
from bot.matches.playing import DuplicateMatch, GameRecord, Seating, computers, play
from bot.matches.scores import standing
from bot.model.people import Person
from bot.ratings import Rating
from bot.settings.choices import LANGUAGES, Language
from bot.store import open_store
from bot.table_service.stored import batch
from bot.tables.endings import ending_of
from bot.tables.log.commitment import seed_of
from engines import games
from engines.values import replace
from tests.adapters.test_registry import SETTING_NAMES
from tests.bot.store.tables import played
from tests.engines.reference import SHORT_DECK, shuffled
from tests.support.games import every_game
from tests.support.writers import join_writers
from tests.words import ROOT

ENDLESS = "1\n" * 300
PROGRAM = (sys.executable, "-m", "adapters")
COMMANDS = list(cli.Commands.functions)
every_language = pytest.mark.parametrize("lang", list(LANGUAGES))

SPEECH = {
    "en": ("Dealt from your own seed", "Your move", "Another game", "See you next time."),
    "es": ("Reparto a partir de tu semilla", "Tu jugada", "¿", "Hasta la próxima."),
}


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Runs each test in an empty folder, in English, and without settings."""
    for name in (*SETTING_NAMES, "LC_ALL", "LC_MESSAGES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def run(*words: str, typed: str | bytes = "", code: int = 0) -> str:
    """Runs the program, and asserts its exit code; returns its output on both streams."""
    result = CliRunner().invoke(cli.app, list(words), input=typed)
    # A program may end while a thread still opens the file of games; here that thread would go on.
    join_writers()
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def refused(*words: str) -> str:
    """The program's refusal as one line; asserts exit code 2 and no traceback."""
    printed = " ".join(run(*words, code=2).replace("│", " ").split())
    assert "Traceback" not in printed
    return printed


@every_language
def test_a_game_is_played_from_a_pipe_to_its_end(lang: str) -> None:
    printed = run("play", "casino", "--plain", "--seed", "S", "--lang", lang, typed=ENDLESS)
    assert all(words in printed for words in SPEECH[lang])
    assert "SHA-256" in printed
    assert {char for char in printed if not char.isprintable()} == {"\n"}


def test_without_a_terminal_the_game_is_played_line_by_line() -> None:
    assert run("play", "casino").endswith("> See you next time.\n")


def test_without_a_seed_the_deal_has_a_committed_one() -> None:
    seals = {re.findall(r"Fingerprint: ([0-9a-f]{64})\n", run("play", "casino"))[0] for _ in range(3)}
    assert len(seals) == 3


def test_a_cut_is_told_without_control_characters() -> None:
    printed = run("play", "casino", "--name", "\x1bAna\n@you", "--cut", "\x1b[2J my \u202e words \x9b")
    assert "Ana @you cut the deck: [2J my words\n" in printed
    assert {char for char in printed if not char.isprintable()} == {"\n"}


def test_which_game_is_asked_where_none_is_named() -> None:
    assert "\nCasino\n" in run("play", "--seed", "S", typed="casino\nquit\n")
    assert run("play").startswith("Which game?\n")


@pytest.mark.parametrize("name", ["casino", "CASINO", "cas"])
def test_a_game_goes_by_the_beginning_of_its_name(name: str) -> None:
    assert run("play", name).startswith("Casino\n")


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--name", "Ana"), ["Ana", "Lola"]),
        (("--humans", "2", "--name", "Ana"), ["Ana", "Player 2"]),
        (("--humans", "2", "--name", "Ana", "--name", "Beto"), ["Ana", "Beto"]),
        (("--humans", "2", "--name", "\u200b", "--name", "B*b"), ["Player 1", "B*b"]),
        (("--name", "lola"), ["lola", "Beto"]),
    ],
)
def test_people_have_the_names_they_are_given(words: Sequence[str], names: list[str]) -> None:
    printed = run("play", "casino", *words, typed="\n")
    assert [name for name in names if f" {name} " not in printed] == []


def test_two_people_cannot_have_one_name() -> None:
    words = ("play", "casino", "--humans", "2", "--name", "Ana", "--name", "aná")
    assert "Two players can't both be called aná" in refused(*words)


def test_the_setting_names_who_plays_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBREMESA_NAME", "Inés")
    assert " Inés " in run("play", "casino")
    assert " Ana " in run("play", "casino", "--name", "Ana")


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("ana", "Ana"),
        ("root", "Player 1"),
        (OSError, "Player 1"),
        (KeyError, "Player 1"),
        (ImportError, "Player 1"),
    ],
)
def test_without_the_setting_the_login_names_who_plays_alone(
    login: str | type[Exception], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def getuser() -> str:
        if isinstance(login, str):
            return login
        raise login

    monkeypatch.setattr("getpass.getuser", getuser)
    assert f" {name} " in run("play", "casino")


@pytest.mark.parametrize(
    ("environment", "words", "lang"),
    [
        ({"LANG": "es_MX.UTF-8"}, (), "es"),
        ({"LANG": "es_MX.UTF-8", "LC_ALL": "en_GB.UTF-8"}, (), "en"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "", "LC_MESSAGES": "es_ES"}, (), "es"),
        ({"LANG": "fr_FR.UTF-8"}, (), "en"),
        ({"SOBREMESA_LANGUAGE": "es"}, (), "es"),
        ({"SOBREMESA_LANGUAGE": "es"}, ("--lang", "en"), "en"),
        ({"LANG": "es_MX.UTF-8"}, ("-l", "en"), "en"),
    ],
)
def test_the_language_is_the_one_asked_for_then_the_setting_then_the_systems(
    environment: dict[str, str], words: Sequence[str], lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert run("play", "casino", *words).endswith(f"{SPEECH[lang][-1]}\n")


def test_the_setting_for_letters_holds_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(run("rules", "casino")) & set("♠♥♦♣")
    monkeypatch.setenv("SOBREMESA_LETTERS", "true")
    assert not set(run("rules", "casino")) & set("♠♥♦♣")
    assert not set(run("play", "casino", typed="rules\n" + ENDLESS)) & set("♠♥♦♣")


def test_a_game_in_a_file_that_is_named_goes_on_another_day() -> None:
    words = ("play", "--file", "games.db")
    first = run(*words, "casino", "--seed", "S", "--name", "Ana", typed="1\n1\nquit\n")
    command = "sobremesa play --resume --file games.db"
    assert first.endswith(f"See you next time.\nYour game is saved. To go on: {command}\n")
    again = run(*words, "--resume", "--name", "Eva", typed=ENDLESS)
    assert again.startswith("Casino\nDealt from your own seed: S\nYou're back in your game.\n")
    assert " Ana " in again
    assert "SHA-256" in again
    assert run(*words, "--resume", code=1) == "There is no unfinished game to resume.\n"


def test_the_last_unfinished_game_of_a_kind_goes_on() -> None:
    words = ("play", "--file", "games.db")
    for key in ("casino", "cardlebones"):
        run(*words, key, typed="1\nquit\n")
    assert run(*words, "--resume").startswith("Cardlebones\n")
    assert run(*words, "cas", "--resume").startswith("Casino\n")
    assert run(*words, "svoi", "--resume", code=1) == (
        "There is no unfinished game of Svoi Kozyri to resume.\n"
    )


def test_who_comes_back_is_offered_what_was_left() -> None:
    words = ("play", "--file", "games.db")
    run(*words, "casino", "--name", "Ana", typed="1\nquit\n")
    printed = run(*words, typed="\nquit\n")
    begin = r"Continue: Casino, you \(\d+\), Lola \(\d+\)\nPress Enter to go on with it\.\nWhich game\?\n"
    assert re.match(begin, printed)
    assert "You're back in your game.\n" in printed


@pytest.mark.parametrize(("setting", "named"), [("python3 run.py", "python3 run.py"), ("", "sobremesa")])
def test_who_leaves_is_told_the_command_to_come_back_with(
    setting: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_COMMAND", setting)
    monkeypatch.setenv("SOBREMESA_FILE", "games.db")
    printed = run("play", "casino", "--lang", "es", typed="1\nquit\n")
    assert printed.endswith(
        f"Hasta la próxima.\nLa partida queda guardada. Para seguirla: {named} play --resume\n"
    )


@pytest.mark.parametrize(
    ("begun", "resumed", "expected"),
    [
        ("es", (), "Sigues donde lo dejaste."),
        ("en", (), "You're back in your game."),
        ("es", ("--lang", "en"), "You're back in your game."),
        ("en", ("--lang", "es"), "Sigues donde lo dejaste."),
    ],
)
def test_a_game_goes_on_in_its_language_or_in_the_one_asked_for(
    begun: str, resumed: tuple[str, ...], expected: str
) -> None:
    words = ("play", "--file", "games.db")
    run(*words, "cardlebones", "--lang", begun, typed="1\nquit\n")
    assert expected in run(*words, "--resume", *resumed)


def test_the_language_of_the_game_left_last_comes_before_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("play", "--file", "games.db")
    run(*words, "cardlebones", "--lang", "es", typed="1\nquit\n")
    monkeypatch.setenv("SOBREMESA_LANGUAGE", "en")
    assert "Sigues donde lo dejaste." in run(*words, "--resume")


def test_each_game_goes_on_in_its_own_language() -> None:
    words = ("play", "--file", "games.db")
    run(*words, "cardlebones", "--lang", "es", typed="1\nquit\n")
    run(*words, "casino", "--lang", "en", typed="1\nquit\n")
    assert "Sigues donde lo dejaste." in run(*words, "cardlebones", "--resume")
    assert "You're back in your game." in run(*words, "casino", "--resume")


def test_a_game_without_a_move_leaves_the_language_of_the_one_before() -> None:
    words, cardlebones = ("play", "--file", "games.db"), games()["cardlebones"]
    # With some seeds the computer would move first.
    begins = next(seed for seed in "ABCDEFGH" if cardlebones.new(2, seed_of(seed), {}).turn == 0)
    run(*words, "cardlebones", "--lang", "es", typed="1\nquit\n")
    run(*words, "cardlebones", "--lang", "en", "--seed", begins, typed="quit\n")
    assert "Sigues donde lo dejaste." in run(*words, "--resume")


def test_the_setting_names_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOBREMESA_FILE", "mine/games.db")
    run("play", "casino", typed="1\n1\n")
    assert (tmp_path / "mine" / "games.db").exists()
    assert "Sigues donde lo dejaste." in run("play", "--resume", "--lang", "es")


def test_without_a_terminal_and_a_named_file_nothing_is_kept(tmp_path: Path) -> None:
    run("play", "casino", typed="1\n1\n")
    assert list(tmp_path.iterdir()) == []


def test_where_there_is_no_file_there_is_no_unfinished_game_and_none_is_made(tmp_path: Path) -> None:
    assert run("play", "--resume", code=1) == "There is no unfinished game to resume.\n"
    assert run("play", "--resume", "--lang", "es", code=1) == "No hay ninguna partida sin terminar.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_damaged_is_told_and_the_game_is_played(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"rubbish" * 999)
    printed = run("play", "casino", "--file", "games.db", typed=ENDLESS)
    assert " ".join(printed.split()).count("You can still play this one.") == 1
    assert "SHA-256" in printed
    refusal = run("play", "--resume", "--file", "games.db", code=1)
    assert refusal == "Your games in games.db can't be read: it isn't a file of games\n"
    assert (tmp_path / "games.db").read_bytes() == b"rubbish" * 999


@pytest.mark.parametrize("words", [("history",), ("leaderboard",), ("profile",), ("verify", "1")])
def test_records_that_cannot_be_read_name_their_file(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"rubbish" * 999)
    printed = run(*words, "--file", "games.db", code=1)
    assert printed.endswith("Your games in games.db can't be read: it isn't a file of games\n")
    printed = run(*words, "--file", "games.db", "--lang", "es", code=1)
    assert "No se pueden leer tus partidas de games.db: " in printed


def simulated(*words: str) -> dict[str, Any]:
    """The score of a match in which nothing is read from earlier runs, without its times."""
    score: dict[str, Any] = json.loads(run("simulate", *words, "--json", "--fresh", "--jobs", "1"))
    return {name: value for name, value in score.items() if name != "ms"}


@every_game
def test_simulating_is_reproducible(key: str) -> None:
    words = (key, "-n", "2", "--level", "easy", "--seed")
    first = simulated(*words, "S")
    assert simulated(*words, "S") == first
    assert any(simulated(*words, f"T{n}") != first for n in range(9))


def test_a_match_in_json_has_these_fields() -> None:
    printed = run("simulate", "casino", "--seats", "easy, normal", "-n", "3", "--json")
    score = json.loads(printed)
    assert list(score) == ["game", "seats", "games", "wins", "draws", "points", "interval", "ms"]
    assert (score["game"], score["seats"], score["games"]) == ("casino", ["easy", "normal"], 4)
    assert sum(score["wins"]) == 4
    low, high = score["interval"]
    assert 0 <= low <= score["wins"][0] / 4 <= high <= 1
    assert list(score["ms"]) == ["median", "worst"]
    assert all(0 <= one <= two for one, two in zip(*score["ms"].values(), strict=True))
    assert [len(score[name]) for name in ("wins", "points")] == [2, 2]
    assert printed.count("\n") == 1


def test_a_level_against_itself_wins_exactly_half() -> None:
    score = simulated("cardlebones", "--seats", "normal,normal", "-n", "4")
    assert score["wins"] == [2, 2]


@every_language
def test_a_simulation_prints_a_row_for_each_seat(lang: str) -> None:
    words = ("simulate", "casino", "--seats", "easy,normal,easy", "-n", "3", "--lang", lang, "--seed", "S")
    printed = run(*words)
    rows = [line.split() for line in printed.splitlines()[1:4]]
    labels = {"en": ("easy", "normal"), "es": ("fácil", "normal")}[lang]
    assert [row[:3] for row in rows] == [[f"{n + 1}", "·", labels[n == 1]] for n in range(3)]
    assert sum(float(row[3]) for row in rows) == pytest.approx(3, abs=0.2)
    assert printed.endswith(": S\n")
    assert max(map(len, printed.splitlines()[:4])) <= 80
    assert {char for char in printed if not char.isprintable()} == {"\n"}


@pytest.mark.parametrize("locale", list(LANGUAGES))
def test_a_narrow_terminal_breaks_a_score_between_words(
    locale: Language, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = DuplicateMatch("cardlebones", ("easy", "normal"), {}, "S", swaps=True)
    score = standing([play(match, computers, n) for n in range(2)], 2)
    assert score
    monkeypatch.setattr(simulate, "Console", partial(Console, force_terminal=True, width=40))
    simulate.print_score(match, score, Speech(locale))
    notes = capsys.readouterr().out.splitlines()[3:]
    assert max(map(len, notes)) <= 40 < len(" ".join(notes[:4]))


def test_log_records_are_not_written_into_a_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    run("play", "casino", typed="")
    logging.getLogger("bot.thinking.pool").warning("a worker is late")
    assert "late" not in capsys.readouterr().err


@pytest.mark.usefixtures("throw_in")
def test_a_simulation_counts_shared_wins_of_a_game_that_one_player_loses() -> None:
    score = simulated("throw_in", "-n", "5", "--players", "3", "--seed", "S")
    assert (score["games"], score["draws"]) == (5, 5)
    assert sum(score["wins"]) == pytest.approx(5, abs=0.001)


def test_a_simulation_goes_on_after_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("simulate", "cardlebones", "--seats", "easy,normal", "-n", "6", "--json", "--jobs", "1")
    whole = simulated(*words[1:-3])
    run("simulate", "cardlebones", "--seats", "easy,normal", "-n", "2", "--fresh")
    numbers: list[int] = []

    def interrupted(match: DuplicateMatch, seating: Seating, number: int) -> GameRecord:
        numbers.append(number)
        if number == 4:
            raise KeyboardInterrupt
        return play(match, seating, number)

    monkeypatch.setattr(running, "play", interrupted)
    stopped = run(*words, code=130)
    assert "Stopped after 4 games of 6." in stopped
    assert numbers == [2, 3, 4]
    monkeypatch.setattr(running, "play", play)
    score = json.loads(run(*words))
    assert {name: value for name, value in score.items() if name != "ms"} == whole


def test_a_simulation_reads_earlier_games_unless_it_starts_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("simulate", "cardlebones", "-n", "3", "--jobs", "1")
    first = run(*words)
    monkeypatch.setattr(running, "play", None)
    assert run(*words) == first
    with pytest.raises(TypeError):
        run(*words, "--fresh")


def referee(*words: str, typed: str | bytes = "") -> list[dict[str, object]]:
    return [json.loads(line) for line in run("referee", *words, typed=typed).splitlines()]


def test_the_referee_deals_from_the_seed_and_answers_lines() -> None:
    deck = shuffled(seed_of("S"), "deck", SHORT_DECK)
    deal = referee("casino", "--seed", "S")
    assert [message["type"] for message in deal] == ["state", "hand", "hand"]
    assert deal[1]["hand"] == deck[:10]
    turn = str(deal[0]["turn"])
    card = deck[:20][10 * (turn == "p2")]
    throw = json.dumps({"type": "throw", "playerId": turn, "handCard": card})
    state, *hands, refusal = referee("casino", "--seed", "S", typed=f"{throw}\n{throw}\n")[3:]
    assert (state["loose"], len(hands)) == ([card], 2)
    assert refusal["code"] == "not-your-turn"


def test_the_referee_without_a_seed_deals_differently() -> None:
    assert referee("casino") != referee("casino")


def test_the_referee_keeps_house_rules_and_seats() -> None:
    deal = referee("casino", "--players", "3", "--option", "exchange=off")
    assert (deal[0]["phase"], len(deal)) == ("play", 4)


@pytest.mark.parametrize("line", [b"\xff\xfe\n", b"{}\n", b"\x00\n", b"[" * 99_999 + b"\n", b"no line break"])
def test_the_referee_refuses_rubbish(line: bytes) -> None:
    (refusal,) = referee("casino", typed=line)[3:]
    assert (refusal["type"], refusal["playerId"]) == ("refused", None)


@every_language
@pytest.mark.parametrize("key", list(games()))
def test_rules_are_printed(key: str, lang: str) -> None:
    printed = run("rules", key, "--lang", lang)
    assert printed.startswith("# ")
    assert printed.count("\n## ") >= 3
    assert (
        printed
        == (ROOT / "engines" / key / f"RULES{'' if lang == 'en' else '.es'}.md").read_text("utf-8") + "\n"
    )


@pytest.mark.real
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_rules_are_set_and_not_raw() -> None:
    import pty

    ours, theirs = pty.openpty()
    printing = subprocess.Popen(
        [*PROGRAM, "rules", "casino", "--lang", "en"],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(theirs)
    printed = b""
    with suppress(OSError):
        while more := os.read(ours, 4096):
            printed += more
    assert printing.wait(60) == 0
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;]*m", "", printed.decode())
    assert "Typing your moves" in text
    assert not re.search(r"^#|\*\*|^\| *---", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["tarot", "ca", "🂡"])
def test_a_game_unknown_is_refused_and_the_games_are_named(name: str) -> None:
    for command in ("play", "simulate", "referee", "rules"):
        refusal = refused(command, name)
        assert f"There is no game “{name}”. Choose: " in refusal
        assert all(key in refusal for key in games())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("casino", "--players", "4"), "Casino is for two or three players, not 4"),
        (("casino", "--players", "0"), "Casino is for two or three players, not 0"),
        (("casino", "--players", "-1"), "not -1"),
        (("cardlebones", "-p", "3"), "Cardlebones is for two players, not 3"),
        (("casino", "--players", "two"), "“--players” must be a whole number, not “two”."),
        (("casino", "--option", "steal_with"), "steal_with=hand|table|off"),
        (
            ("casino", "--option", "steal_with=magnet"),
            "no house rule “steal_with=magnet”. Choose: ",
        ),
        (
            ("casino", "-o", "steal-with=hand"),
            "There is no house rule “steal-with=hand”. Did you mean “steal_with=hand”?",
        ),
        (
            ("casino", "-o", "exchange=of"),
            "There is no house rule “exchange=of”. Did you mean “exchange=off”?",
        ),
        (("casino", "-o", "magnet=on"), "no house rule “magnet=on”. Choose: steal_with="),
        (("casino", "-o", "="), "no house rule “=”."),
        (("casino", "-o", ""), "no house rule “”. Choose: steal_with="),
        (("casino", "--lang", "tlh"), "“--lang” can't be “tlh”. Choose: en, es."),
        (("casino", "--seed"), "The option “--seed” needs a value."),
        (("casino", "--seed=S", "--sed", "1"), "There is no option “--sed”. Did you mean “--seed”?"),
        (("casino", "--seed", "\udcff"), "These words aren't valid text"),
        (("casino", "--séed=S"), "There is no option “--séed”. Did you mean “--seed”?"),
        (("casino", "-o", "magnet"), "no house rule “magnet”. Choose: steal_with="),
        (("casino", "--magic"), "There is no option “--magic”."),
        (("casino", "tarot"), "These words are too many: tarot"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(words: Sequence[str], expected: str) -> None:
    for command in ("play", "simulate", "referee"):
        assert expected in refused(command, *words)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("play", "casino", "--humans", "4"), "Casino is for two or three players, not 4"),
        (("play", "casino", "--players", "2", "--humans", "3"), "3 people need 3 seats, but there are 2"),
        (("play", "casino", "--humans", "0"), "“--humans” must be at least 1."),
        (
            ("play", "casino", "--level", "perfect"),
            "“--level” can't be “perfect”. Choose: easy, normal, hard.",
        ),
        (("play", "casino", "--level", "hrd"), "“--level” can't be “hrd”. Did you mean “hard”?"),
        (("play", "casino", "--cut", "\udcff"), "These words aren't valid text"),
        (("play", "--option", "steal_with=off"), "--option needs a game"),
        (("play", "--guide"), "--guide needs a game"),
        (("play", "casino", "--guide", "--seed", "S"), "--guide has a deal of its own"),
        (("play", "casino", "--guide", "--seed", ""), "--guide has a deal of its own"),
        (("play", "casino", "--guide", "--cut", ""), "--guide has a deal of its own"),
        (("play", "casino", "--guide", "--humans", "2"), "--guide has a deal of its own"),
        (("play", "casino", "--guide", "--resume"), "--resume goes on with a game as"),
        (("play", "--resume", "--seed", "S"), "--resume goes on with a game as"),
        (("play", "--resume", "--humans", "2"), "--resume goes on with a game as"),
        (("play", "--humans", "9"), "No game is for 9 players"),
        (("play", "--players", "9"), "No game is for 9 players"),
        (("play", "--players", "0"), "No game is for 0 players"),
        (("simulate", "casino", "-n", "0"), "“--games” must be at least 1."),
        (("simulate", "casino", "-n", "x"), "“--games” must be a whole number, not “x”."),
        (("simulate", "casino", "--seats", "hard"), "Casino is for two or three players, not 1"),
        (("simulate", "casino", "--seats", "hard normal easy hard"), "two or three players, not 4"),
        (("simulate", "casino", "--seats", "hard,"), "There is no level “–”. Choose: easy, normal, hard."),
        (("simulate", "casino", "--seats", "hrd,easy"), "There is no level “hrd”. Did you mean “hard”?"),
        (("simulate", "casino", "--seats", "hard,easy", "-p", "2"), "leave out --players and --level"),
        (
            ("simulate", "casino", "--seats", "hard,easy", "--level", "easy"),
            "leave out --players and --level",
        ),
        (("simulate", "casino", "--jobs", "0"), "“--jobs” must be at least 1."),
        (("simulate",), "Something is missing: GAME. Choose: boathouse, cardlebones, "),
        (("rules",), "Something is missing: GAME. Choose: boathouse, cardlebones, "),
        (("deal",), "There is no command “deal”."),
        (("ply",), "There is no command “ply”. Did you mean “play”?"),
        (("Casino",), "There is no command “Casino”. Did you mean “sobremesa play Casino”?"),
        (("play", "casno"), "There is no game “casno”. Did you mean “casino”?"),
        (("rules", "Trio y escallera"), "Did you mean “trio_escalera”?"),
    ],
)
def test_what_makes_no_sense_to_one_command_is_refused_with_a_reason(
    words: Sequence[str], expected: str
) -> None:
    assert expected in refused(*words)


@pytest.mark.parametrize(
    "words", [("--lang", "fr"), ("--level", "perfect"), ("--humans", "0"), ("-p", "two")]
)
def test_a_reason_is_given_without_the_words_of_a_library(words: Sequence[str]) -> None:
    printed = refused("play", "casino", *words)
    assert [said for said in ("Value error", "Invalid value") if said in printed] == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("play", "casno"), "No hay ningún juego «casno». ¿Querías decir «casino»?"),
        (("play", "casino", "-p", "9"), "Casino es para dos o tres jugadores, no para 9."),
        (("play", "casino", "--level", "hrd"), "«--level» no puede ser «hrd». ¿Querías decir «hard»?"),
        (("play", "casino", "--level", "o'clock"), "«--level» no puede ser «o'clock». Elige: easy,"),
        (
            ("leaderboard", "--period", "c:\\new"),
            "«--period» no puede ser «c:\\new». Elige: all, month, week.",
        ),
        (("play", "--humans", "9"), "Ningún juego es para 9 jugadores."),
        (("play", "--magic"), "No hay ninguna opción «--magic»."),
        (("rules",), "Uso: sobremesa rules [OPCIONES] JUEGO Con «sobremesa rules -h» se ve la ayuda."),
        (("rules",), "Falta algo: JUEGO."),
        (("deal",), "No hay ninguna orden «deal»."),
    ],
)
def test_errors_are_told_in_the_language_of_the_user(
    words: Sequence[str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_LANGUAGE", "es")
    assert expected in refused(*words)
    monkeypatch.delenv("SOBREMESA_LANGUAGE")
    assert expected not in refused(*words)
    monkeypatch.setenv("LANG", "es_MX.UTF-8")
    assert expected in refused(*words)


@pytest.mark.parametrize(
    "given", [("--lang", "es"), ("-l", "es"), ("-les",), ("--lang=es",), ("-len", "-l", "es")]
)
def test_an_error_is_told_in_the_language_that_is_asked_for(given: Sequence[str]) -> None:
    assert "No hay ningún juego «casno»." in refused("play", "casno", *given)
    assert "No hay ninguna opción «--magic»." in refused("play", *given, "--magic")


@every_language
@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_wraps_between_words_and_names_one_program(
    command: str,
    width: int,
    lang: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SOBREMESA_LANGUAGE", lang)

    def helped(name: str) -> str:
        monkeypatch.setenv("SOBREMESA_COMMAND", name)
        with pytest.raises(SystemExit, match="0"):
            cli.app([*command.split(), "-h"], prog_name=name)
        return capsys.readouterr().out

    # The test runner of Typer has a width of its own.
    whole = helped("sobremesa")
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = helped("python3 run.py")
    assert max(map(len, narrow.splitlines())) < width
    assert "..." not in re.sub(r"\[[A-Z]+\]\.\.\.", "", narrow)
    # In Spanish “la sobremesa” is the time after a meal, and not the program.
    assert re.findall(r"\b(?<!la )sobremesa\b", narrow) == []
    # No word is broken: the words are those of the widest page.
    words = " ".join(narrow.split()).replace("python3 run.py", "sobremesa").split()
    assert set(words) == set(whole.split())


@pytest.mark.parametrize(
    ("name", "value"),
    [("SOBREMESA_PACE", "soon"), ("SOBREMESA_LANGUAGE", "tlh"), ("SOBREMESA_LETTERS", "perhaps")],
)
def test_a_bad_setting_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    for command in ("play", "simulate", "referee", "rules"):
        assert f"These settings aren't valid: {name}" in refused(command, "casino")


def test_a_bad_setting_never_shows_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "hush")
    monkeypatch.setenv("SOBREMESA_PACE", "hush")
    assert "hush" not in refused("play", "casino")


@pytest.mark.parametrize(
    "words", [("--help",), ("-h",), (), *((name, "-h") for name in ("play", "simulate"))]
)
def test_help_is_given(words: Sequence[str]) -> None:
    result = CliRunner().invoke(cli.app, list(words))
    assert "Usage: " in result.output
    assert result.exit_code == (0 if words else 2)


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Returns a function that runs the real program with typed input and a changed environment."""

    def start(*words: str, typed: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*PROGRAM, *words],
            input=typed,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environment},
            timeout=60,
            check=False,
        )

    return start


Program = Callable[..., subprocess.CompletedProcess[bytes]]


MOST_LOOKS = 2000
"""Looks at a program's file, 0.02 seconds apart, after which a test fails."""


def moves_in(file: Path) -> int:
    """The number of moves in a game file that a program is writing; 0 if it cannot be read yet."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return int(database.execute("SELECT count(*) FROM entry WHERE kind = 'move'").fetchone()[0])
    return 0


@pytest.mark.real
def test_a_terminal_that_is_closed_in_mid_game_loses_no_move(program: Program, tmp_path: Path) -> None:
    playing = subprocess.Popen(
        [*PROGRAM, "play", "cardlebones", "--file", "games.db", "--seed", "S"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert playing.stdin
    playing.stdin.write(b"1\n1\n")
    playing.stdin.flush()
    # The program waits for input; meanwhile the moves made reach the file.
    looks = 0
    try:
        while moves_in(tmp_path / "games.db") < 4:
            looks += 1
            assert looks < MOST_LOOKS, "the file of games never had four moves"
            with pytest.raises(subprocess.TimeoutExpired):
                playing.wait(0.02)
    finally:
        playing.kill()
        playing.communicate()
    ran = program("play", "--file", "games.db", "--resume", "--lang", "en", typed=ENDLESS.encode())
    assert ran.returncode == 0
    assert b"You're back in your game." in ran.stdout
    assert b"SHA-256" in ran.stdout


@pytest.mark.real
@pytest.mark.parametrize(("typed", "name"), [("python3 run.py", "python3 run.py"), ("", "sobremesa")])
def test_errors_name_the_program_as_it_was_typed(program: Program, typed: str, name: str) -> None:
    ran = program("play", "--magic", SOBREMESA_COMMAND=typed)
    errors = ran.stderr.decode()
    assert f"Usage: {name} play" in errors
    assert f"Try “{name} play -h”" in errors


@pytest.mark.real
def test_a_line_that_cannot_be_decoded_is_refused_and_the_game_goes_on(program: Program) -> None:
    ran = program(
        "play", "cardlebones", "--seed", "S", typed=b"\xff\xfe\nplace a1\n", PYTHONIOENCODING="utf-8:strict"
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"isn't a move" in ran.stdout
    assert ran.stdout.count(b"places") >= 2


@pytest.mark.real
def test_an_ascii_stream_gets_letters_for_suits(program: Program) -> None:
    ran = program("play", "casino", "--seed", "S", typed=ENDLESS.encode(), PYTHONIOENCODING="ascii")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert re.search(rb"Throw (10|\d|A)[SHDC]\n", ran.stdout)
    assert not re.search(rb"(10|\d|A)\?", ran.stdout)


@pytest.mark.real
def test_ascii_rules_have_letters_for_suits(program: Program) -> None:
    ran = program("rules", "casino", PYTHONIOENCODING="ascii")
    assert ran.returncode == 0
    assert b"1 for 2S" in ran.stdout


@pytest.mark.real
def test_the_referee_survives_what_is_no_text_and_what_is_nested_deep(program: Program) -> None:
    deep = [b'{"playerId": ' + b"[" * n + b"]" * n + b"}" for n in range(880, 1010, 3)]
    lines = [b"\xff\xfe", b'{"type": "\xff"}', b"", b'{"playerId": "\\ud800"}', b"[" * 100_000, *deep]
    ran = program(
        "referee", "casino", "--seed", "S", "--lang", "es", typed=b"\n".join(lines), PYTHONIOENCODING="ascii"
    )
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert [answer["type"] for answer in answers] == ["state", "hand", "hand", *["refused"] * len(lines)]


@pytest.mark.real
@pytest.mark.parametrize(
    "words",
    [
        ("rules", "casino"),
        ("play", "casino", "--seed", "S"),
        ("referee", "casino", "--seed", "S"),
        ("simulate", "casino", "-n", "1", "--seed", "S"),
    ],
)
def test_a_reader_who_goes_early_ends_the_program_silently(words: Sequence[str], tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        ran = subprocess.run(
            [*PROGRAM, *words],
            stdin=subprocess.DEVNULL,
            stdout=write,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=60,
            check=False,
        )
    finally:
        os.close(write)
    assert ran.stderr == b""
    assert ran.returncode == 1


def in_shell(words: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Runs the program with words of a shell's command line, which may close streams."""
    return subprocess.run(
        ["sh", "-c", f'"$0" -m adapters {words}', sys.executable],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )


@pytest.mark.real
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_streams_that_are_closed_are_no_error(closed: str, tmp_path: Path) -> None:
    ran = in_shell(f"play casino --seed S {closed}", tmp_path)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.real
def test_an_error_that_nobody_can_read_has_its_exit_code(tmp_path: Path) -> None:
    ran = in_shell("verify missing.json 2>&-", tmp_path)
    assert (ran.returncode, ran.stdout) == (UNREADABLE, b"")


@pytest.mark.real
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_dumb_terminal_gets_plain_lines_without_colours(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    playing = subprocess.Popen(
        [*PROGRAM, "play", "casino", "--seed", "S", "--lang", "en"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb", "NO_COLOR": "1"},
    )
    os.close(theirs)
    os.write(ours, b"quit\n")
    printed = b""
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:
            break
        if not more:
            break
        printed += more
    assert playing.wait(60) == 0
    os.close(ours)
    assert b"See you next time." in printed
    assert b"\x1b" not in printed


async def _furnish(path: str) -> None:
    store = await open_store(path)
    await store.save_person(Person("bo", "Bo"))
    await store.close()


def test_a_backup_can_be_restored_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(_furnish("old.db"))
    monkeypatch.setenv("DATABASE_URL", "old.db")
    assert run("backup", "all.gz", "--lang", "en") == "1 row saved.\n"
    monkeypatch.setenv("DATABASE_URL", "sqlite:///new.db")
    assert run("restore", "all.gz", "--lang", "es") == "Se ha restaurado 1 fila.\n"


_NO_STORE = (
    "No se puede usar el archivo {folder}/notes.db de la base de datos (no es un archivo de partidas). "
    "Corrígelo, restaura una copia de seguridad o pon otro archivo en DATABASE_URL.\n"
)


@pytest.mark.parametrize(
    ("database", "words", "reason"),
    [
        ("new.db", "restore none.gz", "sobremesa: no se puede leer none.gz: ese archivo no existe\n"),
        ("new.db", "restore notes.db", "sobremesa: notes.db no es una copia de seguridad o está dañado\n"),
        ("old.db", "backup notes.db", "sobremesa: ya existe un archivo notes.db\n"),
        (
            "old.db",
            "backup none/all.gz",
            "sobremesa: no se puede escribir none/all.gz: esa carpeta no existe\n",
        ),
        ("new.db", "backup all.gz", "sobremesa: no hay ningún archivo de base de datos new.db\n"),
        (
            "notes.db",
            "restore all.gz",
            "sobremesa: no se ha restaurado nada: no es un archivo de partidas\n",
        ),
        ("notes.db", "ratings", _NO_STORE),
        (
            "http://notes",
            "ratings",
            "DATABASE_URL no es válida. Pon el nombre de un archivo o postgresql://USER:PASSWORD@HOST/DATABASE.\n",
        ),
    ],
)
def test_why_a_store_cannot_be_used_is_told_in_the_readers_language(
    database: str, words: str, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asyncio.run(_furnish("old.db"))
    monkeypatch.setenv("DATABASE_URL", "old.db")
    if "all.gz" in words and "restore" in words:
        run("backup", "all.gz", "--lang", "en")
    Path("notes.db").write_text("Buy bread.\n" * 100)
    monkeypatch.setenv("DATABASE_URL", database)
    done = CliRunner().invoke(cli.app, [*words.split(), "--lang", "es"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == reason.format(folder=tmp_path)


async def _play(path: str) -> None:
    store = await open_store(path)
    for number in (1, 2):
        game = played(1e9 + number, number)
        await store.append(replace(batch(game, 0), ending=ending_of(game)))
    await store.close()


async def _ratings(path: str) -> list[Rating]:
    store = await open_store(path)
    found = [(await store.ratings(person))["casino"] for person in ("ana", "bo")]
    await store.close()
    return found


def test_ratings_are_worked_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(_play("all.db"))
    before = asyncio.run(_ratings("all.db"))
    monkeypatch.setenv("DATABASE_URL", "all.db")
    assert run("ratings", "--lang", "en") == "2 games worked out anew.\n"
    assert run("ratings", "--lang", "es") == "2 partidas calculadas de nuevo.\n"
    assert asyncio.run(_ratings("all.db")) == before
    assert [rating.games for rating in before] == [2, 2]


def test_the_store_is_in_the_folder_of_the_start_unless_said_otherwise() -> None:
    asyncio.run(_furnish("sobremesa.db"))
    assert run("backup", "all.gz", "--lang", "en") == "1 row saved.\n"


def test_the_command_line_imports_no_database_library() -> None:
    ask = (
        "import adapters.command_line.cli, sys;"
        " print([name for name in ('sqlalchemy', 'alembic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_an_unexpected_error_is_told_by_its_kind_and_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("10H hush")

    monkeypatch.setenv("DISCORD_TOKEN", "hush")
    monkeypatch.setattr("adapters.hosting.serve.serve", fail)
    printed = run("run", code=1)
    assert re.fullmatch(r"sobremesa: RuntimeError, test_cli\.py:\d+\n", printed)


def test_the_version_is_that_of_the_build() -> None:
    assert run("--version") == f"sobremesa {VERSION}\n"
