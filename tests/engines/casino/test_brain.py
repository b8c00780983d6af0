"""Casino's computer player in positions that have one best move."""

from __future__ import annotations

import pytest

from tests import luck
from tests.engines.casino.positions import CASINO, load, position
from tests.support.positions import Position


def choice(where: Position, seat: int = 0, number: int = 1, **options: str) -> str:
    """The computer's move, with the luck of a number."""
    state = load(where, **options)
    return str(CASINO.think(CASINO.view(state, seat), list(CASINO.moves(state, seat)), luck.rng(number)))


def test_it_captures_the_ten_of_diamonds() -> None:
    assert choice(position(hands=["10S 7C", "9D 3H"], loose="10H 10D 7D")) == "capture 10S 10D"


def test_it_captures_a_build_with_an_ace_rather_than_a_plain_card() -> None:
    assert choice(position(hands=["8C 2H", "9D 3H"], loose="8D", builds=["7H+AD"])) == "capture 8C 7H+AD"


def test_it_captures_a_spade_rather_than_a_plain_card() -> None:
    assert choice(position(hands=["8C 2H", "9D 3H"], loose="8D 8S")) == "capture 8C 8S"


def test_it_captures_with_a_spade_rather_than_with_a_plain_card() -> None:
    assert choice(position(hands=["8C 8S", "9D 3H"], loose="8D")) == "capture 8S 8D"


def test_it_captures_everything_of_a_value_where_the_option_allows() -> None:
    where = position(hands=["8C 2H", "9D 3H"], loose="8D 8H", builds=["7H+AD"])
    assert choice(where, multi_capture="on") == "capture 8C all"


def test_it_throws_a_plain_card_rather_than_a_point() -> None:
    assert choice(position(hands=["AS AD 10D 2S 7C", "9D 3H 4C 5C"])) == "throw 7C"


def test_it_throws_a_card_that_no_other_seat_can_capture() -> None:
    """All other eights lie in piles; nines and tens are unseen."""
    where = position(hands=["8C 9C 10C", "9D 3H"], piles=["8S 8H", "8D 4D"], stock="9H 10S")
    assert choice(where) == "throw 8C"


def test_it_builds_on_an_ace_when_no_other_seat_can_capture_the_build() -> None:
    """The other nines lie in piles."""
    where = position(hands=["8C 9C", "5D"], loose="AD", piles=["9S 9H", "9D 7H"], stock="7D")
    assert choice(where) == "build 8C AD"


@pytest.mark.parametrize(
    ("starter", "answer"), [("AD", "exchange yes"), ("10D", "exchange yes"), ("5S", "exchange yes")]
)
def test_it_exchanges_for_a_starter_card_that_is_worth_more(starter: str, answer: str) -> None:
    where = position(hands=["3H 5C", "9S 7H", "4D 6C"], loose=starter, phase="exchange")
    assert choice(where) == answer


def test_it_takes_its_only_move() -> None:
    assert choice(position(hands=["AS", "9D"], loose="5H")) == "throw AS"


def test_hidden_cards_do_not_change_its_choice() -> None:
    """The ten of spades is in the other hand or in the stock."""
    one = position(hands=["8C 7H 10C", "10S 3H"], loose="2D", stock="5D 4H")
    other = position(hands=["8C 7H 10C", "5D 4H"], loose="2D", stock="10S 3H")
    assert [choice(one, number=number) for number in range(5)] == [
        choice(other, number=number) for number in range(5)
    ]


@pytest.mark.parametrize("number", range(5))
def test_the_same_luck_gives_the_same_move(number: int) -> None:
    where = position(hands=["8C 8H 7C 7H", "9D 3H"])
    assert choice(where, number=number) == choice(where, number=number)


def test_equal_moves_are_chosen_by_chance() -> None:
    where = position(hands=["8C 8H", "9D 3H"])
    assert {choice(where, number=number) for number in range(30)} == {"throw 8C", "throw 8H"}


def test_its_luck_comes_from_the_generator_it_is_given() -> None:
    where = position(hands=["8C 8H", "9D 3H"])
    rng = luck.rng()
    state = load(where)
    view, moves = CASINO.view(state, 0), list(CASINO.moves(state, 0))
    row = [CASINO.think(view, moves, rng) for _ in range(20)]
    again = luck.rng()
    assert row == [CASINO.think(view, moves, again) for _ in range(20)]
