"""Groups on the table: their names, their legality, and the splitting of runs (rules 4 to 6 and 9).

A group is *whole* if it is legal by rules 4 and 5, else *broken*. This module does not use players, hands or
turns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, lru_cache

from engines.cards import BACKS, RANKS, SUITS, Card, deck
from engines.melds import Ace, Melds
from engines.position import BadPosition
from engines.values import Value

LEAST_SUITS = 3
"""The fewest suits of a trio (rule 4)."""
KINDS = ("trio", "escalera")
"""The first parts of the names of groups: ``trio_0``, ``escalera_0``."""
_CACHE_SIZE = 1 << 12
"""The size of each cache; most groups stay the same from turn to turn."""

Numbers = tuple[int, int]
"""The numbers in the names of the next trio and the next escalera."""


class Group(Value):
    """A group on the table; within a turn it may be broken."""

    name: str
    cards: tuple[Card, ...]
    """In table order: a run, or a part of one, from its first card; any other group by rank, then suit."""


class Split(Value):
    """A piece split off a run, with the run's name."""

    run: str
    piece: Group


class TableGroups(Value):
    """All groups, oldest first, and the numbers of the next ones."""

    groups: tuple[Group, ...] = ()
    numbers: Numbers = (0, 0)

    def find(self, name: str) -> Group | None:
        return next((group for group in self.groups if group.name == name), None)


@cache
def melds(ace: Ace) -> Melds:
    """The legal groups: 3 to 8 cards of one rank in at least three suits, and runs of 3 to 13 cards."""
    return Melds(ace=ace, set_sizes=range(3, 9), least_suits=LEAST_SUITS)


class Arc(Value):
    """The ranks of a possible run, as bits and in order, on the ring of ranks; the ace is rank 0."""

    bits: int
    ranks: tuple[int, ...]


@cache
def arcs(ace: Ace, lying: int = 0) -> tuple[Arc, ...]:
    """Every possible run that contains the ranks ``lying`` (bits), short runs first."""
    every = (Arc(sum(1 << rank for rank in ranks), ranks) for ranks in melds(ace).runs)
    return tuple(arc for arc in every if not lying & ~arc.bits)


def in_table_order(cards: Collection[Card], ace: Ace) -> tuple[Card, ...]:
    """The cards of a group, whole or not, in table order."""
    return _stretch(cards, ace) or melds(ace).in_order(tuple(cards))


def numbers_after(groups: Sequence[Group]) -> Numbers:
    """The numbers after the highest on the table; raises `BadPosition` for a malformed group name."""
    following = dict.fromkeys(KINDS, 0)
    for group in groups:
        kind, _, number = group.name.rpartition("_")
        if kind not in KINDS or not number.isdecimal():
            raise BadPosition(f"groups are named trio_0 or escalera_0, not {group.name}")
        following[kind] = max(following[kind], int(number) + 1)
    return following["trio"], following["escalera"]


def broken_groups(groups: Sequence[Group], ace: Ace) -> tuple[Group, ...]:
    """The broken ones of some groups; a turn may not end while there are any."""
    return tuple([group for group in groups if not is_whole(group.cards, ace)])


@lru_cache(_CACHE_SIZE)
def is_whole(cards: tuple[Card, ...], ace: Ace) -> bool:
    """Whether the cards are a legal group (rules 4 and 5)."""
    return melds(ace).is_meld(cards)


@lru_cache(_CACHE_SIZE)
def count_broken_pieces(cards: tuple[Card, ...], gone: frozenset[Card], ace: Ace) -> int:
    """The number of broken groups that a group leaves when the cards ``gone`` leave it."""
    return sum(not is_whole(piece, ace) for piece in pieces(cards, gone, ace))


