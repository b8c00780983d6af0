"""Leaderboard, profile and history of the terminal's own games: as commands, and as words typed in a game."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.pilot import Pilot
from typer.testing import CliRunner

from adapters.command_line import cli
from adapters.command_line.games.game_files import history
from adapters.shared.clock import AsyncioClock
from adapters.terminal.app import TerminalApp
from adapters.terminal.equipment import Equipment, LateEquipment
from adapters.terminal.plain.printer import Printer
from adapters.terminal.plain.records import PlainRecords
from adapters.terminal.plain.table import PlainTable, PlayerQuit
from adapters.terminal.saved_games.records import own_game
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.screens.records import RecordsScreen
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from bot.i18n import Speech
from bot.model.batches import Batch, Taken
from bot.model.ids import GameId
from bot.model.places import HOME, Place
from bot.model.tables import Entry, Listing, Player, Seated
from bot.ratings import NEWCOMER, rated
from bot.settings.choices import Language
from bot.store import open_store
from bot.thinking.thinker import InlineThinker
from engines import games
from engines.game import Text
from engines.levels import Level
from engines.values import replace
from tests.support.waiting import Waiting

NOW = 1_795_000_000.0
CHAT = Place("telegram", "-1")
ANA, BO = Player("Ana"), Player("bo")


def computer(level: Level = "normal") -> Player:
    return Player("Lola", level)


def listing(
    n: int, players: tuple[Player, ...], winner: int, key: str = "casino", ago: float = 0.0
) -> Listing:
    """A finished game at a terminal."""
    seats = tuple(
        Seated(seat, player, int(seat == winner), seat == winner) for seat, player in enumerate(players)
    )
    ended = NOW - ago + n
    return Listing(f"{n:010x}", HOME, 1, key, 3, "over", None, seats, 2, ended, ended)


GAMES = [
    listing(1, (ANA, BO), 0),
    listing(2, (BO, ANA), 1, "svoi"),
    listing(3, (ANA, BO), 1, ago=400 * 86_400.0),
    listing(4, (ANA, computer()), 1),
    listing(5, (ANA, computer("easy")), 0),
    # A game that was stopped: nobody has a score.
    replace(listing(6, (ANA, BO), 0), seats=(Seated(0, ANA), Seated(1, BO))),
    replace(listing(7, (ANA, BO), 0), uncounted="taken_back"),
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with `GAMES`; the program speaks English."""
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("adapters.terminal.saved_games.records.time", SimpleNamespace(time=lambda: NOW))
    monkeypatch.chdir(tmp_path)
    asyncio.run(_stored(tmp_path / "games.db"))
    return tmp_path / "games.db"


async def _stored(path: Path, games: Iterable[Listing] = ()) -> None:
    store = await open_store(str(path))
    for one in games or GAMES:
        last = Entry(1, "undo" if one.uncounted else "start", body={}, at=one.changed)
        entries = (Entry(0, "open", body={}, at=one.opened), last)
        assert isinstance(await store.append(Batch(entries, one)), Taken)
    await store.close()


def run(*words: str, code: int = 0) -> list[str]:
    result = CliRunner().invoke(cli.app, list(words))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output.splitlines()


def test_wins_against_people_and_against_computers_are_apart(file: Path) -> None:
    printed = [line.split() for line in run("leaderboard", "--file", str(file))]
    assert printed[:2] == [["All", "games"], ["Wins", "against", "people"]]
    assert printed[3:5] == [["1.", "Ana", "2", "3", "▁██"], ["2.", "bo", "1", "3", "█▁▁"]]
    assert printed[7] == ["Wins", "against", "computers"]
    assert printed[9] == ["1.", "Ana", "0", "1", "▁"]


def test_a_draw_is_a_win_for_nobody(tmp_path: Path) -> None:
    file, game = tmp_path / "drawn.db", listing(1, (ANA, BO), 0)
    drawn = replace(game, seats=tuple(replace(seated, score=1, won=True) for seated in game.seats))
    asyncio.run(_stored(file, [drawn]))
    printed = [line.split() for line in run("leaderboard", "--file", str(file))]
    assert sorted(line[1:] for line in printed[3:5]) == [["Ana", "0", "1", "▁"], ["bo", "0", "1", "▁"]]
    told = " ".join(" ".join(run("history", "--file", str(file))).split())
    assert "A draw." in told


