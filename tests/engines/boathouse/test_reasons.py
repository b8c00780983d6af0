"""The reasons for moves: the sentences of known positions, and the truth of some in games of computers."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import pytest

from bot.i18n import Speech
from engines.boathouse.state import DECK, MELDS, State, View
from engines.cards import Card
from engines.game import Move
from engines.values import replace
from tests import luck
from tests.engines.boathouse.positions import BOATHOUSE, load, position

ALONE = "AS KD QH 9C 7D 5H 3C"
"""A hand without two cards that go together."""


def reason(state: State, move: str, locale: Literal["en", "es"] = "en") -> str:
    view = BOATHOUSE.view(state, state.turn)
    return Speech(locale, ("Ana", "Luis"))(BOATHOUSE.reason(view, Move.parse(move)))


def test_the_pile_makes_a_meld() -> None:
    state = load(position(hands=["AC AD 9S", "2C"], stock="AS 10S 6D", pile="4C KH AH", phase="draw"))
    assert reason(state, "draw pile") == "A♥ on the pile makes a meld with A♦ and A♣."
    assert reason(state, "draw pile", "es") == "A♥, de la pila, forma una combinación con A♦ y A♣."
    assert reason(state, "draw stock") == "Only A♥ of the two on the pile makes a meld with your cards."


def test_both_cards_of_the_pile_make_a_meld() -> None:
    state = load(position(hands=["AC 9S", "2C"], stock="AS 10S 6D", pile="4C AD AH", phase="draw"))
    assert reason(state, "draw pile") == "A♥ and A♦ on the pile make a meld with A♣."


def test_the_pile_is_useless() -> None:
    state = load(position(hands=["AC AD 9S", "2C"], stock="AS 10S 6D", pile="4C KH 7H", phase="draw"))
    assert reason(state, "draw stock") == "7♥ and K♥ on the pile make no meld with your cards."
    assert reason(state, "draw pile") == "From the pile you know what you get: 7♥ and K♥."


def test_the_pile_fits_the_table() -> None:
    where = position(hands=["2D 2S 9S", "2C"], pile="KC 8H", melds=["5H 6H 7H"], phase="draw")
    assert reason(load(where), "draw pile") == "8♥ on the pile fits a meld on the table."


def test_where_the_stock_has_no_two_new_cards_the_reason_names_none() -> None:
    may_discard = "What you draw from the stock you may discard in the same turn."
    state = load(position(hands=["AC 9S", "2C"], stock="", pile="AD AH", phase="draw"))
    assert reason(state, "flip") == may_discard
    assert reason(state, "flip", "es") == "Lo que robes del mazo lo puedes descartar en el mismo turno."
    state = load(position(hands=["AC 9S", "2C"], stock="6D", pile="AD AH", phase="draw"))
    assert reason(state, "draw stock") == may_discard
    state = load(position(hands=["AC 9S", "2C"], stock="6D 7D", pile="AD AH", phase="draw"))
    assert reason(state, "draw stock") == "Two new cards may help you more than these two."


def test_the_pile_is_too_small() -> None:
    state = load(position(hands=["AC AD 9S", "2C"], stock="AS 10S 6D", pile="4C", phase="draw"))
    assert reason(state, "draw stock") == "There aren't two cards in the pile to take."


def test_a_way_out_and_its_last_discard_are_named() -> None:
    state = load(position(hands=["9S 9H 9D KC", "2C 3D"]))
    assert reason(state, "meld 9S 9H 9D") == "You can go out in this turn."
    after = BOATHOUSE.act(state, 0, "meld 9S 9H 9D")[1]
    assert reason(after, "discard KC") == "You go out, and the others count their cards."


def test_going_out_of_a_closed_game_is_named() -> None:
    state = load(position(hands=["9S 9H 9D KC", "2C 3D"]), going_out="closed")
    assert reason(state, "out 9S+9H+9D KC") == "You go out, and the others count their cards."


def test_a_meld_is_told_by_the_cards_left_and_a_lay_off_by_its_points() -> None:
    state = load(position(hands=["9S 9H 9D KC 2S 8H", "2C 3D"], melds=["5H 6H 7H"]))
    assert reason(state, "meld 9S 9H 9D") == "It leaves you 3 cards."
    assert reason(state, "layoff meld_0 8H") == "8 points less in your hand."


def test_a_card_that_goes_with_nothing_is_called_so() -> None:
    assert (
        reason(load(position(hands=[ALONE, "2C"])), "discard AS") == "A♠ goes with none of your other cards."
    )


def test_a_card_is_said_to_need_neighbours_that_are_elsewhere() -> None:
    where = position(hands=["KS KH 2C 3C 7D", "2D"], stock="AC 10S 6D", pile="KD KC AS QS AH QH")
    said = "K♠ needs cards that are in the pile, on the table or in other hands."
    assert reason(load(where), "discard KS") == said


def test_the_dearest_loose_card_is_called_so() -> None:
    state = load(position(hands=["KS KH 2C 3C 7D", "2D"]))
    assert reason(state, "discard KS") == "No loose card of yours counts more: 10 points."


def test_a_card_is_told_near_which_nobody_is_known_to_keep_any() -> None:
    state = load(position(hands=["KS KH 2C 3C 7D", "2D 4H 9S"]))
    assert reason(state, "discard 2C") == "As far as you know, nobody keeps a card near 2♣."
    taken = replace(state, known_cards=((), (Card("2D"),)))
    assert reason(taken, "discard 2C") == "2♣ is in none of your melds."


def test_a_card_near_a_meld_on_the_table_counts_as_near_one_taken() -> None:
    hands = ["7D 8D 2C KS", "2H 4H 9S"]
    state = load(position(hands=hands))
    assert reason(state, "discard 7D") == "As far as you know, nobody keeps a card near 7♦."
    melded = load(position(hands=hands, stock="AC 10S", melds=["4D 5D 6D"]))
    assert reason(melded, "discard 7D") == "7♦ is in none of your melds."


def test_a_discard_that_breaks_a_meld_has_only_the_rule_for_it() -> None:
    state = load(position(hands=["9S 9H 9D 2S 5S 7C", "8S 3D 4D"]))
    taken = replace(state, known_cards=((), (Card("8S"),)))
    assert reason(taken, "discard 9S") == "Every turn ends with a discard."


def test_the_fourth_of_a_rank_can_be_spared() -> None:
    state = load(position(hands=["9S 9H 9D 9C 5S 7C", "8S 3D 4D"]))
    taken = replace(state, known_cards=((), (Card("8S"),)))
    assert reason(taken, "discard 9S") == "You can spare 9♠: without it, 12 points are unmatched."


def near(card: Card, cards: tuple[Card, ...]) -> bool:
    """Whether one of the cards and some third card of the pack make a meld with the card."""
    return any(
        MELDS.is_meld((card, other, third))
        for other in cards
        for third in DECK
        if len({card, other, third}) == 3
    )


def can_meld(card: Card, cards: list[Card]) -> bool:
    return any(MELDS.is_meld((card, *pair)) for pair in combinations(cards, 2))


def check(view: View, move: Move) -> None:
    """Checks the sentences that say which cards go together."""
    text = BOATHOUSE.reason(view, move)
    hand = list(view.hand)
    others = [card for card in hand if str(card) not in move.words]
    match text.message:
        case "{card} goes with none of your other cards.":
            assert not near(Card(move.words[0]), tuple(others))
        case "As far as you know, nobody keeps a card near {card}.":
            taken = [cards for seat, cards in enumerate(view.known_cards) if seat != view.seat]
            taken += [meld.cards for meld in view.melds]
            assert not any(near(Card(move.words[0]), cards) for cards in taken)
        case "{card} is in none of your melds.":
            assert not can_meld(Card(move.words[0]), others)
        case "{cards} on the pile makes a meld with {others}.":
            cards, melded = text.args["cards"], text.args["others"]
            assert isinstance(cards, tuple)
            assert isinstance(melded, tuple)
            assert MELDS.is_meld([Card(str(card)) for card in (*cards, *melded)])
        case "{cards} on the pile makes no meld with your cards.":
            top = list(view.pile[-2:])
            assert not any(can_meld(card, [*hand, *[one for one in top if one != card]]) for card in top)


@pytest.mark.parametrize("seats", [2, 4])
def test_what_reasons_say_of_cards_that_go_together_is_true(seats: int) -> None:
    rng = luck.rng(seats)
    state = BOATHOUSE.new(seats, rng.randbytes(8), {})
    while BOATHOUSE.result(state) is None:
        view = BOATHOUSE.view(state, state.turn)
        moves = list(BOATHOUSE.moves(state, state.turn))
        for move in moves:
            check(view, move)
        state, _ = BOATHOUSE.apply(state, state.turn, BOATHOUSE.think(view, moves, rng))
