"""Lists the moves offered to a player: movements worth making, ``end``, ``draw`` and ``reset``.

A movement is worth making if it places hand cards and breaks no group, or if it mends a broken group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations, product
from operator import or_

from engines.cards import SUITS, Card
from engines.game import Move, Seat
from engines.melds import Ace
from engines.trio_escalera.checks import allows
from engines.trio_escalera.groups import Group, arcs, bits, broken_groups, count_broken_pieces, is_whole
from engines.trio_escalera.state import Draw, End, Movement, Reset, State, movement
from engines.values import Value

_MOST_FILLERS = 4
"""The most table cards that an offered movement uses to complete a run."""
_FEW = 4
"""The most hand cards of one rank of which every choice is offered; of more, only one card or all."""
_SUITS_OF_A_SET = 3
_CACHE_SIZE = 1 << 14
"""The size of the caches by ranks, which recur at every table."""
_TABLE_CACHE_SIZE = 1 << 8
"""The size of the caches by table; until the next movement every call has the same table."""

Cards = tuple[Card, ...]
Laid = Mapping[str, Mapping[int, Sequence[Card]]]
"""Cards by suit and rank; the ace is rank 0."""


_OF_ONE_WORD = {action: action.to_move() for action in (End(), Draw(), Reset())}


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves offered to a seat; movements come first while the seat holds a card, else last."""
    if seat != state.turn or state.points is not None:
        return ()
    others = [move for action, move in _OF_ONE_WORD.items() if allows(state, seat, action)]
    worth_making = [one.to_move() for one in movements(state)]
    return (*worth_making, *others) if state.hands[seat] else (*others, *worth_making)


def movements(state: State) -> tuple[Movement, ...]:
    """The movements worth making, in the order of `_Search.sort_key`.

    Each uses cards of the hand, or of hand and table, to lay a new group or to add to one. While groups are
    broken, a movement that mends one may use cards of the table alone.
    """
    if not state.movements_left:
        return ()
    on = state.on[state.turn]
    reaches = on and state.options["table_moves"] == "on"
    return _movements(state.hands[state.turn], state.drawn, state.groups, state.ace, on, reaches)


@lru_cache(_TABLE_CACHE_SIZE)
def _movements(
    hand: Cards, drawn: Card | None, groups: tuple[Group, ...], ace: Ace, on: bool, reaches: bool
) -> tuple[Movement, ...]:
    search = _Search(hand, drawn, _lay_out_table(groups, ace), ace, reaches=reaches)
    targets = [None, *groups] if on else [None]
    found = {movement: None for into in targets for movement in search.movements(into)}
    return tuple(sorted(found, key=search.sort_key))


class _Layout(Value):
    """The cards of the table by group, and by suit and rank."""

    home: Mapping[Card, Group]
    broken: frozenset[str]
    """The names of the groups that are not whole."""
    fragments: frozenset[Card]
    """The cards of the broken groups."""
    laid: Laid
    change_in_broken: dict[Cards, int]
    """The cache of `_Search._change_in_broken`."""


@lru_cache(_TABLE_CACHE_SIZE)
def _lay_out_table(groups: tuple[Group, ...], ace: Ace) -> _Layout:
    home = {card: group for group in groups for card in group.cards}
    broken = broken_groups(groups, ace)
    fragments = frozenset(card for group in broken for card in group.cards)
    return _Layout(home, frozenset(group.name for group in broken), fragments, _lay_out(home), {})


