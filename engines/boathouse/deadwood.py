"""Divides hands into melds, fast enough for the thousands of divisions that `simulator` needs.

A set of cards is an int here, as in `layings`: bit ``card.order``, thirteen bits for each suit. A few shifts
give the neighbours of all cards at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product
from math import prod

from engines.boathouse.layings import ACES, RANKS_OF_SUIT, SUITS, ranks_of_sets, stretches
from engines.boathouse.state import DECK, points

_KINGS = ACES << 12
ALL = (1 << 52) - 1
_NO_ACES, _NO_KINGS = ALL & ~ACES, ALL & ~_KINGS
_CACHE_SIZE = 1 << 15
_MOST_DIVISIONS = 48
"""The most divisions of a cluster of which `_fewest` tries all."""
_MOST_TRIED = 4_000
"""The most divisions of a cluster that `_leftovers` tries; only hands of 30 cards have more."""
_CARD = 1_000
"""The cost of an unmatched card: more points than any hand has, so that the number of cards counts first."""


def _points_of_suits() -> tuple[int, ...]:
    """The points of every set of cards of one suit."""
    found = [0]
    # Adding up each set by itself would take a tenth of the time that loading all games takes.
    for card in DECK[:13]:
        found += [points(card) + others for others in found]
    return tuple(found)


_POINTS = _points_of_suits()
"""The points of the cards of one suit."""


def points_of(cards: int) -> int:
    """The points of unmatched cards (rule 11)."""
    return (
        _POINTS[cards & RANKS_OF_SUIT]
        + _POINTS[cards >> 13 & RANKS_OF_SUIT]
        + _POINTS[cards >> 26 & RANKS_OF_SUIT]
        + _POINTS[cards >> 39]
    )


def above(cards: int) -> int:
    """The cards one rank higher, each in its suit; above a king lies the ace."""
    return cards << 1 & _NO_ACES | cards >> 12 & ACES


def below(cards: int) -> int:
    """The cards one rank lower, each in its suit; below an ace lies the king."""
    return cards >> 1 & _NO_KINGS | (cards & ACES) << 12


def in_runs(cards: int) -> int:
    """The cards that are part of a sequence of three or more."""
    second = cards << 1 & _NO_ACES | cards >> 12 & ACES
    last = cards & second & (second << 1 & _NO_ACES | second >> 12 & ACES)
    if not last:
        return 0
    middle = last >> 1 & _NO_KINGS | (last & ACES) << 12
    return last | middle | middle >> 1 & _NO_KINGS | (middle & ACES) << 12


def of_ranks(ranks: int) -> int:
    """All cards of these ranks."""
    return ranks * ACES


def melded(cards: int) -> int:
    """The cards that are part of a meld that these cards can make."""
    return in_runs(cards) | cards & of_ranks(ranks_of_sets(cards))


def leftovers(cards: int) -> Iterator[int]:
    """The unmatched cards of each division that may be best, by the fewest cards or by the fewest points."""
    alone, *clusters = _clusters(cards)
    for lefts in product(*map(_leftovers, clusters)):
        yield alone | sum(lefts)


@lru_cache(_CACHE_SIZE)
def unmatched(cards: int) -> int:
    """The unmatched cards of the division that leaves fewest, then those of fewest points."""
    left, *clusters = _clusters(cards)
    for cluster in clusters:
        left |= _fewest(cluster)
    return left


@lru_cache(_CACHE_SIZE)
def deadwood(cards: int) -> int:
    """The fewest points that melds leave unmatched (rule 11)."""
    alone, *clusters = _clusters(cards)
    return points_of(alone) + sum(min(map(points_of, _leftovers(cluster))) for cluster in clusters)


def _clusters(cards: int) -> list[int]:
    """The unmatched cards that no meld can take; then the clusters in which sets and sequences compete.

    A card that a sequence and a set could take joins both; clusters have no card in common.
    """
    runs, ranks = in_runs(cards), ranks_of_sets(cards)
    alone = cards & ~(runs | ranks * ACES)
    if not ranks or not (contested := runs & ranks * ACES):
        return [alone]
    clusters: list[tuple[int, int]] = []
    for suit in SUITS:
        wanted = contested >> suit & RANKS_OF_SUIT
        if not wanted:
            continue
        for stretch in stretches(runs >> suit & RANKS_OF_SUIT):
            if touched := stretch & wanted:
                joined = stretch << suit
                apart = []
                for cluster in clusters:
                    if cluster[0] & touched:
                        touched |= cluster[0]
                        joined |= cluster[1]
                    else:
                        apart.append(cluster)
                clusters = [*apart, (touched, joined)]
    return [alone, *[joined | cards & touched * ACES for touched, joined in clusters]]


@lru_cache(_CACHE_SIZE)
def _fewest(cluster: int) -> int:
    """The unmatched cards of a cluster, fewest and then of fewest points.

    Of a cluster with many divisions, as only large hands have, it tries those that differ in one rank from
    the best so far: rarely another is better.
    """
    choices = _choices(cluster)
    if prod(map(len, choices)) <= _MOST_DIVISIONS:
        return min(_leftovers(cluster), key=_cost)
    best, least = cluster, _cost(cluster)
    sets, before = [ways[0] for ways in choices], 0
    while before != best:
        before = best
        for n, ways in enumerate(choices):
            others = cluster - sum(sets) + sets[n]
            for way in ways:
                left = (others ^ way) & ~in_runs(others ^ way)
                if (cost := _cost(left)) < least:
                    best, least, sets[n] = left, cost, way
    return best


def _cost(left: int) -> int:
    return _CARD * left.bit_count() + points_of(left)


@lru_cache(_CACHE_SIZE)
def _leftovers(cluster: int) -> tuple[int, ...]:
    """The unmatched cards of each division of a cluster."""
    found: dict[int, None] = {}
    for sets in islice(product(*_choices(cluster)), _MOST_TRIED):
        rest = cluster - sum(sets)
        left = rest & ~in_runs(rest)
        if not left:
            return (0,)
        found[left] = None
    return tuple(found)


def _choices(cluster: int) -> list[list[int]]:
    """For each rank, its possible sets: the cards that no sequence can take, and any choice of the others."""
    runs, ranks = in_runs(cluster), ranks_of_sets(cluster)
    choices: list[list[int]] = []
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        alike = cluster & rank * ACES
        wanted = alike & runs
        free = alike ^ wanted
        ways = [free | some for some in _parts(wanted) if (free | some).bit_count() > 2]
        if free.bit_count() < 3:
            ways.append(0)
        choices.append(ways)
    return choices


def _parts(cards: int) -> list[int]:
    """Every part of these cards, all and none too."""
    parts, part = [cards], cards
    while part:
        part = part - 1 & cards
        parts.append(part)
    return parts
