"""The judgement of moves by playouts: the same deals for all moves, a budget of playouts."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from engines import games
from engines.game import Result
from engines.playouts import Judgement, Outcome, estimate, judge, play_out
from tests import luck
from tests.support.games.throw_in.rules import game as throw_in

MOVES = ("best", "good", "poor", "worst")
CHANCE = {"best": 0.9, "good": 0.6, "poor": 0.4, "worst": 0.1}


class Trial:
    """A game of chance that records its playouts: a deal is a number, and each move has a chance to win."""

    def __init__(self) -> None:
        self.played: dict[str, list[tuple[float, float]]] = defaultdict(list)

    def imagine(self, rng: Random) -> float:
        return rng.random()

    def play(self, deal: float, move: str, rng: Random) -> Outcome:
        self.played[move].append((deal, rng.random()))
        return Outcome(CHANCE[move] * 10, float(deal < CHANCE[move]))


@pytest.mark.parametrize("budget", [0, 1, 4, 7, 40, 333])
def test_all_playouts_count_towards_the_budget(budget: int) -> None:
    trial = Trial()
    judged = judge(MOVES, trial.imagine, trial.play, luck.rng(budget), budget)
    assert sum(judgement.playouts for judgement in judged.values()) == sum(map(len, trial.played.values()))
    assert sum(judgement.playouts for judgement in judged.values()) <= max(budget, len(MOVES))


def test_most_of_the_budget_is_used() -> None:
    trial = Trial()
    judged = judge(MOVES, trial.imagine, trial.play, luck.rng(), 400)
    assert sum(judgement.playouts for judgement in judged.values()) >= 390


@pytest.mark.parametrize("budget", [0, 100])
def test_every_move_is_judged(budget: int) -> None:
    trial = Trial()
    judged = judge(MOVES, trial.imagine, trial.play, luck.rng(), budget)
    assert set(judged) == set(MOVES)
    assert min(judgement.playouts for judgement in judged.values()) >= 1


def test_all_moves_in_the_running_are_played_in_the_same_deals_with_the_same_luck() -> None:
    trial = Trial()
    judge(MOVES, trial.imagine, trial.play, luck.rng(), 400)
    longest = max(trial.played.values(), key=len)
    for played in trial.played.values():
        assert played == longest[: len(played)]


def test_worse_moves_drop_out() -> None:
    trial = Trial()
    judged = judge(MOVES, trial.imagine, trial.play, luck.rng(), 4000)
    counts = [judged[move].playouts for move in MOVES]
    assert counts[0] == counts[1] > counts[2] == counts[3]


def test_the_rank_decides_which_moves_drop_out() -> None:
    trial = Trial()
    judged = judge(MOVES, trial.imagine, trial.play, luck.rng(), 400, rank=lambda judgement: -judgement.lead)
    assert max(MOVES, key=lambda move: judged[move].playouts) in ("poor", "worst")
    assert judged["best"].playouts < judged["worst"].playouts


def test_a_judgement_is_the_average() -> None:
    trial = Trial()
    judged = judge(("good",), trial.imagine, trial.play, luck.rng(), 25)
    won = sum(deal < CHANCE["good"] for deal, _ in trial.played["good"])
    assert judged == {"good": Judgement(25, judged["good"].lead, won / 25)}
    assert judged["good"].lead == pytest.approx(6.0)


def test_the_same_luck_gives_the_same_judgements() -> None:
    trial, other = Trial(), Trial()
    assert judge(MOVES, trial.imagine, trial.play, luck.rng(), 90) == judge(
        MOVES, other.imagine, other.play, luck.rng(), 90
    )
    assert trial.played == other.played


def test_a_move_named_twice_is_judged_once() -> None:
    trial = Trial()
    judged = judge(("good", "good"), trial.imagine, trial.play, luck.rng(), 10)
    assert {move: judgement.playouts for move, judgement in judged.items()} == {"good": 10}
    assert len(set(trial.played["good"])) == 10, "a deal is played twice"


@pytest.mark.parametrize(
    ("scores", "outcome"),
    [((7, 3), Outcome(4, 1.0)), ((3, 7), Outcome(-4, 0.0)), ((5, 5), Outcome(0, 0.5))],
)
def test_an_outcome_is_a_seats_lead_and_its_share_of_the_win(
    scores: tuple[int, ...], outcome: Outcome
) -> None:
    assert Outcome.of(Result.of(scores), 0) == outcome


def test_a_win_shared_by_three_counts_a_third() -> None:
    assert Outcome.of(Result.of((2, 2, 2)), 1) == Outcome(0, 1 / 3)


@pytest.mark.parametrize("key", sorted(games()))
def test_any_game_is_played_out_by_the_contract_alone(key: str) -> None:
    game = games()[key]
    state = game.new(game.seats[0], b"seed", {})
    outcome = play_out(game, state, 0, luck.rng())
    assert 0 <= outcome.wins <= 1
    assert outcome == play_out(game, state, 0, luck.rng())


def test_a_game_without_an_estimate_of_its_own_gets_one_by_playouts() -> None:
    """Several seats may act at once in this game."""
    state = throw_in.new(3, b"seed", {})
    view, moves = throw_in.view(state, state.turn), list(throw_in.moves(state, state.turn))
    chances = throw_in.estimate(view, moves, luck.rng())
    assert set(chances) == set(moves)
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert chances == throw_in.estimate(view, moves, luck.rng())
    assert chances == estimate(throw_in, view, state.turn, moves, luck.rng())
