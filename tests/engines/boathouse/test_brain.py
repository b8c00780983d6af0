"""The computer player of Boathouse Rum: moves that it must find, and the end of games of computers."""

from __future__ import annotations

import pytest

from tests import luck
from tests.engines.boathouse.positions import BOATHOUSE, load, position
from tests.support.positions import Position


def thought(where: Position, **options: str) -> str:
    state = load(where, **options)
    moves = list(BOATHOUSE.moves(state, state.turn))
    return str(BOATHOUSE.think(BOATHOUSE.view(state, state.turn), moves, luck.rng()))


def test_it_goes_out_when_it_can() -> None:
    assert thought(position(hands=["9S 9H 9D KC", "2C 3D"])) == "meld 9S 9H 9D"


def test_it_goes_out_by_adding_to_the_table() -> None:
    assert thought(position(hands=["8H KC", "2C 3D"], melds=["5H 6H 7H"])) == "layoff meld_0 8H"


def test_it_goes_out_of_a_closed_game() -> None:
    assert thought(position(hands=["9S 9H 9D KC", "2C 3D"]), going_out="closed") == "out 9S+9H+9D KC"


def test_it_takes_from_the_pile_what_makes_melds() -> None:
    where = position(hands=["9S 9H 5D 6D KC", "2C"], stock="AC 10S 6S", pile="9D 7D", phase="draw")
    assert thought(where) == "draw pile"


def test_it_leaves_a_useless_pile() -> None:
    where = position(hands=["9S 9H 5D 6D", "2C"], stock="AC 10S 6S", pile="KC QH", phase="draw")
    assert thought(where) == "draw stock"


def test_it_discards_what_goes_with_nothing() -> None:
    assert thought(position(hands=["9S 9H 5D 6D KC 3S", "2C"], stock="AC 10S 6S")) == "discard KC"


WAITING = ["9S 9H 9D KC 2S 3S", "2C"]


def test_it_waits_for_a_rummy_while_there_is_time() -> None:
    assert thought(position(hands=WAITING, stock="4C 5C 6C JC QC", pile="4D 8D")) == "discard KC"


def test_it_holds_its_melds_when_the_stock_runs_out_since_they_cost_nothing() -> None:
    assert thought(position(hands=WAITING, stock="4C 5C", pile="4D 8D")) == "discard KC"


def test_it_keeps_dear_cards_that_go_together_rather_than_a_cheap_one_alone() -> None:
    assert thought(position(hands=["KS KH QD JD 5C", "2C"])) == "discard 5C"


def blocks(seats: int, n: int) -> int:
    """The blocked hands among ``n`` hands of computers."""
    blocked = 0
    for number in range(n):
        state, rng = BOATHOUSE.new(seats, b"block %d" % number, {}), luck.rng(number)
        while not BOATHOUSE.result(state):
            moves = list(BOATHOUSE.moves(state, state.turn))
            move = BOATHOUSE.think(BOATHOUSE.view(state, state.turn), moves, rng)
            state, _ = BOATHOUSE.apply(state, state.turn, move)
        blocked += all(state.hands)
    return blocked


def test_most_hands_of_computers_end_with_a_player_out() -> None:
    # One hand in ten is blocked among two players, one in three among six.
    assert sum(blocks(seats, 12) for seats in BOATHOUSE.seats) < 24


@pytest.mark.parametrize("seats", BOATHOUSE.seats)
def test_games_of_computers_end(seats: int) -> None:
    state, rng = BOATHOUSE.new(seats, b"computers", {}), luck.rng(seats)
    for _ in range(1000):
        if BOATHOUSE.result(state):
            break
        moves = list(BOATHOUSE.moves(state, state.turn))
        move = BOATHOUSE.think(BOATHOUSE.view(state, state.turn), moves, rng)
        state, _ = BOATHOUSE.apply(state, state.turn, move)
    assert BOATHOUSE.result(state)