def test_games_that_people_play_among_themselves_are_rated_as_in_a_chat(file: Path) -> None:
    people = [NEWCOMER, NEWCOMER]
    # At Casino bo won the older game, Ana the newer one.
    for ranks in ((2, 1), (1, 2)):
        people = list(rated(people, ranks, NOW))
    ana, bo = (rating.shown for rating in people)
    printed = [line.split() for line in run("leaderboard", "casino", "--rating", "--file", str(file))]
    assert printed[:2] == [["Casino"], ["By", "rating"]]
    listed = sorted([[f"{ana}?", "Ana"], [f"{bo}?", "bo"]], reverse=True)
    assert [line[1:3] for line in printed[3:5]] == [[name, shown] for shown, name in listed]
    _, loser = rated([NEWCOMER, NEWCOMER], (1, 2), NOW)
    profile = [line.split() for line in run("profile", "bo", "--file", str(file))]
    assert ["Svoi", "Kozyri", f"{loser.shown}?"] in profile[profile.index(["Rating"]) :]
    words = ("leaderboard", "--rating", "--period", "month", "--file", str(file))
    gained = [line.split() for line in run(*words)]
    assert gained[1] == ["By", "rating", "gained"]


def test_games_against_computers_or_with_moves_taken_back_are_not_rated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    path = tmp_path / "games.db"
    asyncio.run(_stored(path, (listing(1, (ANA, BO, computer()), 0),)))
    taken_back = replace(listing(2, (ANA, BO), 0), uncounted="taken_back")
    asyncio.run(_stored(path, (taken_back,)))
    printed = run("leaderboard", "--file", str(path))
    assert [line.split()[:4] for line in printed if "Ana" in line] == [["1.", "Ana", "1", "1"]]
    assert not any("rating" in line for line in printed)


def test_endings_that_were_worked_out_are_kept_in_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run("leaderboard", "--file", str(file))
    monkeypatch.setattr("adapters.terminal.saved_games.endings.ending_of", None)
    assert run("leaderboard", "--file", str(file)) == first


