"""The computer player of Trío y Escalera: wins in reach, whole turns, and tables where no card may move."""

from __future__ import annotations

import random

import pytest

from engines.game import Level
from engines.trio_escalera.brain import computers
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import State
from tests import luck
from tests.engines.trio_escalera.positions import position, reach

WIN = {"escalera_4": "3Sb 4Sr 5Sb", "trio_5": "6Sr 6Hb 6Db 6Cr"}
FOUR_GROUPS = {
    "escalera_0": "AHr 2Hb 3Hr",
    "escalera_4": "ASb 2Sb 3Sb",
    "trio_0": "AHb ADb ACr",
    "trio_4": "3Hb 3Dr 3Cb",
}
FIXED = {"table_moves": "off"}
LONGEST = 12
"""More moves than a turn with its draw, and a reset as its first move, can have."""


def thought(state: State) -> str:
    return str(game.think(game.view(state, 0), list(game.moves(state, 0)), luck.rng()))


def turn(state: State, level: Level = "normal") -> list[str]:
    """The moves of seat 0 to the end of its turn."""
    made: list[str] = []
    while state.turn == 0 and game.result(state) is None:
        assert len(made) < LONGEST, made
        move = game.think(game.view(state, 0), list(game.moves(state, 0)), luck.rng(), level)
        made.append(str(move))
        state, _ = game.apply(state, 0, move)
    return made


def test_it_breaks_a_run_and_mends_it_to_go_out() -> None:
    assert turn(position("3Hb 3Cr", WIN)) == ["lay 3Sb 3Hb 3Cr", "add escalera_4 6Sr", "end"]


def test_a_run_that_could_not_be_mended_in_time_stays() -> None:
    assert turn(position("3Hb 3Cr", WIN, movements_left=1))[0] == "draw"


def test_with_complete_groups_after_every_movement_no_run_is_broken() -> None:
    assert turn(position("3Hb 3Cr", WIN, options={"strict": "on"}))[0] == "draw"


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_opens_where_a_turn_has_one_movement_only(level: Level) -> None:
    state = position("5Hr 5Dr 5Sr KCb", on=False, options={"movements": "1"})
    assert turn(state, level)[0] == "lay 5Sr 5Hr 5Dr"


def test_a_turn_that_another_began_badly_is_taken_back() -> None:
    state = reach(position("9Sr KHb", WIN), "lay 4Sr 5Sb 6Sr")
    assert turn(state)[:2] == ["reset", "draw"]


def test_a_turn_that_another_began_well_is_finished() -> None:
    assert turn(reach(position("3Hb 3Cr", WIN), "lay 3Sb 3Hb 3Cr")) == ["add escalera_4 6Sr", "end"]


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_a_turn_whose_last_movements_place_no_card_is_finished(level: Level) -> None:
    state = position("3Hb 3Cr 4Hb 5Hb", {"escalera_4": "3Sb 4Sr 5Sb", "escalera_7": "6Sr 7Sr 8Sb"})
    made = turn(reach(state, "lay 3Sb 3Hb 3Cr"), level)
    assert (len(made), made[-1]) == (2, "end")


def test_every_planned_turn_is_carried_out_to_its_end() -> None:
    state, rng = game.new(2, b"whole turns", {}), luck.rng()
    while game.result(state) is None:
        move = game.think(game.view(state, state.turn), list(game.moves(state, state.turn)), rng)
        assert move.verb != "reset"
        state, _ = game.apply(state, state.turn, move)


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_a_turn_goes_on_as_it_was_planned_at_the_last_commit(level: Level) -> None:
    table = {
        "trio_4": "ASr AHr ADb",
        "escalera_5": "10Hr JHr QHb KHr",
        "escalera_9": "JSr QSr KSb",
        "escalera_10": "QDr KDr ADr",
    }
    planned = ["lay ADr 2Dr 3Db", "add escalera_10 ADb", "add escalera_9 ASr", "add escalera_5 AHr", "end"]
    assert turn(position("2Dr 3Db", table), level) == planned


def test_a_hard_computer_may_keep_a_card_that_it_could_place() -> None:
    table = {"trio_0": "10Hb 10Dr 10Cr 10Cb", "escalera_0": "2Cr 3Cr 4Cr 5Cr"}
    state = position("3Sr 8Sb 6Hb 8Hr ACr 6Cb 6Cr", table)
    assert turn(state) == ["add escalera_0 ACr 6Cb", "end"]
    assert turn(state, "hard") == ["add escalera_0 6Cb", "end"]


def test_only_a_hard_computer_breaks_several_groups_at_once_to_go_out() -> None:
    state = position("2Sr 2Db", FOUR_GROUPS)
    out = ["lay ASb 2Sr 3Sb", "add escalera_4 2Hb 2Db", "add trio_0 AHr", "add trio_4 3Hr", "end"]
    assert turn(state, "hard") == out
    assert turn(state)[0] == "draw"


def test_an_estimate_follows_the_plan_of_a_turn_whose_end_its_own_search_misses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(computers, "_STEPS", 1)
    state = position("2Sr 2Db", FOUR_GROUPS)
    chances = game.estimate(game.view(state, 0), list(game.moves(state, 0)), luck.rng())
    assert {str(move): chance for move, chance in chances.items() if chance == 1} == {"lay ASb 2Sr 3Sb": 1}


def test_a_beginner_goes_out_where_it_can() -> None:
    assert turn(position("6Cr", {"trio_0": "6Sr 6Hb 6Db"}), "easy") == ["add trio_0 6Cr", "end"]


def test_a_beginner_breaks_no_group() -> None:
    assert turn(position("3Hb 3Cr", WIN), "easy")[0] == "draw"


def test_it_lays_no_run_of_ranks_that_no_trio_takes() -> None:
    assert thought(position("4Dr 5Dr 6Dr 9Cr", on=True, options=FIXED)) == "draw"


def test_where_cards_may_be_moved_it_lays_the_run() -> None:
    assert thought(position("4Dr 5Dr 6Dr 9Cr", on=True)) == "lay 4Dr 5Dr 6Dr"


def test_it_opens_with_a_run() -> None:
    assert thought(position("4Dr 5Dr 6Dr 9Cr", on=False, options=FIXED)) == "lay 4Dr 5Dr 6Dr"


def test_it_goes_out_with_a_run() -> None:
    assert thought(position("4Dr 5Dr 6Dr", on=True, options=FIXED)) == "lay 4Dr 5Dr 6Dr"


RUN = {"escalera_0": "4Dr 5Dr 6Dr"}


def test_it_adds_a_card_alone_of_its_rank_to_a_run() -> None:
    assert thought(position("7Dr KSr QCr", RUN, options=FIXED)) == "add escalera_0 7Dr"


def test_it_keeps_a_pair_for_a_trio() -> None:
    assert thought(position("7Dr 7Sr QCr", RUN, options=FIXED)) == "draw"


def test_it_adds_to_a_run_what_a_trio_would_take_too() -> None:
    table = {**RUN, "trio_0": "7Hr 7Cr 7Sb"}
    assert thought(position("7Dr 8Dr KSr KHr", table, options=FIXED)).startswith("add")


def test_most_games_of_two_computers_end_with_an_empty_hand() -> None:
    out = 0
    for number in range(8):
        # The luck, like the deals, is the same in every run: the number of games that end so depends on it.
        state, rng = game.new(2, b"fixed %d" % number, FIXED), random.Random(number)
        while not game.result(state):
            move = game.think(game.view(state, state.turn), list(game.moves(state, state.turn)), rng)
            state, _ = game.apply(state, state.turn, move)
        out += not all(state.hands)
    assert out > 4
