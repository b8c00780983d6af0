"""The races of Casino: the points for many spades and many cards, while some of them are still to be won."""

from __future__ import annotations

from functools import lru_cache
from math import comb

from engines.casino.brain.simulation import Simulation, fields
from engines.casino.state import DECK, MANY_CARDS, SPADE_GOALS

SPADES = sum(card.suit == "S" for card in DECK)
"""The number of spades in the deck."""
CARD_GOALS = (MANY_CARDS,)
"""The number of cards that scores a point (rule 12)."""


@lru_cache(maxsize=50_000)
def swing(own: int, best: int, left: int, seats: int, goals: tuple[int, ...]) -> float:
    """The points that the next card of a race can be expected to win a seat and to deny the best other seat.

    ``left`` cards of the race are still to be won; all but the next one go to any seat with equal chances.
    """
    later = left - 1
    gain: float = sum(
        comb(later, goal - 1 - has) * (seats - 1) ** (later - goal + 1 + has) / seats**later
        for goal in goals
        for has in (own, best)
        if 0 <= goal - 1 - has <= later
    )
    return gain


@lru_cache(maxsize=50_000)
def _expected_lead(own: int, other: int, left: int, goals: tuple[int, ...]) -> float:
    """The expected lead in points of the first of two seats, if each card left goes to either at random."""
    lead = sum(
        comb(left, won) * sum((own + won >= goal) - (other + left - won >= goal) for goal in goals)
        for won in range(left + 1)
    )
    return lead / 2**left if left >= 0 else 0.0


def expected_lead(table: Simulation, seat: int) -> float:
    """The lead that one of two seats can expect at the end, judged by the piles alone."""
    (cards, spades, points), (other_cards, other_spades, other_points) = (
        fields(table.tallies[seat]),
        fields(table.tallies[1 - seat]),
    )
    by_spades = _expected_lead(spades, other_spades, SPADES - spades - other_spades, SPADE_GOALS)
    by_cards = _expected_lead(cards, other_cards, len(DECK) - cards - other_cards, CARD_GOALS)
    return points - other_points + by_spades + by_cards