def move_cards(
    table: TableGroups, cards: Sequence[Card], into: str | None, ace: Ace
) -> tuple[TableGroups, Group, tuple[Split, ...]]:
    """Moves cards, from hand or table, to the group named ``into``, or to a new group if it is None.

    The group must be whole with them. Returns the new table, this group, and the pieces split off.
    """
    gone, rules = set(cards), melds(ace)
    groups: list[Group] = []
    torn: list[tuple[str, tuple[Card, ...]]] = []
    name, numbers = (into, table.numbers) if into else _next_name(table.numbers, _kind(cards, rules))
    destination = Group(name, ())
    for group in table.groups:
        if group.name == into:
            destination = Group(name, rules.in_order((*group.cards, *cards)))
            groups.append(destination)
        elif gone.isdisjoint(group.cards):
            groups.append(group)
        elif left := pieces(group.cards, gone, ace):
            groups.append(Group(group.name, left[0]))
            torn += [(group.name, piece) for piece in left[1:]]
    if not into:
        destination = Group(name, rules.in_order(tuple(cards)))
        groups.append(destination)
    splits: list[Split] = []
    for run, piece in torn:
        piece_name, numbers = _next_name(numbers, "escalera")
        splits.append(Split(run, Group(piece_name, piece)))
    groups += [split.piece for split in splits]
    return TableGroups(tuple(groups), numbers), destination, tuple(splits)


def pieces(cards: Sequence[Card], gone: Collection[Card], ace: Ace) -> tuple[tuple[Card, ...], ...]:
    """The fewest pieces that a group leaves when the cards ``gone`` leave it (rule 9).

    The pieces of a run are in its order; a piece that joins its two ends comes first.
    """
    line = _stretch(cards, ace)
    if line is None:
        left = tuple(card for card in cards if card not in gone)
        return (left,) if left else ()
    parts = list(_parts(line, gone))
    if len(parts) > 1 and len(line) == len(RANKS) and {line[0], line[-1]}.isdisjoint(gone):
        first, *middle, last = parts
        # The run has all ranks, so its ace can also follow its king, and the first piece joins the last one.
        # With ``low_or_high`` the first piece must be the ace alone, since K-A-2 is no run.
        if ace == "wrap" or (ace == "low_or_high" and len(first) == 1):
            parts = [last + first, *middle]
    return tuple(parts)


def _parts(line: Sequence[Card], gone: Collection[Card]) -> Iterator[tuple[Card, ...]]:
    """Yields the stretches of cards between the cards ``gone``."""
    part: tuple[Card, ...] = ()
    for card in line:
        if card not in gone:
            part = (*part, card)
        elif part:
            yield part
            part = ()
    if part:
        yield part


def _stretch(cards: Collection[Card], ace: Ace) -> tuple[Card, ...] | None:
    """The cards in sequence if they are part of a possible run, however few; else None."""
    by_rank = {card.number - 1: card for card in cards}
    if len({card.suit for card in cards}) > 1 or len(by_rank) < len(cards):
        return None
    size = len(RANKS)
    begins = [rank for rank in by_rank if (rank - 1) % size not in by_rank] or [0]
    over = begins[0] + len(cards) - size
    if len(begins) > 1 or over > {"low": 0, "low_or_high": 1, "wrap": size}[ace]:
        return None
    return tuple(by_rank[(begins[0] + n) % size] for n in range(len(cards)))


def _kind(cards: Sequence[Card], rules: Melds) -> str:
    return "trio" if rules.is_set(cards) else "escalera"


def _next_name(numbers: Numbers, kind: str) -> tuple[str, Numbers]:
    """The name of a new group of this kind, and the numbers after it."""
    trios, escaleras = numbers
    if kind == "trio":
        return f"trio_{trios}", (trios + 1, escaleras)
    return f"escalera_{escaleras}", (trios, escaleras + 1)


suit_by_suit: Callable[[Card], int] = {
    card: place
    for place, card in enumerate(
        sorted(deck(backs=("", *BACKS)), key=lambda card: (SUITS.index(card.suit), card.number, card.back))
    )
}.__getitem__
"""The sort key of hands and of cards in an action: by suit, then by rank, then blue before red."""
