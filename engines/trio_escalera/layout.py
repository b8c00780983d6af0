"""Lays out a table for `moves`: which cards lie in which groups, and which of them may leave.

A number stands for a set of cards (`Faces`), so that a few operations tell which cards can form a group at
all. Each card has a bit in both halves. The lower half has 16 bits for each suit, one a rank; ace and two
stand again after the king, so that the bits of a run are in a row. The upper half has 4 bits for each rank,
one a suit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from engines.cards import RANKS, SUITS, Card
from engines.melds import LEAST_CARDS, Ace, rank_bits
from engines.trio_escalera.groups import LEAST_SUITS, Group, count_broken_pieces, is_whole
from engines.trio_escalera.state import DECK
from engines.values import Value

_CACHE_SIZE = 1 << 14
"""The size of the cache by group; groups recur at every table."""
_TABLE_CACHE_SIZE = 1 << 8
"""The size of the cache by table; until the next movement every call has the same table."""

Cards = tuple[Card, ...]
Faces = int
"""A set of cards as bits, without regard to their backs."""

_RANK_COUNT = len(RANKS)
_LANE, _RANK_LANE, _HALF = 16, 4, 64
"""How many bits a suit has in the lower half, a rank in the upper half, and the whole lower half."""
_LOWER = (1 << _HALF) - 1
"""All bits of the lower half."""
_DIVISIBLE = LEAST_CARDS + 2
"""The fewest cards of a run that stays whole after two cards beside each other have left it."""
_FIRST_SUITS = sum(1 << _HALF + _RANK_LANE * rank for rank in range(_RANK_COUNT))
"""The bit of the first suit of each rank, in the upper half."""
_SHIFTS = {suit: _LANE * place for place, suit in enumerate(SUITS)}
"""The place of each suit's first bit in the lower half."""


@cache
def _face(suit: str, rank: int) -> Faces:
    """The bits of a card, in both halves."""
    again = 1 << rank + _RANK_COUNT if rank < LEAST_CARDS - 1 else 0
    return (1 << rank | again) << _SHIFTS[suit] | 1 << _HALF + _RANK_LANE * rank + SUITS.index(suit)


_FACES = {card: _face(card.suit, card.number - 1) for card in DECK}


def faces_of(cards: Iterable[Card]) -> Faces:
    """The bits of some cards."""
    faces = 0
    for card in cards:
        faces |= _FACES[card]
    return faces


def movable_and_spare(movable: Faces, spare: Faces) -> Faces:
    """The lower half of ``movable``, for runs, with the upper half of ``spare``, for sets."""
    return movable & _LOWER | spare & ~_LOWER


def ranks_of(faces: Faces, suit: str) -> int:
    """The ranks of a suit in the lower half, as bits; the ace is bit 0."""
    return faces >> _SHIFTS[suit] & (1 << _RANK_COUNT) - 1


def has_suit(faces: Faces, suit: str) -> bool:
    """Whether a suit has any bit in the lower half."""
    return bool(faces >> _SHIFTS[suit] & (1 << _LANE) - 1)


def in_runs(faces: Faces) -> Faces:
    """The cards that lie in runs of three, as if every run could wrap: K-A-2; only the lower half."""
    faces &= _LOWER
    first = faces & faces >> 1 & faces >> 2
    return first | first << 1 | first << 2


def in_sets(faces: Faces) -> Faces:
    """The bits of the first suit, in the upper half, of each rank that has three suits or four."""
    both, other_both = faces & faces >> 1, faces >> 2 & faces >> 3
    either, other_either = faces | faces >> 1, faces >> 2 | faces >> 3
    return (both & other_either | other_both & either) & _FIRST_SUITS


def of_rank(rank: int) -> Faces:
    """All cards of a rank, in the upper half."""
    return (1 << _RANK_LANE) - 1 << _HALF + _RANK_LANE * rank


class GroupKind(Value):
    """What a group is made of, and which of its cards may leave it."""

    whole: bool
    rank: int | None
    """The rank, if all cards have the same."""
    suit: str | None
    """The suit, if all cards have the same and no rank comes twice."""
    ranks: int
    """All ranks, as bits."""
    spare: Cards
    """The cards any one of which may leave the group without adding a broken group."""
    movable: Cards
    """The cards that may leave a whole group, some only together with others."""
    faces: Faces
    """The bits of `movable` in the lower half, for runs, and of `spare` in the upper half, for sets."""
    wanted: Faces
    """The bits of the cards that may enlarge a whole group: of a set's rank, or beside a run.

    Every run counts as if it could wrap.
    """


