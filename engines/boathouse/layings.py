"""What can be put down from a hand, from tables that fill as hands come up.

Many cards are a number here, with the bit of each card's place in canonical order. There are no more
than 640 melds, and no more stretches of cards in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from engines.boathouse.state import DECK, MELDS, TableMeld, in_canonical_order, points
from engines.cards import RANKS, Card
from engines.game import Move

Cards = tuple[Card, ...]

_REMEMBERED = 1 << 12
"""How many answers are kept where there might be more."""
_RING = len(RANKS)
_SUIT = (1 << _RING) - 1
_SUITS = (0, _RING, 2 * _RING, 3 * _RING)
"""Where each suit begins."""
_ACES = sum(1 << suit for suit in _SUITS)
_BIT = {card: 1 << card.order for card in DECK}.__getitem__


class Laying(NamedTuple):
    """Cards put down at once, as a meld or added to one."""

    points: int
    cards: int
    move: Move


by_points = attrgetter("points")


def bits(cards: Iterable[Card]) -> int:
    """Different cards as a number."""
    return sum(map(_BIT, cards))


def melds_in(held: int) -> list[Laying]:
    """Every meld that can be made of the cards."""
    found: list[Laying] = []
    for suit in _SUITS:
        for stretch in _stretches(held >> suit & _SUIT):
            found += _melds_of(stretch << suit)
    spades, hearts, diamonds, clubs = [held >> suit & _SUIT for suit in _SUITS]
    ranks = spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    while ranks:
        rank = ranks & -ranks
        found += _melds_of(held & rank * _ACES)
        ranks ^= rank
    return found


def lay_offs(held: int, melds: Sequence[TableMeld]) -> list[Laying]:
    """Everything that can be added to each meld of the table: one card or several."""
    found: list[Laying] = []
    for meld in melds:
        lying, beside = _lying(meld.cards)
        if more := held & beside:
            reach = 0
            while more:
                reach |= more
                more = held & _beside(lying | reach)
            found += _lay_offs(lying, reach, meld.name)
    return found


@cache
def _stretches(ranks: int) -> tuple[int, ...]:
    """The ranks of one suit that follow each other, three or more, king and ace too."""
    if ranks == _SUIT:
        return (ranks,)
    begin = next(rank for rank in range(_RING) if not ranks >> rank & 1)
    stretches, stretch = [], 0
    for n in range(1, _RING + 1):
        if here := ranks & 1 << (begin + n) % _RING:
            stretch |= here
        else:
            stretches.append(stretch)
            stretch = 0
    return tuple(some for some in stretches if some.bit_count() > 2)


@cache
def _melds_of(held: int) -> tuple[Laying, ...]:
    melds = map(in_canonical_order, MELDS.melds_in(_cards(held)))
    return tuple(Laying(sum(map(points, meld)), bits(meld), Move("meld", meld)) for meld in melds)


@lru_cache(_REMEMBERED)
def _lay_offs(meld: int, held: int, name: str) -> tuple[Laying, ...]:
    return tuple(
        Laying(worth, cards, Move("layoff", (name, *words))) for worth, cards, words in _added(meld, held)
    )


@lru_cache(_REMEMBERED)
def _added(meld: int, held: int) -> tuple[tuple[int, int, Cards], ...]:
    """The points, the number and the cards of everything from the hand that can be added to a meld."""
    every = map(in_canonical_order, MELDS.lay_offs(_cards(meld), _cards(held)))
    return tuple((sum(map(points, added)), bits(added), added) for added in every)


@lru_cache(_REMEMBERED)
def _lying(meld: Cards) -> tuple[int, int]:
    """The cards of a meld, and those that can be added to it one by one."""
    return bits(meld), _beside(bits(meld))


@cache
def _beside(meld: int) -> int:
    """The cards that can be added to a meld one by one; one of them is in everything that can be added."""
    cards = _cards(meld)
    alike = (card for card in DECK if card.suit == cards[0].suit or card.rank == cards[0].rank)
    return bits(card for card in alike if card not in cards and MELDS.is_meld((*cards, card)))


def _cards(held: int) -> Cards:
    """The cards of a number, in canonical order."""
    return tuple(card for card in DECK if held >> card.order & 1)
