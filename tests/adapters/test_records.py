"""The leaderboard and the profile of the terminal's own games, as the commands are typed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from adapters import cli
from bot.model import HOME, Batch, Entry, Listing, Player, Seated, Taken
from bot.store import open_store
from engines.levels import Level

NOW = 1_795_000_000.0
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
    replace(listing(6, (ANA, BO), 0), seats=(Seated(0, ANA), Seated(1, BO))),
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with these games; the program speaks English."""
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("adapters.cli.time", SimpleNamespace(time=lambda: NOW))
    monkeypatch.chdir(tmp_path)
    asyncio.run(_stored(tmp_path / "games.db"))
    return tmp_path / "games.db"


async def _stored(path: Path, games: Iterable[Listing] = ()) -> None:
    store = await open_store(str(path))
    for one in games or GAMES:
        entries = (Entry(0, "open", body={}, at=one.opened), Entry(1, "start", body={}, at=one.changed))
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
    assert printed[9:] == [["1.", "Ana", "0", "1", "▁"]]


def test_one_game_and_one_month_alone(file: Path) -> None:
    assert [line.split() for line in run("leaderboard", "svoi", "--file", str(file))][3:] == [
        ["1.", "Ana", "1", "1", "█"],
        ["2.", "bo", "0", "1", "▁"],
    ]
    printed = run("leaderboard", "casino", "--period", "month", "--games", "--file", str(file))
    assert [line.split()[:4] for line in printed][3:5] == [["1.", "Ana", "1", "1"], ["2.", "bo", "0", "1"]]


def test_a_profile_compares_its_player_with_the_others(file: Path) -> None:
    printed = run("profile", "BO", "--file", str(file))
    assert printed[0] == "bo"
    assert "You and Ana: 1–2." in printed


def test_without_a_name_it_is_the_profile_of_who_played_most(file: Path) -> None:
    assert run("profile", "--file", str(file))[0] == "Ana"
    assert run("profile", "--file", str(file), "--lang", "es")[1] == "Contra personas"


def test_an_unknown_player_is_said(file: Path) -> None:
    assert run("profile", "Zoe", "--file", str(file), code=1) == [
        "Nobody called Zoe has finished a game here."
    ]


@pytest.mark.parametrize("command", ["leaderboard", "profile"])
def test_without_a_file_there_are_no_games(command: str, tmp_path: Path) -> None:
    assert run(command, "--file", str(tmp_path / "none.db"), "--lang", "en") == [
        "No game that counts has been finished yet."
    ]


@pytest.mark.parametrize("command", ["leaderboard", "profile"])
def test_where_no_game_counts_the_reader_is_told_which_games_do(command: str, tmp_path: Path) -> None:
    asyncio.run(_stored(tmp_path / "nameless.db", (listing(1, (Player(""), computer()), 0),)))
    assert run(command, "--file", str(tmp_path / "nameless.db"), "--lang", "en") == [
        "No game that counts has been finished yet.",
        "A game counts if you play it under a name and take no move back.",
    ]
