"""Movements worth making: those that bring hand cards to a table whose groups stay whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from operator import or_

from engines.cards import SUITS, Card
from engines.trio_escalera.compose import within_reach
from engines.trio_escalera.groups import Group, arcs, bits, broken_without, illegal, is_whole, melds
from engines.trio_escalera.state import Movement, State

_MOST_FILLERS = 4
"""How many cards of the table a suggested movement uses to fill a run."""
_FEW = 4
"""Of so many equal cards in hand every choice is suggested, of more all or one."""


def movements(state: State) -> tuple[Movement, ...]:
    """From the hand alone, from hand and table, and additions: most hand cards first.

    While groups are broken also what mends one.
    """
    if not state.movements_left:
        return ()
    search = _Search(state)
    targets = [None, *state.groups] if state.on[state.turn] else [None]
    found = {movement: None for into in targets for movement in search.movements(into)}
    return tuple(sorted(found, key=search.merit))


class _Search:
    """What a state offers, laid out by rank and suit."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.ace = state.ace
        reach, drawn = within_reach(state), state.drawn
        # Of two equal cards the drawn one comes first, since it must be placed (rule 11).
        self.hand = sorted(state.hands[state.turn], key=lambda card: card != drawn)
        self.held = frozenset(self.hand)
        self.broken = frozenset(illegal(state.groups, state.ace))
        self.fragments = {card for group in self.broken for card in group.cards}
        self.home = {card: group for group in state.groups for card in group.cards}
        table = reach[len(self.hand) :]
        self.own, self.others = _laid_out(self.hand), _laid_out(table)
        self.ranks_of = {suit: _ranks_of(self.own[suit], self.others[suit]) for suit in SUITS}
        beginning = (*self.hand, *table) if self.broken else self.hand
        self.ranks = {card.number - 1: None for card in beginning}
        self.suits = {card.suit: None for card in beginning}

    def merit(self, movement: Movement) -> tuple[bool, int, int]:
        """Small for good movements."""
        placed = sum(card in self.held for card in movement.cards)
        must = self.state.drawn in self.held and self.state.drawn not in movement.cards
        return must, -placed, len(movement.cards) - placed

    def movements(self, into: Group | None) -> Iterator[Movement]:
        """The movements to one destination."""
        name, lying = (into.name, into.cards) if into else (None, ())
        if len({card.number for card in lying}) <= 1:
            for cards in self._to_sets(lying):
                if self._keeps_whole(into, cards):
                    yield Movement(cards, name)
        if len({card.suit for card in lying}) <= 1 and bits(lying).bit_count() == len(lying):
            for cards in self._to_runs(lying):
                if self._keeps_whole(into, cards):
                    yield Movement(cards, name)

    def _keeps_whole(self, into: Group | None, cards: Sequence[Card]) -> bool:
        """Whether hand cards come to the table and break nothing, or something broken is mended."""
        moved = [card for card in cards if card not in self.held]
        if not moved:
            return True
        if len(moved) == len(cards) and into not in self.broken and self.fragments.isdisjoint(moved):
            return False
        if not into and self._could_be_added(cards, moved):
            return False
        gone = frozenset(moved)
        sources = {self.home[card] for card in moved}
        broken = sum(broken_without(group.cards, gone, self.ace) for group in sources)
        mended = len(self.broken & ({*sources, into} if into else sources))
        return broken < mended or (broken == mended and len(moved) < len(cards))

    def _could_be_added(self, cards: Sequence[Card], moved: Sequence[Card]) -> bool:
        """Whether the hand cards fit to the group from which all the others would be taken for them."""
        source = self.home[moved[0]]
        own = [card for card in cards if card in self.held]
        return all(card in source.cards for card in moved) and is_whole((*source.cards, *own), self.ace)

    def _to_sets(self, lying: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        """Hand cards of one rank, with just as many of the table as make three suits."""
        for rank in (lying[0].number - 1,) if lying else self.ranks:
            held = [card for suit in SUITS for card in self.own[suit].get(rank, ())]
            there = [card for suit in SUITS for card in self.others[suit].get(rank, ()) if card not in lying]
            for own in _some(held, none_too=bool(self.broken)):
                shown = {card.suit for card in (*lying, *own)}
                for more in combinations(there, max(0, 3 - len(shown))):
                    cards = (*own, *more)
                    if cards and melds(self.ace).is_set((*lying, *cards)):
                        yield cards

    def _to_runs(self, lying: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        """Hand cards of one suit, with cards of the table in the gaps or to make a run of three."""
        there = bits(lying)
        for suit in (lying[0].suit,) if lying else self.suits:
            own, others = self.own[suit], self.others[suit]
            held, reach = self.ranks_of[suit]
            wanted = reach if self.broken else held
            for arc in arcs(self.ace, there):
                new = arc.bits & ~there
                if new & ~reach or not new & wanted:
                    continue
                ends = 1 << arc.ranks[0] | 1 << arc.ranks[-1]
                if len(arc.ranks) > 3 and ends & new & ~held:
                    continue
                if (new & ~held).bit_count() <= _MOST_FILLERS:
                    ranks = [rank for rank in arc.ranks if new >> rank & 1]
                    yield from product(*(own[rank][:1] if rank in own else others[rank] for rank in ranks))


def _some(held: Sequence[Card], *, none_too: bool) -> Iterator[tuple[Card, ...]]:
    if none_too:
        yield ()
    for n in range(1, len(held) + 1):
        if len(held) <= _FEW or n in (1, len(held)):
            yield from combinations(held, n)


def _ranks_of(own: Iterable[int], others: Iterable[int]) -> tuple[int, int]:
    """The ranks of the own cards, and those of all, as bits."""
    held = sum(1 << rank for rank in own)
    return held, reduce(or_, (1 << rank for rank in others), held)


def _laid_out(cards: Sequence[Card]) -> dict[str, dict[int, list[Card]]]:
    """The cards by suit and rank (ace 0)."""
    suits: dict[str, dict[int, list[Card]]] = {suit: {} for suit in SUITS}
    for card in cards:
        suits[card.suit].setdefault(card.number - 1, []).append(card)
    return suits
