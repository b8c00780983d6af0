"""The computer player of Trío y Escalera where no card leaves its group: it must not block the table."""

from __future__ import annotations

import random

from engines.trio_escalera import game
from engines.trio_escalera.state import State
from tests import luck
from tests.engines.trio_escalera.positions import position

FIXED = {"table_moves": "off"}


def thought(state: State) -> str:
    return str(game.think(game.view(state, 0), list(game.moves(state, 0)), luck.rng()))


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
        # The same luck in every run, as the deals are: the number of games that end so depends on it.
        state, rng = game.new(2, b"fixed %d" % number, FIXED), random.Random(number)
        while not game.result(state):
            move = game.think(game.view(state, state.turn), list(game.moves(state, state.turn)), rng)
            state, _ = game.apply(state, state.turn, move)
        out += not all(state.hands)
    assert out > 4
