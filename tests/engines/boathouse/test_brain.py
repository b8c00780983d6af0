"""The computer player of Boathouse Rum: what it must not miss, and that games of computers end."""

from __future__ import annotations

from random import Random

import pytest

from tests.engines.boathouse.positions import BOATHOUSE, Position, load, position


def thought(where: Position, **options: str) -> str:
    state = load(where, **options)
    moves = list(BOATHOUSE.moves(state, state.turn))
    return str(BOATHOUSE.think(BOATHOUSE.view(state, state.turn), moves, Random(1)))


def test_it_goes_out_when_it_can() -> None:
    assert thought(position(hands=["9S 9H 9D KC", "2C 3D"])) == "meld 9S 9H 9D"


def test_it_goes_out_by_adding_to_the_table() -> None:
    assert thought(position(hands=["8H KC", "2C 3D"], melds=["5H 6H 7H"])) == "layoff meld_0 8H"


def test_it_goes_out_of_a_closed_game() -> None:
    assert thought(position(hands=["9S 9H 9D KC", "2C 3D"]), going_out="closed") == "out 9S+9H+9D KC"


def test_it_takes_from_the_pile_what_makes_melds() -> None:
    assert thought(position(hands=["9S 9H 5D 6D KC", "2C"], pile="9D 7D", phase="draw")) == "draw pile"


def test_it_leaves_a_useless_pile() -> None:
    assert thought(position(hands=["9S 9H 5D 6D", "2C"], pile="KC QH", phase="draw")) == "draw stock"


def test_it_discards_what_goes_with_nothing() -> None:
    assert thought(position(hands=["9S 9H 5D 6D KC 3S", "2C"])) == "discard KC"


@pytest.mark.parametrize("seats", BOATHOUSE.seats)
def test_games_of_computers_end(seats: int) -> None:
    state, rng = BOATHOUSE.new(seats, b"computers", {}), Random(seats)
    for _ in range(1000):
        if BOATHOUSE.result(state):
            break
        moves = list(BOATHOUSE.moves(state, state.turn))
        move = BOATHOUSE.think(BOATHOUSE.view(state, state.turn), moves, rng)
        state, _ = BOATHOUSE.apply(state, state.turn, move)
    assert BOATHOUSE.result(state)