@lru_cache(_CACHE_SIZE)
def describe(cards: Cards, ace: Ace) -> GroupKind:
    """Describes a group, whole or broken."""
    ranks, first = rank_bits(cards), cards[0]
    one_rank, one_suit = ranks.bit_count() == 1, all(card.suit == first.suit for card in cards)
    suit = first.suit if one_suit and ranks.bit_count() == len(cards) else None
    spare = tuple(_spare_cards(cards, ace))
    # A shorter run never moves as a whole: a hand card that would join it to another run can be added to it.
    movable = cards if suit and len(cards) >= _DIVISIBLE else spare
    if suit:
        around = (cards[0].number - 2) % _RANK_COUNT, cards[-1].number % _RANK_COUNT
        wanted = movable_and_spare(_face(suit, around[0]) | _face(suit, around[1]), 0)
    else:
        wanted = of_rank(first.number - 1)
    return GroupKind(
        whole=is_whole(cards, ace),
        rank=first.number - 1 if one_rank else None,
        suit=suit,
        ranks=ranks,
        spare=spare,
        movable=movable,
        faces=movable_and_spare(faces_of(movable), faces_of(spare)),
        wanted=wanted,
    )


def _spare_cards(cards: Cards, ace: Ace) -> list[Card]:
    """The cards any one of which may leave the group without adding a broken group."""
    last, broken = len(cards) - 1, not is_whole(cards, ace)
    if broken or last == _RANK_COUNT - 1:
        pieces = {card: count_broken_pieces(cards, frozenset((card,)), ace) for card in cards}
        return [card for card, left in pieces.items() if left <= broken]
    if len(cards) == LEAST_CARDS:
        return []
    if cards[0].rank != cards[1].rank:
        return [card for place, card in enumerate(cards) if _is_spare(before=place, after=last - place)]
    suits = [card.suit for card in cards]
    has_suit_to_spare = len(set(suits)) > LEAST_SUITS
    return [card for card in cards if has_suit_to_spare or suits.count(card.suit) > 1]


def _is_spare(before: int, after: int) -> bool:
    """Whether a card of a run may leave it: the cards before it, and those after it, are none or a run."""
    return (not before or before >= LEAST_CARDS) and (not after or after >= LEAST_CARDS)


class Layout(Value, eq=False):
    """A table: its groups, and the cards that may leave them."""

    groups: Sequence[tuple[Group, GroupKind]]
    home: Mapping[Card, Group]
    """The group of each card on the table."""
    broken: frozenset[str]
    """The names of the broken groups."""
    fragments: frozenset[Card]
    """The cards of broken groups."""
    spare: Sequence[Card]
    """The cards any one of which may leave its group; all cards while a group is broken."""
    spare_set: frozenset[Card]
    """`spare` as a set."""
    movable: Mapping[str, Mapping[int, Sequence[Card]]]
    """The cards that may leave their groups, by suit and rank."""
    faces: Faces
    """The bits of `movable` in the lower half, for runs, and of `spare` in the upper half, for sets."""
    change_in_broken: dict[Cards, int]
    """A cache of `moves`: how many more groups are broken once these cards have left theirs."""


@lru_cache(_TABLE_CACHE_SIZE)
def lay_out_table(groups: tuple[Group, ...], ace: Ace) -> Layout:
    """Lays out a table; while a group is broken, every card may leave its group."""
    described = [(group, describe(group.cards, ace)) for group in groups]
    home = {card: group for group in groups for card in group.cards}
    broken = [group for group, kind in described if not kind.whole]
    if broken:
        return Layout(
            groups=described,
            home=home,
            broken=frozenset([group.name for group in broken]),
            fragments=frozenset([card for group in broken for card in group.cards]),
            spare=tuple(home),
            spare_set=frozenset(home),
            movable=_by_suit_and_rank(home),
            faces=faces_of(home),
            change_in_broken={},
        )
    movable: list[Card] = []
    spare: list[Card] = []
    faces = 0
    for _, kind in described:
        movable += kind.movable
        spare += kind.spare
        faces |= kind.faces
    return Layout(
        groups=described,
        home=home,
        broken=frozenset(),
        fragments=frozenset(),
        spare=spare,
        spare_set=frozenset(spare),
        movable=_by_suit_and_rank(movable),
        faces=faces,
        change_in_broken={},
    )


def _by_suit_and_rank(cards: Iterable[Card]) -> dict[str, dict[int, list[Card]]]:
    """Cards by suit and rank; the ace is rank 0."""
    suits: dict[str, dict[int, list[Card]]] = {suit: {} for suit in SUITS}
    for card in cards:
        suits[card.suit].setdefault(card.number - 1, []).append(card)
    return suits
