"""Matches on disk: a run that was stopped goes on, and what has changed starts anew."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from bot.matches import running
from bot.matches.playing import DuplicateMatch, GameRecord, Seating, computers, play
from bot.matches.results import ResultsFile, source_hash
from bot.matches.running import run, usual_jobs
from engines import games
from engines.values import replace
from tests.bot.matches.players import match_of, random_players


def untimed(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The games by number, without times."""
    return [
        msgspec.structs.replace(record, ms=()) for record in sorted(records, key=lambda record: record.number)
    ]


def played(match: DuplicateMatch, count: int, file: ResultsFile) -> list[GameRecord]:
    return untimed(list(run(match, random_players, count, file, 1)))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the games that have been played, in order."""
    numbers: list[int] = []

    def play_noted(match: DuplicateMatch, seating: Seating, number: int) -> GameRecord:
        numbers.append(number)
        return play(match, seating, number)

    monkeypatch.setattr(running, "play", play_noted)
    return numbers


def test_a_stopped_run_goes_on_to_the_same_games(tmp_path: Path, asked: list[int]) -> None:
    match = match_of("cardlebones")
    whole = played(match, 8, ResultsFile(tmp_path / "whole", match, ""))
    with closing(run(match, random_players, 8, ResultsFile(tmp_path, match, ""), 1)) as stopped:
        begun = list(islice(stopped, 3))
    assert len(begun) == 3
    asked.clear()
    assert played(match, 8, ResultsFile(tmp_path, match, "")) == whole
    assert asked == [3, 4, 5, 6, 7]


def test_a_longer_run_plays_only_what_is_missing(tmp_path: Path, asked: list[int]) -> None:
    match = match_of("cardlebones")
    for count in (3, 6, 2):
        assert len(played(match, count, ResultsFile(tmp_path, match, ""))) == -(-count // 2) * 2
    assert asked == [0, 1, 2, 3, 4, 5]


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path, asked: list[int]) -> None:
    match = match_of("cardlebones")
    file = ResultsFile(tmp_path, match, "")
    whole = played(match, 4, file)
    file.path.write_bytes(file.path.read_bytes()[:-20])
    assert played(match, 4, file) == whole
    assert asked == [0, 1, 2, 3, 3]
    assert untimed(list(file.read().values())) == whole


def test_cleared_results_are_played_again(tmp_path: Path, asked: list[int]) -> None:
    match = match_of("cardlebones")
    file = ResultsFile(tmp_path, match, "")
    played(match, 2, file)
    file.clear()
    file.clear()
    played(match, 2, file)
    assert asked == [0, 1, 0, 1]


def test_every_condition_of_a_match_has_a_file_of_its_own(tmp_path: Path) -> None:
    match = match_of("casino")
    others = [
        replace(match, key="svoi"),
        replace(match, contenders=("A", "C")),
        replace(match, contenders=("A", "B", "B")),
        replace(match, options={"exchange": "off"}),
        replace(match, seed="T"),
        replace(match, swaps=False),
    ]
    paths = {ResultsFile(tmp_path, one, "").path for one in (match, *others)}
    assert len(paths) == len(others) + 1
    assert ResultsFile(tmp_path, match, "changed").path not in paths


def test_a_change_of_the_source_changes_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "brain.py"
    file.write_text("1")
    before = source_hash("casino", [file])
    assert source_hash("casino", [file]) == before
    file.write_text("2")
    assert source_hash("casino", [file]) != before
    assert len({source_hash(key) for key in games()}) == len(games())


@pytest.mark.real
def test_several_processes_play_the_same_games(tmp_path: Path) -> None:
    match = replace(match_of("cardlebones"), contenders=("normal", "easy"))
    alone = list(run(match, computers, 4, ResultsFile(tmp_path / "alone", match, ""), 1))
    together = list(run(match, computers, 4, ResultsFile(tmp_path, match, ""), 2))
    assert untimed(together) == untimed(alone)


def test_one_core_is_left_free_but_there_is_always_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, jobs in ((None, 1), (1, 1), (8, 7)):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        assert usual_jobs() == jobs
