"""Divides hands into melds as fast as the simulator of hands needs it.

A set of cards is an int here, as in `layings`: bit ``card.order``, thirteen bits for each suit. A few shifts
give the neighbours of all cards at once.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from engines.boathouse.state import DECK, points

_SUIT = (1 << 13) - 1
_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
_KINGS = _ACES << 12
ALL = (1 << 52) - 1
_NO_ACES, _NO_KINGS = ALL & ~_ACES, ALL & ~_KINGS
_CACHE_SIZE = 1 << 15
_POINTS = tuple(
    sum(points(DECK[rank]) for rank in range(13) if cards >> rank & 1) for cards in range(1 << 13)
)
"""The points of the cards of one suit."""


def points_of(cards: int) -> int:
    """The points of unmatched cards (rule 11)."""
    return (
        _POINTS[cards & _SUIT]
        + _POINTS[cards >> 13 & _SUIT]
        + _POINTS[cards >> 26 & _SUIT]
        + _POINTS[cards >> 39]
    )


def above(cards: int) -> int:
    """The cards one rank higher, each in its suit; above a king lies the ace."""
    return cards << 1 & _NO_ACES | cards >> 12 & _ACES


def below(cards: int) -> int:
    """The cards one rank lower, each in its suit; below an ace lies the king."""
    return cards >> 1 & _NO_KINGS | (cards & _ACES) << 12


def in_runs(cards: int) -> int:
    """The cards that are part of a sequence of three or more."""
    second = cards << 1 & _NO_ACES | cards >> 12 & _ACES
    last = cards & second & (second << 1 & _NO_ACES | second >> 12 & _ACES)
    if not last:
        return 0
    middle = last >> 1 & _NO_KINGS | (last & _ACES) << 12
    return last | middle | middle >> 1 & _NO_KINGS | (middle & _ACES) << 12


def ranks_of_sets(cards: int) -> int:
    """The ranks, as the bits of one suit, of which there are three or four cards."""
    spades, hearts, diamonds, clubs = cards & _SUIT, cards >> 13 & _SUIT, cards >> 26 & _SUIT, cards >> 39
    return spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)


def ranks_of_pairs(cards: int) -> int:
    """The ranks, as the bits of one suit, of which there are two cards or more."""
    spades, hearts, diamonds, clubs = cards & _SUIT, cards >> 13 & _SUIT, cards >> 26 & _SUIT, cards >> 39
    return spades & hearts | diamonds & clubs | (spades | hearts) & (diamonds | clubs)


def of_ranks(ranks: int) -> int:
    """All cards of these ranks."""
    return ranks * _ACES


def melded(cards: int) -> int:
    """The cards that are part of a meld that these cards can make."""
    return in_runs(cards) | cards & of_ranks(ranks_of_sets(cards))


@lru_cache(_CACHE_SIZE)
def leftovers(cards: int) -> tuple[int, ...]:
    """The unmatched cards of each division worth a thought; one of them has fewest cards, one fewest points.

    A set takes all its cards that no sequence wants; for those that one wants, every way is tried.
    """
    runs = in_runs(cards)
    ranks = ranks_of_sets(cards)
    choices: list[list[int]] = []
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        alike = cards & rank * _ACES
        wanted = alike & runs
        free = alike ^ wanted
        if not wanted:
            cards ^= alike
            continue
        ways = [free | some for some in _parts(wanted) if (free | some).bit_count() > 2]
        if free.bit_count() < 3:
            ways.append(0)
        choices.append(ways)
    if not choices:
        return (cards & ~runs,)
    found = []
    for sets in product(*choices):
        rest = cards
        for one in sets:
            rest ^= one
        left = rest & ~in_runs(rest)
        if not left:
            return (0,)
        found.append(left)
    return tuple(dict.fromkeys(found))


def _parts(cards: int) -> list[int]:
    """Every part of these cards, all and none too."""
    parts, part = [cards], cards
    while part:
        part = part - 1 & cards
        parts.append(part)
    return parts


@lru_cache(_CACHE_SIZE)
def unmatched(cards: int) -> int:
    """The unmatched cards of the division that leaves fewest, then those of fewest points."""
    found = leftovers(cards)
    if len(found) == 1:
        return found[0]
    fewest = min(map(int.bit_count, found))
    return min([left for left in found if left.bit_count() == fewest], key=points_of)


@lru_cache(_CACHE_SIZE)
def deadwood(cards: int) -> int:
    """The fewest points that melds leave unmatched (rule 11)."""
    return min(map(points_of, leftovers(cards)))
