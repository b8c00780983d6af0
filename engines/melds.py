"""Sets and runs: which cards are a meld, and which melds a hand has.

This module depends on no game: each game defines its melds with a `Melds`. It works with one pack or two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, reduce
from itertools import combinations, product
from operator import or_
from typing import Literal

from engines.cards import RANKS, SUITS, Card

Ace = Literal["low", "low_or_high", "wrap"]
"""The runs that an ace allows: ``low`` A-2-3; ``low_or_high`` also Q-K-A; ``wrap`` also K-A-2."""
Meld = tuple[Card, ...]

_RANK_COUNT = len(RANKS)
LEAST_CARDS = 3
"""The fewest cards of a set or a run."""
_CACHE_SIZE = 1 << 14
"""The size of the cache of `_ranks_in_runs`."""


@dataclass(frozen=True, slots=True)
class Melds:
    """A game's definition of a meld: a set of one rank, or a run of one suit without a rank twice.

    Both have three cards or more; the backs of the cards do not matter.
    """

    ace: Ace = "low"
    longest: int = _RANK_COUNT
    """The most cards of a run: 5 or more, so that a longer stretch always divides into whole runs."""
    set_sizes: range = range(3, 5)
    """The possible numbers of cards of a set."""
    least_suits: int = 3
    """The fewest suits of a set."""
    _arcs: Mapping[int, int] = field(init=False, repr=False, compare=False)
    """All possible runs, as the function `_arcs` gives them."""

    def __post_init__(self) -> None:
        assert self.longest >= 2 * LEAST_CARDS - 1
        assert self.set_sizes.start >= LEAST_CARDS
        object.__setattr__(self, "_arcs", _arcs(self.ace, self.longest))

    @property
    def runs(self) -> tuple[tuple[int, ...], ...]:
        """The ranks of every possible run (ace 0, king 12) in table order, short runs first."""
        return tuple(
            tuple(rank % _RANK_COUNT for rank in range(first, first + arc.bit_count()))
            for arc, first in self._arcs.items()
        )

    def is_run(self, cards: Sequence[Card]) -> bool:
        """Whether the cards, in any order, are a run."""
        if len(cards) < LEAST_CARDS or any(card.suit != cards[0].suit for card in cards):
            return False
        ranks = rank_bits(cards)
        return ranks in self._arcs and ranks.bit_count() == len(cards)

    def is_set(self, cards: Sequence[Card]) -> bool:
        """Whether the cards, in any order, are a set."""
        return (
            len(cards) in self.set_sizes
            and len({card.rank for card in cards}) == 1
            and len({card.suit for card in cards}) >= self.least_suits
            and len(set(cards)) == len(cards)
        )

    def is_meld(self, cards: Sequence[Card]) -> bool:
        """Whether the cards, in any order, are a set or a run."""
        return self.is_set(cards) or self.is_run(cards)

    def in_order(self, meld: Sequence[Card]) -> Meld:
        """Sorts a meld in table order: a run from its first card, a set by suits."""
        if self.is_run(meld):
            first = self._arcs[rank_bits(meld)]
            return tuple(sorted(meld, key=lambda card: (card.number - 1 - first) % _RANK_COUNT))
        return tuple(sorted(meld, key=lambda card: (card.number, SUITS.index(card.suit), card.order)))

    def melds_in(self, hand: Sequence[Card], *, backs: bool = True) -> Iterator[Meld]:
        """Yields every meld that can be made of cards of the hand, each in table order.

        Without ``backs``, yields only the first of several melds that differ only in backs.
        """
        for held in _by_suit(hand).values():
            ranks = rank_bits(held)
            for arc, first in self._arcs.items():
                if not arc & ~ranks:
                    yield from _one_of_each_rank(held, arc, first, backs=backs)
        for held in _by_rank(hand).values():
            yield from self._sets(held, backs=backs)

    def lay_offs(self, meld: Sequence[Card], hand: Sequence[Card], *, backs: bool = True) -> Iterator[Meld]:
        """Yields all combinations of hand cards that extend the meld, each in table order.

        ``backs`` is as in `melds_in`.
        """
        if self.is_run(meld):
            lying = rank_bits(meld)
            held = [card for card in hand if card.suit == meld[0].suit]
            ranks = rank_bits(held)
            for arc, first in self._arcs.items():
                if arc & lying == lying and arc != lying and not arc & ~lying & ~ranks:
                    yield from _one_of_each_rank(held, arc & ~lying, first, backs=backs)
            return
        held = [card for card in hand if card.rank == meld[0].rank]
        for n in range(1, self.set_sizes.stop - len(meld)):
            for added in _combinations(held, n, backs=backs):
                if self.is_set((*meld, *added)):
                    yield self.in_order(added)

    def joining(self, cards: Sequence[Card], others: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of ``others`` that can be in a meld with all of ``cards``, perhaps with more others."""
        if not cards:
            return self.useful(others)
        suit, wanted, in_runs = cards[0].suit, rank_bits(cards), 0
        if wanted.bit_count() == len(cards) and all(card.suit == suit for card in cards):
            available = wanted | rank_bits([card for card in others if card.suit == suit])
            in_runs = _ranks_in_runs(self.ace, self.longest, available, wanted) & ~wanted
        in_sets = self._joining_set(cards, others)
        return tuple(
            [
                card
                for card in others
                if (card.suit == suit and in_runs >> card.number - 1 & 1) or card in in_sets
            ]
        )

    def useful(self, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of the hand that belong to at least one meld in it."""
        ranks: dict[str, int] = {}
        suits: dict[str, list[str]] = {}
        for card in hand:
            ranks[card.suit] = ranks.get(card.suit, 0) | 1 << card.number - 1
            suits.setdefault(card.rank, []).append(card.suit)
        # Every longer run is a union of runs of `LEAST_CARDS` cards, so those suffice.
        in_runs = {suit: _ranks_in_runs(self.ace, LEAST_CARDS, bits) for suit, bits in ranks.items()}
        least, least_suits = self.set_sizes.start, self.least_suits
        in_sets = {rank for rank, of in suits.items() if len(of) >= least and len(set(of)) >= least_suits}
        return tuple(
            [card for card in hand if in_runs[card.suit] >> card.number - 1 & 1 or card.rank in in_sets]
        )

    def _sets(self, held: Sequence[Card], *, backs: bool) -> Iterator[Meld]:
        for size in self.set_sizes if len(held) >= self.set_sizes.start else ():
            for cards in _combinations(held, size, backs=backs):
                if self.is_set(cards):
                    yield self.in_order(cards)

    def _joining_set(self, cards: Sequence[Card], others: Sequence[Card]) -> list[Card]:
        """The cards of ``others`` that can be in a set with all of ``cards``, perhaps with more others."""
        rank, suits = cards[0].rank, {card.suit for card in cards}
        if any(card.rank != rank for card in cards) or len(set(cards)) < len(cards):
            return []
        alike = [card for card in others if card.rank == rank and card not in cards]
        enough = len(suits.union([card.suit for card in alike])) >= self.least_suits
        if not enough or len(cards) + len(alike) < self.set_sizes[0]:
            return []
        # How many more cards a set can take beside ``cards`` and one other.
        room = self.set_sizes[-1] - len(cards) - 1
        return [card for card in alike if self.least_suits - len(suits | {card.suit}) <= room and room >= 0]


@cache
def _arcs(ace: Ace, longest: int) -> dict[int, int]:
    """Maps every possible run, a bit mask of its ranks (bit 0 is the ace), to its first rank (ace 0)."""
    arcs: dict[int, int] = {}
    for size in range(LEAST_CARDS, longest + 1):
        for first in range(_RANK_COUNT):
            beyond = first + size - _RANK_COUNT
            if beyond <= {"low": 0, "low_or_high": 1, "wrap": _RANK_COUNT}[ace]:
                bits = sum(1 << rank % _RANK_COUNT for rank in range(first, first + size))
                arcs.setdefault(bits, first)
    return arcs


@lru_cache(_CACHE_SIZE)
def _ranks_in_runs(ace: Ace, longest: int, available: int, wanted: int = 0) -> int:
    """The union of all runs of ``available`` ranks that include all ``wanted`` ranks; all are bit masks."""
    arcs = _arcs(ace, longest)
    return reduce(or_, [arc for arc in arcs if not arc & ~available and not wanted & ~arc], 0)


def rank_bits(cards: Iterable[Card]) -> int:
    """The ranks of the cards as a bit mask; bit 0 is the ace."""
    bits = 0
    for card in cards:
        bits |= 1 << card.number - 1
    return bits


def _by_suit(cards: Sequence[Card]) -> dict[str, list[Card]]:
    suits: dict[str, list[Card]] = {}
    for card in cards:
        suits.setdefault(card.suit, []).append(card)
    return suits


def _by_rank(cards: Sequence[Card]) -> dict[str, list[Card]]:
    ranks: dict[str, list[Card]] = {}
    for card in cards:
        ranks.setdefault(card.rank, []).append(card)
    return ranks


def _one_of_each_rank(held: Sequence[Card], arc: int, first: int, *, backs: bool) -> Iterator[Meld]:
    """Yields every choice of one card of each rank of ``arc`` (bits), in table order from ``first`` on.

    ``held`` are of one suit. Without ``backs``, yields only the first choice.
    """
    ring = [rank % _RANK_COUNT for rank in range(first, first + _RANK_COUNT)]
    ranks = [rank for rank in ring if arc >> rank & 1]
    choice = [[card for card in held if card.number - 1 == rank] for rank in ranks]
    return product(*(cards if backs else cards[:1] for cards in choice))


def _combinations(held: Sequence[Card], n: int, *, backs: bool) -> Iterator[Meld]:
    """Yields all combinations of n cards; without ``backs``, only the first of those with equal suits."""
    seen: set[tuple[str, ...]] = set()
    for cards in combinations(held, n):
        suits = tuple(sorted(card.suit for card in cards))
        if backs or suits not in seen:
            seen.add(suits)
            yield cards
