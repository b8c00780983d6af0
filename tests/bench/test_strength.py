"""The bench of strength: its contenders, and that the sampler takes as much time as its rival."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench import strength as bench
from bot.matches.playing import Contender, DuplicateMatch, play
from bot.matches.scores import standing
from engines import games
from engines.game import Move
from tests import luck

every_game = pytest.mark.parametrize("key", games())


class Slow:
    """Chooses the first move, after so many seconds on the clock of the test."""

    def __init__(self, clock: list[float], seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds

    def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
        self.clock[0] += self.seconds
        return moves[0]


def measured(key: str) -> list[str]:
    """The contenders of a game that play it in little time."""
    has_yardstick = find_spec(f"bench.yardsticks.{key}") is not None
    slow_or_missing = {"hard", "sampler", *(() if has_yardstick else ("yardstick",))}
    return [name for name in bench.CONTENDERS if name not in slow_or_missing]


@pytest.mark.parametrize(("key", "contender"), [(key, name) for key in games() for name in measured(key)])
def test_a_contender_plays_every_game_to_its_end(key: str, contender: str) -> None:
    record = play(DuplicateMatch(key, (contender, "random"), {}, "S"), bench.seating, 0)
    assert not record.cut


@every_game
def test_the_sampler_chooses_a_legal_move(key: str) -> None:
    game, rng = games()[key], luck.rng()
    state = game.new(2, b"seed", {})
    seat = next(seat for seat in range(2) if list(game.moves(state, seat)))
    moves = list(game.moves(state, seat))
    for budget in (0.0, 0.02):
        assert bench.Sampler(game, 2).sample(game.view(state, seat), moves, rng, budget) in moves


def test_the_sampler_takes_the_mean_time_of_its_rival(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    clock = [0.0]
    game = games()["casino"]
    rival = bench.Timed(Slow(clock, 3.0))
    sampler = bench.Sampler(game, 2, rival)

    def sample(view: Any, moves: Sequence[Move], rng: Random, budget: float) -> Move:
        given.append(budget)
        return moves[0]

    monkeypatch.setattr("time.process_time", lambda: clock[0])
    monkeypatch.setattr(bench.Sampler, "sample", lambda self, *given: sample(*given))
    view, moves = object(), (Move("a"), Move("b"))
    sampler.think(view, moves, luck.rng())
    rival.seconds[:] = [1.0, 5.0, 6.0]
    sampler.think(view, moves, luck.rng())
    assert given == [3.0, 4.0]
    assert rival.seconds == [1.0, 5.0, 6.0]


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPU time goes on by a second each time it is read: by the sampler at first and after each playout."""
    seconds = count()
    monkeypatch.setattr("time.process_time", lambda: float(next(seconds)))


@pytest.mark.usefixtures("ticking")
def test_the_sampler_stops_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game, played = games()["casino"], list[object]()
    state = game.new(2, b"seed", {"exchange": "off"})
    seat = next(seat for seat in range(2) if list(game.moves(state, seat)))

    def playout(sampler: bench.Sampler, state: object, seat: int, rng: Random) -> float:
        played.append(state)
        return 0.0

    monkeypatch.setattr(bench.Sampler, "_playout", playout)
    bench.Sampler(game, 2).sample(game.view(state, seat), list(game.moves(state, seat)), luck.rng(), 7.0)
    assert len(played) == 7


@pytest.mark.usefixtures("ticking")
def test_the_sampler_beats_a_random_player() -> None:
    class Steady(bench.Sampler):
        def think(self, view: Any, moves: Sequence[Move], rng: Random) -> Move:
            return self.sample(view, moves, rng, 12.0)

    def seating(match: DuplicateMatch) -> Sequence[Contender]:
        return [Steady(games()[match.key], 2), bench.RandomPlayer()]

    match = DuplicateMatch("casino", ("sampler", "random"), {}, "S")
    score = standing([play(match, seating, number) for number in range(4)], match.games_of_a_deal)
    assert score
    assert score.wins[0] > 2


def test_two_contenders_take_all_seats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["casino", "normal", "random", "--seats", "3", "--games", "3", "--folder", str(tmp_path)]
    bench.main([*words, "--option", "exchange=off", "--json"])
    score = json.loads(capsys.readouterr().out)
    assert score["contenders"] == ["normal", "random", "random"]
    assert (score["games"], score["options"]) == (3, {"exchange": "off"})
    bench.main(words)
    assert "3 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("casino", "normal", "hard", "--seats", "4"), "casino is for 2 to 3 players, not 4"),
        (("casino", "normal", "hard", "--option", "a=b"), "casino has no option a=b"),
        (("casino", "sampler", "sampler"), "the sampler needs a rival"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(words: Sequence[str], expected: str) -> None:
    with pytest.raises(SystemExit, match=expected):
        bench.main(list(words))


@pytest.mark.usefixtures("throw_in")
def test_a_game_without_a_yardstick_is_refused() -> None:
    with pytest.raises(SystemExit, match="throw_in has no yardstick"):
        bench.main(["throw_in", "normal", "yardstick"])


def test_the_play_of_yardsticks_and_samplers_follows_from_their_sources() -> None:
    assert [path.name for path in bench.source_files("casino", ("hard", "yardstick"))] == ["casino.py"]
    assert [path.name for path in bench.source_files("casino", ("sampler", "hard"))] == ["strength.py"]
    assert bench.source_files("casino", ("hard", "random")) == []
