"""Divides hands into melds with bit operations, for the computer players.

`engines.divisions` divides any hand exactly, but takes longer. Cards are an int here, as in `layings`: bit
``card.order``, thirteen bits for each suit. A few shifts give the neighbours of all cards at once. The word
“set” means a meld of cards of one rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product
from math import prod

from engines.boathouse.layings import ACES, RANKS_OF_SUIT, SUITS, cards_of, ranks_of_sets, stretches
from engines.boathouse.state import DECK, MELDS, points
from engines.divisions import divide

_KINGS = ACES << 12
ALL = (1 << 52) - 1
"""The whole deck."""
_NO_ACES, _NO_KINGS = ALL & ~ACES, ALL & ~_KINGS
_CACHE_SIZE = 1 << 15
_MOST_DIVISIONS = 48
"""If a cluster has more divisions, `_unmatched` does not try all of them."""
_MOST_TRIED = 4_000
"""The most divisions of a cluster that `_unmatched_choices` tries.

From 20 cards on a cluster may have more (ace to five in all suits: 7,776), but few hands of fewer than 32
cards have such a cluster.
"""
_UNMATCHED_COST = 1_000
"""The cost of an unmatched card: more points than any hand has, so that the number of cards counts first."""


def _points_by_ranks() -> tuple[int, ...]:
    """A table by bit mask: entry m is the points of the ranks whose bits m has."""
    found = [0]
    # Each card doubles the table. Summing up each mask by itself takes fourteen times as long, at import.
    for card in DECK[:13]:
        found += [points(card) + others for others in found]
    return tuple(found)


_POINTS = _points_by_ranks()
"""The points of cards of one suit, by the bits of their ranks."""


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
    """The cards that are part of a run of three or more."""
    # `above` and `below` are inlined: this is called for every imagined hand.
    second = cards << 1 & _NO_ACES | cards >> 12 & ACES
    last = cards & second & (second << 1 & _NO_ACES | second >> 12 & ACES)
    if not last:
        return 0
    middle = last >> 1 & _NO_KINGS | (last & ACES) << 12
    return last | middle | middle >> 1 & _NO_KINGS | (middle & ACES) << 12


def of_ranks(ranks: int) -> int:
    """All cards of these ranks."""
    return ranks * ACES


def meldable(cards: int) -> int:
    """The cards that are part of a meld that these cards can make."""
    return in_runs(cards) | cards & of_ranks(ranks_of_sets(cards))


def unmatched_choices(cards: int) -> Iterator[int]:
    """The unmatched cards of each division that may be best, by the fewest cards or by the fewest points.

    Of a cluster with more than `_MOST_TRIED` divisions, only so many are tried, so the best may be missing.
    """
    alone, clusters = _clusters(cards)
    for lefts in product(*map(_unmatched_choices, clusters)):
        yield alone | sum(lefts)


@lru_cache(_CACHE_SIZE)
def unmatched(cards: int) -> int:
    """The unmatched cards of a division that leaves as few as possible, and then as few points.

    Of a cluster with more than `_MOST_DIVISIONS` divisions only some are tried, so the best may be missed.
    """
    left, clusters = _clusters(cards)
    for cluster in clusters:
        left |= _unmatched(cluster)
    return left


@lru_cache(_CACHE_SIZE)
def deadwood(cards: int) -> int:
    """The fewest points that melds leave unmatched (rule 11)."""
    alone, clusters = _clusters(cards)
    return points_of(alone) + sum(map(_least_points, clusters))


def _clusters(cards: int) -> tuple[int, list[int]]:
    """The cards that no meld can take, and the clusters in which sets and runs compete.

    A card that a run and a set could both take puts the two into one cluster, so no card is in two clusters.
    The cards of all other melds are left out: those melds are always made.
    """
    runs, ranks = in_runs(cards), ranks_of_sets(cards)
    alone = cards & ~(runs | of_ranks(ranks))
    if not ranks or not (contested := runs & of_ranks(ranks)):
        return alone, []
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
    return alone, [joined | cards & of_ranks(touched) for touched, joined in clusters]


@lru_cache(_CACHE_SIZE)
def _least_points(cluster: int) -> int:
    """The fewest points that melds leave unmatched of a cluster."""
    if prod(map(len, _choices(cluster))) > _MOST_TRIED:
        return divide(cards_of(cluster), MELDS, points).points
    return min(map(points_of, _unmatched_choices(cluster)))


@lru_cache(_CACHE_SIZE)
def _unmatched(cluster: int) -> int:
    """The unmatched cards of a cluster, fewest and then of fewest points.

    A cluster of eleven cards or more may have more than `_MOST_DIVISIONS` divisions; in hands of up to 24
    cards few have. Then the search goes from the best division so far to a better one that differs in one
    rank, until there is none, so the result may not be the best.
    """
    choices = _choices(cluster)
    if prod(map(len, choices)) <= _MOST_DIVISIONS:
        return min(_unmatched_choices(cluster), key=_cost)
    # The cost to begin with is that of melding nothing.
    best, least = cluster, _cost(cluster)
    sets = [ways[0] for ways in choices]
    before = 0
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
    """How bad it is to leave these cards unmatched: by their number, then by their points."""
    return _UNMATCHED_COST * left.bit_count() + points_of(left)


@lru_cache(_CACHE_SIZE)
def _unmatched_choices(cluster: int) -> tuple[int, ...]:
    """The unmatched cards of each division of a cluster in which every run takes all it can.

    At most `_MOST_TRIED` divisions are tried; if one leaves nothing, the result is ``(0,)``.
    """
    found: dict[int, None] = {}
    for sets in islice(product(*_choices(cluster)), _MOST_TRIED):
        rest = cluster - sum(sets)
        left = rest & ~in_runs(rest)
        if not left:
            return (0,)
        found[left] = None
    return tuple(found)


def _choices(cluster: int) -> list[list[int]]:
    """For each rank, the sets to try: its cards that no run can take, with any choice of its other cards.

    No set, 0, is tried too, unless three cards of the rank or more can be in no run.
    """
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
