"""Cardlebones' computer player in positions where the right cell is plain."""

from __future__ import annotations

import pytest

from engines.cards import deck
from tests import luck
from tests.engines.cardlebones.positions import CARDLEBONES, EMPTY, load, position
from tests.support.positions import Position


def choice(where: Position, number: int = 1, **options: str) -> str:
    """The move for the seat whose turn it is."""
    state = load(where, **options)
    view, moves = CARDLEBONES.view(state, state.turn), list(CARDLEBONES.moves(state, state.turn))
    return str(CARDLEBONES.think(view, moves, luck.rng(number)))


def others(where: Position) -> list[str]:
    """The cards that lie nowhere yet."""
    lying = {card for board in where["boards"] for column in board for card in column}
    return [str(card) for card in deck() if card not in lying and card != where["drawn"]]


def stocked(*boards: str, drawn: str, turn: int = 0) -> Position:
    """A position with all other cards in the stock."""
    where = position(*boards, drawn=drawn, turn=turn)
    return {**where, "stock": others(where)}


def exhausted(*boards: str, drawn: str) -> Position:
    """A position with all other cards discarded."""
    where = position(*boards, drawn=drawn)
    return {**where, "discard": others(where)}


@pytest.mark.parametrize("other", [EMPTY, "AH AD AC / . . . / . . ."], ids=["ahead", "behind"])
def test_it_takes_its_last_cell(other: str) -> None:
    assert choice(stocked("2S 4H 6D / 3S 5H 7D / 8S . 10H", other, drawn="9D")) == "place c2"


def test_it_places_the_last_card_where_it_wins() -> None:
    """Nothing is left to draw: the pair of queens makes 71 against 52, any other cell 47."""
    where = exhausted("QS . . / . . . / KH 10C .", "KS KC . / . . . / . . .", drawn="QH")
    assert choice(where)[:-1] == "place a"


def test_it_makes_a_pair() -> None:
    where = stocked("9S . . / 2C . . / . . .", EMPTY, drawn="9H")
    assert choice(where)[:-1] == "place a"


def test_it_makes_a_triple() -> None:
    where = stocked("AS AH . / 2C . . / . . .", EMPTY, drawn="AD")
    assert choice(where) == "place a3"


def test_it_finishes_a_run_of_one_suit() -> None:
    where = stocked("KH QH . / 2C 4D . / . . .", EMPTY, drawn="JH")
    assert choice(where) == "place a3"


def test_it_attacks_from_where_the_attack_reaches() -> None:
    """With the attack in the column only, b alone strikes the pair of kings."""
    where = stocked("2C . . / 4S . . / 6D . .", ". . . / KS KC . / . . .", drawn="KH")
    assert choice(where, attack_scope="column")[:-1] == "place b"


def test_it_decides_from_the_view_only() -> None:
    """The order of the stock makes no difference."""
    where = stocked("7C . . / . 5H . / . . .", "3C . . / . . . / . . .", drawn="9S")
    views = [
        CARDLEBONES.view(load({**where, "stock": stock}), 0)
        for stock in (where["stock"], where["stock"][::-1])
    ]
    moves = list(CARDLEBONES.moves(load(where), 0))
    first, second = (
        [CARDLEBONES.think(view, moves, luck.rng(number)) for number in range(5)] for view in views
    )
    assert first == second


@pytest.mark.parametrize("number", range(5))
def test_the_same_luck_gives_the_same_move(number: int) -> None:
    assert choice(stocked(EMPTY, EMPTY, drawn="9S"), number) == choice(
        stocked(EMPTY, EMPTY, drawn="9S"), number
    )


def test_among_equals_chance_decides() -> None:
    assert {choice(stocked(EMPTY, EMPTY, drawn="9S"), number)[-2] for number in range(30)} == {"a", "b", "c"}
