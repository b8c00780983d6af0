"""Movements worth making: those that bring hand cards to a table whose groups stay whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from engines.cards import Card
from engines.trio_escalera.compose import within_reach
from engines.trio_escalera.groups import Group, arcs, bits, illegal, melds, pieces
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
        reach = within_reach(state)
        drawn = state.drawn
        # Of two equal cards the drawn one comes first, since it must be placed (rule 11).
        self.hand = sorted(state.hands[state.turn], key=lambda card: card != drawn)
        self.table = reach[len(self.hand) :]
        self.held = frozenset(self.hand)
        self.broken = frozenset(illegal(state.groups, state.ace))
        self.fragments = {card for group in self.broken for card in group.cards}
        self.home = {card: group for group in state.groups for card in group.cards}

    def merit(self, movement: Movement) -> tuple[bool, int, int]:
        """Small for good movements."""
        placed = sum(card in self.held for card in movement.cards)
        must = self.state.drawn in self.held and self.state.drawn not in movement.cards
        return must, -placed, len(movement.cards) - placed

    def movements(self, into: Group | None) -> Iterator[Movement]:
        """The movements to one destination."""
        name = into.name if into else None
        table = [card for card in self.table if not into or card not in into.cards]
        for cards in (*self._to_sets(into, table), *self._to_runs(into, table)):
            if self._keeps_whole(into, cards):
                yield Movement(cards, name)

    def _keeps_whole(self, into: Group | None, cards: Sequence[Card]) -> bool:
        """Whether hand cards come to the table and break nothing, or something broken is mended."""
        moved = [card for card in cards if card not in self.held]
        if not moved:
            return True
        if len(moved) == len(cards) and into not in self.broken and self.fragments.isdisjoint(moved):
            return False
        rules = melds(self.ace)
        sources = {self.home[card] for card in moved}
        left = (piece for group in sources for piece in pieces(group.cards, moved, self.ace))
        broken = sum(not rules.is_meld(piece) for piece in left)
        mended = len(self.broken & ({*sources, into} if into else sources))
        return broken < mended or (broken == mended and len(moved) < len(cards))

    def _to_sets(self, into: Group | None, table: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        """Hand cards of one rank, with just as many of the table as make three suits."""
        lying = into.cards if into else ()
        if len({card.rank for card in lying}) > 1:
            return
        for rank in {card.rank: None for card in lying or (*self.hand, *(table if self.broken else ()))}:
            held = [card for card in self.hand if card.rank == rank]
            there = [card for card in table if card.rank == rank]
            for own in _some(held, none_too=bool(self.broken)):
                shown = {card.suit for card in (*lying, *own)}
                for more in combinations(there, max(0, 3 - len(shown))):
                    cards = (*own, *more)
                    if cards and melds(self.ace).is_set((*lying, *cards)):
                        yield cards

    def _to_runs(self, into: Group | None, table: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        """Hand cards of one suit, with cards of the table in the gaps or to make a run of three."""
        lying = into.cards if into else ()
        if len({card.suit for card in lying}) > 1:
            return
        there = bits(lying)
        if there.bit_count() < len(lying):
            return
        for suit in {card.suit: None for card in lying or (*self.hand, *(table if self.broken else ()))}:
            own, others = _by_rank(self.hand, suit), _by_rank(table, suit)
            reach = sum(1 << rank for rank in {*own, *others})
            held = sum(1 << rank for rank in own)
            for arc in arcs(self.ace):
                new = arc.bits & ~there
                if there & ~arc.bits or new & ~reach or not (new & held or (self.broken and new)):
                    continue
                ends = arc.ranks[0], arc.ranks[-1]
                if len(arc.ranks) > 3 and any(new >> end & 1 and end not in own for end in ends):
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


def _by_rank(cards: Sequence[Card], suit: str) -> dict[int, list[Card]]:
    ranks: dict[int, list[Card]] = {}
    for card in cards:
        if card.suit == suit:
            ranks.setdefault(card.number - 1, []).append(card)
    return ranks
