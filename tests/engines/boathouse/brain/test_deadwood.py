"""The fast division of hands: it agrees with the division that settles hands."""

from __future__ import annotations

import pytest

from engines.boathouse.brain import deadwood
from engines.boathouse.layings import bits
from engines.boathouse.state import DECK, MELDS, points
from engines.divisions import divide, takes_all
from tests import luck


@pytest.mark.parametrize("size", [7, 11, 15, 19])
def test_it_finds_the_fewest_points_and_the_fewest_cards(size: int) -> None:
    rng = luck.rng(size)
    for _ in range(25):
        hand = rng.sample(DECK, size)
        held = bits(hand)
        assert deadwood.deadwood(held) == divide(hand, MELDS, points).points
        left = deadwood.unmatched(held)
        assert left.bit_count() == len(divide(hand, MELDS, lambda _: 1).unmatched)
        assert min(map(int.bit_count, deadwood.unmatched_choices(held))) == left.bit_count()
        assert (left.bit_count() <= 1) == takes_all(hand, MELDS, but=1)


@pytest.mark.parametrize("size", [24, 30, 36])
def test_of_a_large_hand_it_finds_the_fewest_points(size: int) -> None:
    rng = luck.rng(size)
    for _ in range(5):
        hand = rng.sample(DECK, size)
        assert deadwood.deadwood(bits(hand)) == divide(hand, MELDS, points).points


def test_of_a_hand_with_very_many_divisions_it_finds_the_fewest_points() -> None:
    hand = [card for card in DECK if card.number <= 5 or card == "KC"]
    assert deadwood.deadwood(bits(hand)) == divide(hand, MELDS, points).points == 0


def test_the_cards_of_a_large_hand_are_those_of_a_division() -> None:
    rng = luck.rng()
    for _ in range(20):
        hand = rng.sample(DECK, 26)
        left = deadwood.unmatched(bits(hand))
        matched = [card for card in hand if not left >> card.order & 1]
        assert not divide(matched, MELDS, points).unmatched
