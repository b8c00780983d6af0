"""Groups on the table, their names, and how runs fall apart (rules 4 to 6 and 9).

Knows nothing of players and turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache

from engines.cards import BACKS, RANKS, SUITS, Card, deck
from engines.melds import Ace, Melds
from engines.position import BadPosition
from engines.values import Value

KINDS = ("trio", "escalera")
_REMEMBERED = 1 << 12
"""Answers of each kind that are kept: from turn to turn most groups stay the same."""

Numbers = tuple[int, int]
"""The numbers that the next trio and the next escalera are named by."""


class Group(Value):
    """Cards that lie together; legal or, within a turn, not."""

    name: str
    cards: tuple[Card, ...]
    """A run from its first card on, anything else by suits."""


class Split(Value):
    """A piece that came off a run."""

    run: str
    piece: Group


class Table(Value):
    """All groups, in the order in which they came, and the numbers of those to come."""

    groups: tuple[Group, ...] = ()
    numbers: Numbers = (0, 0)

    def find(self, name: str) -> Group | None:
        return next((group for group in self.groups if group.name == name), None)


@cache
def melds(ace: Ace) -> Melds:
    """The groups of the game: 3 to 8 cards of one rank in three suits, and runs of up to 13."""
    return Melds(ace=ace, set_sizes=range(3, 9))


class Arc(Value):
    """The ranks of a possible run (ace 0), as bits and in order."""

    bits: int
    ranks: tuple[int, ...]


@cache
def arcs(ace: Ace, there: int = 0) -> tuple[Arc, ...]:
    """Every possible run in which some ranks, given as bits, have their place; short ones first."""
    every = (Arc(sum(1 << rank for rank in ranks), ranks) for ranks in melds(ace).runs)
    return tuple(arc for arc in every if not there & ~arc.bits)


def bits(cards: Iterable[Card]) -> int:
    """The ranks that cards show, as bits from the ace up."""
    shown = 0
    for card in cards:
        shown |= 1 << card.number - 1
    return shown


def lying(cards: Collection[Card], ace: Ace) -> tuple[Card, ...]:
    """The cards of a group, whole or not, in table order."""
    return _stretch(cards, ace) or melds(ace).in_order(tuple(cards))


def numbers_after(groups: Sequence[Group]) -> Numbers:
    """Numbers that go on from the highest on the table; `BadPosition` for a name that is none."""
    following = dict.fromkeys(KINDS, 0)
    for group in groups:
        kind, _, number = group.name.rpartition("_")
        if kind not in KINDS or not number.isdecimal():
            raise BadPosition(f"groups are named trio_0 or escalera_0, not {group.name}")
        following[kind] = max(following[kind], int(number) + 1)
    return following["trio"], following["escalera"]


def illegal(groups: Sequence[Group], ace: Ace) -> tuple[Group, ...]:
    """The groups that are not whole, with which no turn may end."""
    return tuple(group for group in groups if not is_whole(group.cards, ace))


@lru_cache(_REMEMBERED)
def is_whole(cards: tuple[Card, ...], ace: Ace) -> bool:
    """Whether the cards are a legal group (rules 4 and 5)."""
    return melds(ace).is_meld(cards)


@lru_cache(_REMEMBERED)
def broken_without(cards: tuple[Card, ...], gone: frozenset[Card], ace: Ace) -> int:
    """The number of broken pieces that a group falls into when some cards leave it."""
    return sum(not is_whole(piece, ace) for piece in pieces(cards, gone, ace))


def put_together(
    table: Table, cards: Sequence[Card], into: str | None, ace: Ace
) -> tuple[Table, Group, tuple[Split, ...]]:
    """Makes a movement: the cards leave their groups for the one named, or for a new one.

    The destination must be legal. Returns the table after it, the destination, and the pieces split off.
    """
    gone, rules = set(cards), melds(ace)
    groups: list[Group] = []
    torn: list[tuple[str, tuple[Card, ...]]] = []
    name, numbers = (into, table.numbers) if into else _named(table.numbers, _kind(cards, rules))
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
        name, numbers = _named(numbers, "escalera")
        splits.append(Split(run, Group(name, piece)))
    groups += [split.piece for split in splits]
    return Table(tuple(groups), numbers), destination, tuple(splits)


def pieces(cards: Sequence[Card], gone: Collection[Card], ace: Ace) -> tuple[tuple[Card, ...], ...]:
    """The rest of a group when some cards have gone, in the fewest pieces (rule 9).

    The first piece is the one with which the run began; the others go from low to high.
    """
    line = _stretch(cards, ace)
    if line is None:
        left = tuple(card for card in cards if card not in gone)
        return (left,) if left else ()
    parts = list(_parts(line, gone))
    if len(parts) > 1 and len(line) == len(RANKS) and {line[0], line[-1]}.isdisjoint(gone):
        first, *middle, last = parts
        # All ranks are there, so the ace lies next to the king too: an ace left by itself goes there.
        if ace == "wrap" or (ace == "low_or_high" and len(first) == 1):
            parts = [last + first, *middle]
    return tuple(parts)


def _parts(line: Sequence[Card], gone: Collection[Card]) -> Iterator[tuple[Card, ...]]:
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
    """The cards as they follow each other in one suit, however few, or None if they do not."""
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


def _named(numbers: Numbers, kind: str) -> tuple[str, Numbers]:
    trios, escaleras = numbers
    if kind == "trio":
        return f"trio_{trios}", (trios + 1, escaleras)
    return f"escalera_{escaleras}", (trios, escaleras + 1)


def suit_by_suit(card: Card) -> int:
    """The sort key of hands and of cards in an action: by suit, then by rank."""
    return _PLACES[card]


_PLACES = {
    card: place
    for place, card in enumerate(
        sorted(deck(backs=("", *BACKS)), key=lambda card: (SUITS.index(card.suit), card.number, card.back))
    )
}