class _Search:
    """Finds the movements that a hand and a table offer."""

    def __init__(self, hand: Cards, drawn: Card | None, table: _Layout, ace: Ace, *, reaches: bool) -> None:
        self.ace, self.drawn, self.table = ace, drawn, table
        # Of two equal cards the drawn one comes first, since it must be placed (rule 11).
        ordered = sorted(hand, key=lambda card: card != drawn)
        self.held = frozenset(hand)
        self.own, self.others = _lay_out(ordered), table.laid if reaches else _NOTHING
        self.ranks_of = {suit: _ranks_of(self.own[suit], self.others[suit]) for suit in SUITS}
        beginning = (*ordered, *table.home) if table.broken and reaches else ordered
        self.ranks = dict.fromkeys([card.number - 1 for card in beginning])
        self.suits = dict.fromkeys([card.suit for card in beginning])

    def sort_key(self, movement: Movement) -> tuple[bool, int, int]:
        """The sort key of movements, best first.

        Movements that leave the drawn card in hand come last. Among the others most hand cards come first,
        then fewest table cards.
        """
        placed = len(self.held.intersection(movement.cards))
        must = self.drawn in self.held and self.drawn not in movement.cards
        return must, -placed, len(movement.cards) - placed

    def movements(self, into: Group | None) -> Iterator[Movement]:
        """The movements to one group, or to a new group if ``into`` is None."""
        name, lying = (into.name, into.cards) if into else (None, ())
        of_one_rank, of_one_suit = _is_of_one_rank_or_suit(lying)
        if of_one_rank:
            for cards in self._to_sets(lying):
                if self._keeps_whole(into, cards):
                    yield movement(cards, name)
        if of_one_suit:
            for cards in self._to_runs(lying):
                if self._keeps_whole(into, cards):
                    yield movement(cards, name)

    def _keeps_whole(self, into: Group | None, cards: Cards) -> bool:
        """Whether a movement breaks no group while it places hand cards, or mends more groups than it breaks.

        A movement to a new group is left out if the group that it takes from could take its hand cards.
        """
        moved = [card for card in cards if card not in self.held]
        if not moved:
            return True
        table, all_moved = self.table, len(moved) == len(cards)
        mends = into is not None and into.name in table.broken
        if all_moved and not mends and table.fragments.isdisjoint(moved):
            return False
        if not into and self._could_be_added(cards, moved):
            return False
        change_in_broken = self._change_in_broken(tuple(moved)) - mends
        return change_in_broken < 0 or (change_in_broken == 0 and not all_moved)

    def _change_in_broken(self, moved: Cards) -> int:
        """The change in the number of broken groups when these cards leave their groups."""
        cached = self.table.change_in_broken
        if moved not in cached:
            sources = {group.name: group for group in map(self.table.home.__getitem__, moved)}
            broken = sum(
                [count_broken_pieces(group.cards, frozenset(moved), self.ace) for group in sources.values()]
            )
            cached[moved] = broken - len(self.table.broken.intersection(sources))
        return cached[moved]

    def _could_be_added(self, cards: Cards, moved: Sequence[Card]) -> bool:
        """Whether all table cards come from one group to which the hand cards could be added instead."""
        source = self.table.home[moved[0]].cards
        for card in moved:
            if card not in source:
                return False
        return is_whole((*source, *[card for card in cards if card in self.held]), self.ace)

    def _to_sets(self, lying: Cards) -> Iterator[Cards]:
        """Choices of hand cards of one rank, each with just enough table cards to make three suits."""
        for rank in (lying[0].number - 1,) if lying else self.ranks:
            held = _of_rank(self.own, rank)
            if not held and not self.table.broken:
                continue
            there = [card for card in _of_rank(self.others, rank) if card not in lying]
            for own in _hand_choices(held, none_too=bool(self.table.broken)):
                shown = {card.suit for card in (*lying, *own)}
                for more in combinations(there, max(0, _SUITS_OF_A_SET - len(shown))):
                    if (own or more) and len(shown.union([card.suit for card in more])) >= _SUITS_OF_A_SET:
                        yield (*own, *more)

    def _to_runs(self, lying: Cards) -> Iterator[Cards]:
        """Choices of hand cards of one suit, with table cards that fill gaps or complete a run of three."""
        there, mending = bits(lying), bool(self.table.broken)
        for suit in (lying[0].suit,) if lying else self.suits:
            own, others = self.own[suit], self.others[suit]
            for ranks in _ranks_to_add(self.ace, there, *self.ranks_of[suit], mending):
                yield from product(*[own[rank][:1] if rank in own else others[rank] for rank in ranks])


@lru_cache(_CACHE_SIZE)
def _ranks_to_add(ace: Ace, there: int, held: int, reach: int, mending: bool) -> tuple[tuple[int, ...], ...]:
    """Every choice of ranks that makes a run with the ranks ``there``; all arguments but the ace are bits.

    The ranks are within ``reach``, and at least one is ``held`` in hand unless ``mending``. Ranks that are
    not held fill gaps; they stand at an end only in a run of three.
    """
    wanted = reach if mending else held
    found: list[tuple[int, ...]] = []
    for arc in arcs(ace, there):
        new = arc.bits & ~there
        if new & ~reach or not new & wanted:
            continue
        ends = 1 << arc.ranks[0] | 1 << arc.ranks[-1]
        if len(arc.ranks) > 3 and ends & new & ~held:
            continue
        if (new & ~held).bit_count() <= _MOST_FILLERS:
            found.append(tuple(rank for rank in arc.ranks if new >> rank & 1))
    return tuple(found)


@lru_cache(_CACHE_SIZE)
def _is_of_one_rank_or_suit(lying: Cards) -> tuple[bool, bool]:
    """Whether the cards are all of one rank, and whether they are of one suit with no rank twice."""
    of_one_suit = len({card.suit for card in lying}) <= 1 and bits(lying).bit_count() == len(lying)
    return len({card.number for card in lying}) <= 1, of_one_suit


def _hand_choices(held: Sequence[Card], *, none_too: bool) -> Iterator[Cards]:
    if none_too:
        yield ()
    for n in range(1, len(held) + 1):
        if len(held) <= _FEW or n in (1, len(held)):
            yield from combinations(held, n)


def _ranks_of(own: Iterable[int], others: Iterable[int]) -> tuple[int, int]:
    """The ranks of the own cards, and the ranks of all cards, as bits."""
    held = sum([1 << rank for rank in own])
    return held, reduce(or_, [1 << rank for rank in others], held)


def _of_rank(laid: Laid, rank: int) -> list[Card]:
    return [card for suit in SUITS if rank in laid[suit] for card in laid[suit][rank]]


def _lay_out(cards: Iterable[Card]) -> Laid:
    suits: dict[str, dict[int, list[Card]]] = {suit: {} for suit in SUITS}
    for card in cards:
        suits[card.suit].setdefault(card.number - 1, []).append(card)
    return suits


_NOTHING = _lay_out(())