def test_games_of_chats_are_left_to_the_bot(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    asyncio.run(_stored(path, (listing(1, (ANA, BO), 0), replace(listing(2, (ANA, BO), 0), place=CHAT))))
    printed = run("leaderboard", "--file", str(path))
    assert next(line.split()[:4] for line in printed if "Ana" in line) == ["1.", "Ana", "1", "1"]
    assert asyncio.run(_unsettled(path)) == [listing(2, (ANA, BO), 0).game]


async def _unsettled(path: Path) -> list[GameId]:
    store = await open_store(str(path))
    try:
        return [game for _, game in (await store.unsettled(9)).games]
    finally:
        await store.close()


@pytest.mark.parametrize("key", ["l", "L"])
async def test_a_key_in_the_list_of_games_shows_the_leaderboard_even_before_the_file_is_open(
    key: str, file: Path
) -> None:
    store, opened = WriteBehindStore(file, AsyncioClock()), threading.Event()

    def late() -> Equipment:
        opened.wait()
        return Equipment(InlineThinker(), store)

    app = TerminalApp(None, Setup("cardlebones", 2, ("Ana",), pace=0), equipment=LateEquipment(late))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        opened.set()
        assert (await _page(pilot, "", "")).startswith("All games\nWins against people")
    store.finish()


def test_one_game_and_one_month_alone(file: Path) -> None:
    assert [line.split() for line in run("leaderboard", "svoi", "--file", str(file))][3:5] == [
        ["1.", "Ana", "1", "1", "█"],
        ["2.", "bo", "0", "1", "▁"],
    ]
    printed = run("leaderboard", "casino", "--period", "month", "--games", "--file", str(file))
    assert [line.split()[:4] for line in printed][3:5] == [["1.", "Ana", "1", "1"], ["2.", "bo", "0", "1"]]


def test_a_profile_compares_its_player_with_the_others(file: Path) -> None:
    printed = run("profile", "BO", "--file", str(file))
    assert printed[0] == "bo"
    assert "bo and Ana: 1–2." in printed


def test_without_a_name_it_is_the_profile_of_who_played_most(file: Path) -> None:
    assert run("profile", "--file", str(file))[0] == "Ana"
    assert run("profile", "--file", str(file), "--lang", "es")[1] == "Contra personas"


@pytest.mark.parametrize(
    ("lang", "counted"),
    [
        (
            "en",
            (
                "A game counts if you take no move back and don't play against easy computers alone; with "
                "others at one keyboard, each needs a name."
            ),
        ),
        (
            "es",
            (
                "Una partida cuenta si no deshaces ninguna jugada y no juegas solo contra máquinas fáciles; "
                "si varios comparten el teclado, cada uno necesita un nombre."
            ),
        ),
    ],
)
def test_a_profile_says_which_games_count(file: Path, lang: str, counted: str) -> None:
    assert counted in run("profile", "bo", "--file", str(file), "--lang", lang)


def test_an_unknown_player_is_said(file: Path) -> None:
    assert run("profile", "Zoe", "--file", str(file), code=1) == [
        "Nobody called Zoe has finished a game here."
    ]


@pytest.mark.parametrize("command", ["leaderboard", "profile"])
def test_without_a_file_there_are_no_games(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_FILE", str(tmp_path / "none.db"))
    assert run(command, "--lang", "en") == ["No game that counts has been finished yet."]


@pytest.mark.parametrize("command", ["leaderboard", "profile", "history"])
def test_a_file_that_is_missing_is_said(command: str, tmp_path: Path) -> None:
    printed = run(command, "--file", str(tmp_path / "none.db"), "--lang", "en", code=2)
    assert "There is no file" in " ".join(printed)


@pytest.mark.parametrize("command", ["leaderboard", "profile"])
def test_where_no_game_counts_the_reader_is_told_which_games_do(command: str, tmp_path: Path) -> None:
    asyncio.run(_stored(tmp_path / "nameless.db", (listing(1, (Player(""), Player("")), 0),)))
    nothing, rule = run(command, "--file", str(tmp_path / "nameless.db"), "--lang", "en")
    assert nothing == "No game that counts has been finished yet."
    assert rule == (
        "A game counts if you take no move back and don't play against easy computers alone; with others at "
        "one keyboard, each needs a name."
    )


def test_on_a_terminal_no_word_is_divided(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    history(Speech("en"), None, file)
    printed = capsys.readouterr().out.splitlines()
    assert max(map(len, printed)) <= 40
    assert len(printed) > len(GAMES)
    assert [line for line in printed if not re.match(r"\d\. \S|   \S", line)] == []


def test_line_by_line_no_word_is_divided(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def lines(*_: object) -> list[str]:
        return ["1. " + "word " * 40]

    monkeypatch.setattr("adapters.terminal.saved_games.records.record_lines", lines)
    session = Session(Setup("casino", 2, ("Ana",), seed="S"))
    asyncio.run(PlainRecords(session, None, Printer(session), input).show("replay", ""))
    printed = capsys.readouterr().out.splitlines()
    assert max(map(len, printed)) <= 80
    assert set(" ".join(printed).split()) == {"1.", "word"}


@pytest.mark.parametrize(
    ("lang", "called", "hint"),
    [("en", "Player 1", "Player 1 is you, without a name: add --name Ana to play as Ana."),
     ("es", "Jugador 1", "Jugador 1 eres tú, sin nombre: con --name Ana juegas como Ana.")],
)  # fmt: skip
def test_a_player_alone_needs_no_name_and_is_told_how_to_have_one(
    lang: str, called: str, hint: str, tmp_path: Path
) -> None:
    asyncio.run(_stored(tmp_path / "nameless.db", (listing(1, (Player(""), computer()), 0),)))
    words = ("--file", str(tmp_path / "nameless.db"), "--lang", lang)
    lines = run("leaderboard", *words)
    assert lines[3].split()[:5] == ["1.", *called.split(), "1", "1"]
    assert lines[-1] == hint
    for name in ((), (called,), ("player 1",), ("JUGADOR 1",)):
        assert run("profile", *name, *words)[0] == called
    run("profile", "Player 2", *words, code=1)


def test_a_player_with_the_name_of_a_seat_comes_before_the_one_without_a_name(tmp_path: Path) -> None:
    listings = (
        listing(1, (Player(""), computer()), 0),
        listing(2, (Player("PLAYER 1"), computer()), 0, "svoi"),
    )
    asyncio.run(_stored(tmp_path / "games.db", listings))
    assert run("profile", "player 1", "--file", str(tmp_path / "games.db"), "--lang", "en")[0] == "PLAYER 1"


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("en", "No game of Svoi Kozyri has been finished yet."),
     ("es", "Todavía no ha terminado ninguna partida de Svoi Kozyri.")],
)  # fmt: skip
def test_the_history_of_a_game_that_was_never_finished_names_it(
    lang: str, expected: str, tmp_path: Path
) -> None:
    asyncio.run(_stored(tmp_path / "games.db", (listing(1, (ANA, BO), 0),)))
    assert run("history", "svoi", "--file", str(tmp_path / "games.db"), "--lang", lang) == [expected]


@pytest.mark.parametrize(
    ("words", "english", "spanish"),
    [
        (
            ("svoi",),
            "No game of Svoi Kozyri has been finished yet.",
            "Todavía no ha terminado ninguna partida de Svoi Kozyri.",
        ),
        (
            ("cardlebones",),
            "No game of Cardlebones that counts has been finished yet.",
            "Aún no ha terminado ninguna partida de Cardlebones que cuente.",
        ),
        (
            ("casino", "--period", "week"),
            "No game of Casino that counts has been finished this week.",
            "No ha terminado esta semana ninguna partida de Casino que cuente.",
        ),
        (
            ("--period", "month"),
            "No game that counts has been finished this month.",
            "No ha terminado este mes ninguna partida que cuente.",
        ),
        (
            ("casino", "--rating"),
            "No game has been rated yet. Games that people begin among themselves are rated.",
            "Aún no hay partidas puntuadas.",
        ),
    ],
)
def test_an_empty_leaderboard_says_what_was_not_finished(
    words: tuple[str, ...], english: str, spanish: str, tmp_path: Path
) -> None:
    listings = (
        listing(1, (ANA, computer()), 0, ago=1e8),
        listing(2, (Player(""), Player("")), 0, "cardlebones", ago=1e8),
    )
    asyncio.run(_stored(tmp_path / "games.db", listings))
    file = ("--file", str(tmp_path / "games.db"))
    assert run("leaderboard", *words, *file, "--lang", "en")[0] == english
    assert run("leaderboard", *words, *file, "--lang", "es")[0].startswith(spanish)


@pytest.mark.parametrize(
    ("lang", "won", "lost"),
    [("en", "Player 1 (1), Lola (0). Player 1 wins.", "Player 1 (0), Lola (1). Lola wins."),
     ("es", "Jugador 1 (1), Lola (0). Gana Jugador 1.", "Jugador 1 (0), Lola (1). Gana Lola.")],
)  # fmt: skip
def test_in_the_history_a_player_alone_without_a_name_is_called_as_in_the_game(
    lang: str, won: str, lost: str, tmp_path: Path
) -> None:
    games = (listing(n, (Player(""), computer()), n) for n in (0, 1))
    asyncio.run(_stored(tmp_path / "nameless.db", tuple(games)))
    printed = " ".join(run("history", "--file", str(tmp_path / "nameless.db"), "--lang", lang))
    assert won in printed
    assert lost in printed


def test_in_the_history_several_people_without_names_are_told_apart(tmp_path: Path) -> None:
    asyncio.run(_stored(tmp_path / "nameless.db", (listing(1, (Player(""), Player("")), 0),)))
    printed = " ".join(run("history", "--file", str(tmp_path / "nameless.db"), "--lang", "en"))
    assert "Player 1 (1), Player 2 (0). Player 1 wins." in printed


def _plain(file: Path, typed: str, capsys: pytest.CaptureFixture[str], locale: Language = "en") -> str:
    """What a game in line mode prints when these lines are typed in it."""
    lines = iter(typed.splitlines(keepends=True))
    store = WriteBehindStore(file, AsyncioClock())
    session = Session(Setup("cardlebones", 2, ("Ana",), locale, pace=0), store=store)
    with pytest.raises(PlayerQuit):
        asyncio.run(PlainTable(session, lambda: next(lines, ""), store=store).run())
    store.finish()
    return capsys.readouterr().out


def test_a_game_of_a_missing_file_is_not_found_and_makes_no_file(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    assert asyncio.run(own_game("1", file)) is None
    assert not file.exists()


def test_words_in_a_game_show_leaderboard_profile_and_finished_games(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = _plain(file, "leaderboard casino\nprofile bo\nprofile zoe\nreplay\nreplay 77\n", capsys)
    assert "Casino\nWins against people" in printed
    assert "By rating" in printed
    assert "bo and Ana: 1–2." in printed
    assert "Nobody called zoe has finished a game here." in printed
    assert "1. Casino," in printed
    assert "such as: replay 1" in printed
    assert "There is no game 77 in your history." in printed
    printed = _plain(file, "clasificación svoi mes\nperfil\nrepetición\n", capsys, "es")
    assert "Svoi Kozyri, este mes\nVictorias contra personas" in printed
    assert "Contra máquinas" in printed
    assert "Ana y bo: 2–1." in printed
    assert "repetición 1" in printed


def test_in_a_game_of_ana_the_player_without_a_name_is_not_called_ana(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listings = (listing(1, (Player(""), computer()), 0), listing(2, (ANA, computer()), 0))
    asyncio.run(_stored(tmp_path / "games.db", listings))
    printed = _plain(tmp_path / "games.db", "leaderboard\nprofile player 1\n", capsys)
    assert "Player 1 is you, without a name" in printed
    assert "> Player 1\n" in printed


def test_why_the_games_cannot_be_read_is_told_in_the_readers_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.db").write_bytes(b"no database" * 99)
    printed = _plain(Path("games.db"), "perfil\n", capsys, "es")
    assert "No se pueden leer tus partidas de games.db: no es un archivo de partidas" in " ".join(
        printed.split()
    )


async def test_words_on_the_full_screen_show_records_on_a_page(file: Path) -> None:
    setup = Setup("cardlebones", 2, ("Ana",), pace=0)
    store = WriteBehindStore(file, AsyncioClock())
    app = TerminalApp(setup, setup, equipment=LateEquipment(lambda: Equipment(InlineThinker(), store)))
    try:
        async with app.run_test(size=(80, 24)) as pilot:
            shown = await _page(pilot, "profile bo")
            assert shown.startswith("bo\nAgainst people")
            shown = await _page(pilot, "replay")
            assert shown.startswith("1. Casino,")
            await pilot.press(*"replay 77", "enter")
            notice = Text("There is no game {name} in your history.", name="77")
            assert app.table is not None
            waiting = Waiting("the notice of a game that is not there")
            while app.table.notice != notice:
                waiting.check()
                await pilot.pause(0.01)
    finally:
        store.finish()


async def _page(pilot: Pilot[None], line: str, end: str = "enter") -> str:
    """The page that a typed line, or a key pressed before, opens; leaves the page again."""
    await pilot.press(*line, *filter(None, (end,)))
    waiting = Waiting(f"the page that {line!r} opens")
    while not (isinstance(screen := pilot.app.screen, RecordsScreen) and screen._lines):
        waiting.check()
        await pilot.pause(0.01)
    shown = "\n".join(screen._lines)
    await pilot.press("escape")
    await pilot.pause()
    return shown


def test_a_game_that_ends_is_rated_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = _finished(tmp_path / "own.db", "leaderboard", capsys)
    assert "By rating" in printed
    assert [one for one in ("Ana", "Bo") if one not in printed] == []


@pytest.mark.parametrize(("locale", "word"), [("en", "replay"), ("es", "repetición")])
def test_a_game_of_older_rules_is_not_replayed_and_the_players_game_goes_on(
    locale: Language,
    word: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _finished(tmp_path / "own.db", "leaderboard", capsys)
    monkeypatch.setattr(type(games()["cardlebones"]), "revision", 99)
    printed = _plain(tmp_path / "own.db", f"{word} 1\n{word} 77\n", capsys, locale)
    words, say = " ".join(printed.split()), Speech(locale)
    assert say(Text("An update has changed the rules, so this game can't be played again.")) in words
    assert say(Text("There is no game {name} in your history.", name="77")) in words


def _finished(file: Path, asked: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Plays a game of Ana and Bo to its end in line mode; returns the answer to a line typed then."""
    store = WriteBehindStore(file, AsyncioClock())
    setup = Setup("cardlebones", 2, ("Ana", "Bo"), pace=0)
    printed, lines = list[str](), iter((f"{asked}\n", "no\n"))

    def line() -> str:
        """Plays the first move until the game ends; then types ``asked``, and at last declines a rematch."""
        printed.append(capsys.readouterr().out)
        return next(lines) if "yes or no" in printed[-1] or len(printed) > 100 else "1\n"

    asyncio.run(PlainTable(Session(setup, store=store), line, store=store).run())
    store.finish()
    return printed[-1]
