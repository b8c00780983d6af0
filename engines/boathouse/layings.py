"""What can be put down from a hand, from tables that fill as hands come up.

Many cards are a number here, with the bit of each card's place in canonical order. There are no more
than 640 melds, and no more stretches of cards in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, reduce
from operator import attrgetter, or_
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
    """The cards as a number."""
    return reduce(or_, map(_BIT, cards), 0)


def melds_in(held: int) -> list[Laying]:
    """Every meld that can be made of the cards."""
    found: list[Laying] = []
    spades, hearts, diamonds, clubs = suits = [held >> suit & _SUIT for suit in _SUITS]
    for suit, ranks in zip(_SUITS, suits, strict=True):
        for stretch in _stretches(ranks):
            found += _melds_of(stretch << suit)
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
            found += [_lay_off(meld.name, cards) for cards in _additions(lying, reach)]
    return found


@cache
def _stretches(ranks: int) -> tuple[int, ...]:
    """The ranks of one suit that follow each other, three or more, king and ace too."""
    if ranks.bit_count() <= 2:
        return ()
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
    return tuple(_laying("meld", (), meld) for meld in melds)


@lru_cache(_REMEMBERED)
def _additions(lying: int, held: int) -> tuple[int, ...]:
    """What is added to a meld is what a greater one has besides."""
    greater = [one.cards for one in _melds_of(lying | held) if lying & one.cards == lying != one.cards]
    return tuple(cards & ~lying for cards in greater)


@lru_cache(_REMEMBERED)
def _lay_off(name: str, cards: int) -> Laying:
    return _laying("layoff", (name,), _cards(cards))


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


def _laying(verb: str, where: tuple[str, ...], cards: Cards) -> Laying:
    return Laying(sum(map(points, cards)), bits(cards), Move(verb, where + cards))


def _cards(held: int) -> Cards:
    """The cards of a number, in canonical order."""
    cards: list[Card] = []
    while held:
        lowest = held & -held
        cards.append(DECK[lowest.bit_length() - 1])
        held ^= lowest
    return tuple(cards)
