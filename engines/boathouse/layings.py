"""Finds every meld and lay-off that a hand allows, and caches them.

A set of cards is an int here: the bits are the places of the cards in canonical order. There are only 589
melds, so the caches by meld need no limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from engines.boathouse.state import DECK, MELDS, Cards, Lay, LayOff, TableMeld, in_canonical_order, points
from engines.cards import RANKS, Card
from engines.game import Move

_CACHE_SIZE = 1 << 12
"""The size of the caches that need a limit."""
_RANK_COUNT = len(RANKS)
RANKS_OF_SUIT = (1 << _RANK_COUNT) - 1
"""All ranks of one suit, as bits; also all cards of the first suit."""
SUITS = (0, _RANK_COUNT, 2 * _RANK_COUNT, 3 * _RANK_COUNT)
"""The place of each suit's lowest bit."""
ACES = sum(1 << suit for suit in SUITS)
"""The ace of each suit; its product with the bits of some ranks is all cards of these ranks."""
_BITS = {card: 1 << card.order for card in DECK}
"""Each card as a bit."""


class Laying(NamedTuple):
    """A meld or a lay-off: the points of its cards, the cards as bits, and the move."""

    points: int
    cards: int
    move: Move


by_points = attrgetter("points")
"""The sort key of layings: their points."""


def bits(cards: Iterable[Card]) -> int:
    """The cards as bits."""
    held = 0
    for card in cards:
        held |= _BITS[card]
    return held


def melds_in(held: int) -> list[Laying]:
    """Every meld that these cards (bits) can make."""
    found: list[Laying] = []
    for suit in SUITS:
        ranks = held >> suit & RANKS_OF_SUIT
        if ranks.bit_count() > 2:
            for stretch in stretches(ranks):
                found += _melds_of(stretch << suit)
    ranks = ranks_of_sets(held)
    while ranks:
        rank = ranks & -ranks
        found += _melds_of(held & rank * ACES)
        ranks ^= rank
    return found


def ranks_of_sets(held: int) -> int:
    """The ranks that three or four of these cards (bits) have, as the bits of one suit."""
    spades, hearts = held & RANKS_OF_SUIT, held >> 13 & RANKS_OF_SUIT
    diamonds, clubs = held >> 26 & RANKS_OF_SUIT, held >> 39
    return spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)


def lay_offs(held: int, melds: Sequence[TableMeld]) -> list[Laying]:
    """Every lay-off of one or more of these cards (bits) on each of the melds."""
    found: list[Laying] = []
    for meld in melds:
        lying, beside = _meld_and_extending(meld.cards)
        if more := held & beside:
            reach = 0
            while more:
                reach |= more
                more = held & _extending(lying | reach)
            found += [_lay_off(meld.name, cards) for cards in _additions(lying, reach)]
    return found


@cache
def stretches(ranks: int) -> tuple[int, ...]:
    """The runs of three or more ranks, each as long as it can be, as bits; ace and king are neighbours."""
    if ranks == RANKS_OF_SUIT:
        return (ranks,)
    begin = next(rank for rank in range(_RANK_COUNT) if not ranks >> rank & 1)
    found, stretch = [], 0
    for n in range(1, _RANK_COUNT + 1):
        if here := ranks & 1 << (begin + n) % _RANK_COUNT:
            stretch |= here
        else:
            found.append(stretch)
            stretch = 0
    return tuple(some for some in found if some.bit_count() > 2)


@cache
def _melds_of(held: int) -> tuple[Laying, ...]:
    melds = map(in_canonical_order, MELDS.melds_in(cards_of(held)))
    return tuple(_laying(Lay(meld)) for meld in melds)


@lru_cache(_CACHE_SIZE)
def _additions(lying: int, held: int) -> tuple[int, ...]:
    """Every choice of held cards (bits) that extends the meld ``lying`` to a larger meld."""
    greater = [one.cards for one in _melds_of(lying | held) if lying & one.cards == lying != one.cards]
    return tuple(cards & ~lying for cards in greater)


@lru_cache(_CACHE_SIZE)
def _lay_off(name: str, cards: int) -> Laying:
    return _laying(LayOff(name, cards_of(cards)))


@lru_cache(_CACHE_SIZE)
def _meld_and_extending(meld: Cards) -> tuple[int, int]:
    """The cards of a meld, and each card that extends it by itself, both as bits."""
    return bits(meld), _extending(bits(meld))


@cache
def _extending(meld: int) -> int:
    """Each card that extends a meld by itself, as bits; every lay-off contains such a card."""
    cards = cards_of(meld)
    alike = (card for card in DECK if card.suit == cards[0].suit or card.rank == cards[0].rank)
    return bits(card for card in alike if card not in cards and MELDS.is_meld((*cards, card)))


def _laying(action: Lay | LayOff) -> Laying:
    return Laying(sum(map(points, action.cards)), bits(action.cards), action.to_move())


def cards_of(held: int) -> Cards:
    """The cards of these bits, in canonical order."""
    cards: list[Card] = []
    while held:
        lowest = held & -held
        cards.append(DECK[lowest.bit_length() - 1])
        held ^= lowest
    return tuple(cards)
