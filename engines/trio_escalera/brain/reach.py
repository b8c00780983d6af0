"""Finds the groups that one movement may make with a card, and what they leave of the groups on the table.

Here a card is a number: twice its place in one pack, suit by suit, plus one for the blue back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, islice

from engines.cards import BACKS, RANKS, SUITS, Card
from engines.melds import LEAST_CARDS, Ace
from engines.trio_escalera.groups import LEAST_SUITS
from engines.values import Value

Number = int
"""A card as a number."""
Piece = tuple[Number, ...]
"""Cards that lie together: a run in its order, or cards of one rank."""
Meld = tuple[Number, ...]
"""A group that a movement makes."""
Weighed = tuple[int, int, int, Meld]
"""A group behind its sort keys: the pieces broken after it, the hand cards placed (negative), its size."""

_RANK_COUNT = len(RANKS)
_SUIT_SIZE = 2 * _RANK_COUNT
IN_HAND, ELSEWHERE = -1, -2
"""The places of a card that is not in a piece on the table: in hand, or out of reach."""
_NEAR = LEAST_CARDS - 1
"""Up to this many places from its card, a run may take any card of a piece: a run of three needs no more."""
_FEW_OF_A_RANK = 3
"""Up to this number of further hand cards of a rank, every choice of them is tried."""
_MOST_WAYS = 12
"""The number of ways to extend a run to one side after which longer ways are not tried."""
_CACHE_SIZE = 1 << 14
"""The size of each cache by piece; pieces recur at every table."""
_PLACES: Mapping[Ace, range] = {
    "low": range(_RANK_COUNT),
    "low_or_high": range(_RANK_COUNT + 1),
    "wrap": range(-_RANK_COUNT, 2 * _RANK_COUNT),
}
"""The places of its suit to which a run may go; the high ace is place 13."""

CARDS = tuple(Card(rank + suit + back) for suit in SUITS for rank in RANKS for back in BACKS)
NUMBERS = {card: number for number, card in enumerate(CARDS)}
"""All cards by their numbers, and their numbers by card."""
# Rank and suit of each number; then the cards of each rank.
_RANK_OF = [number // 2 % _RANK_COUNT for number in range(len(CARDS))]
_SUIT_OF = [number // _SUIT_SIZE for number in range(len(CARDS))]
_CARDS_OF_RANK = [
    tuple(other for other in range(len(CARDS)) if _RANK_OF[other] == rank) for rank in range(_RANK_COUNT)
]
_BESIDE = [
    tuple(
        suit * _SUIT_SIZE + beside % _RANK_COUNT * 2 + back
        for beside in (rank - 1, rank + 1)
        for back in range(len(BACKS))
    )
    for rank, suit in zip(_RANK_OF, _SUIT_OF, strict=True)
]
"""The four cards beside each card in its suit; every run with the card has at least one of them."""


def is_set(piece: Piece) -> bool:
    """Whether a piece has two cards or more, all of one rank."""
    return len(piece) > 1 and _RANK_OF[piece[0]] == _RANK_OF[piece[1]]


@lru_cache(_CACHE_SIZE)
def is_whole(piece: Piece) -> bool:
    """Whether a piece is a legal group."""
    if len(piece) < LEAST_CARDS:
        return False
    return not is_set(piece) or len({_SUIT_OF[card] for card in piece}) >= LEAST_SUITS


@lru_cache(_CACHE_SIZE)
def left_of(piece: Piece, gone: Meld) -> tuple[tuple[Piece, ...], int]:
    """The pieces left of a piece without the cards ``gone``, and the change in the number of broken pieces.

    To save time, the two ends of a full run are not joined as in `groups.pieces`.
    """
    if is_set(piece):
        rest = tuple([card for card in piece if card not in gone])
        parts = [rest] if rest else []
    else:
        parts, part = [], []
        for card in piece:
            if card not in gone:
                part.append(card)
            elif part:
                parts.append(tuple(part))
                part = []
        if part:
            parts.append(tuple(part))
    return tuple(parts), sum([not is_whole(part) for part in parts]) - (not is_whole(piece))


class SearchTable:
    """The table of a search: the pieces, the place of each card, and how many pieces are broken."""

    __slots__ = ("broken", "pieces", "place_of", "weighed")

    def __init__(self, pieces: list[Piece], place_of: list[int], broken: int) -> None:
        self.pieces, self.broken = pieces, broken
        self.place_of = place_of
        """For each card the index of its piece, `IN_HAND` or `ELSEWHERE`."""
        self.weighed: dict[Number, Sequence[Weighed]] = {}
        """A cache of the groups with each card: a search asks for most of them again."""

    @classmethod
    def of(cls, pieces: Sequence[Piece], hand: Iterable[Number]) -> SearchTable:
        place_of = [ELSEWHERE] * len(CARDS)
        for card in hand:
            place_of[card] = IN_HAND
        for place, piece in enumerate(pieces):
            for card in piece:
                place_of[card] = place
        return cls(list(pieces), place_of, sum([not is_whole(piece) for piece in pieces]))

    def without(self, meld: Meld) -> SearchTable:
        """The table after a movement that makes a group; the cards of the group are out of reach then."""
        pieces, place_of, broken = self.pieces.copy(), self.place_of.copy(), self.broken
        torn: dict[int, list[Number]] = {}
        for card in meld:
            place = place_of[card]
            place_of[card] = ELSEWHERE
            if place >= 0:
                torn.setdefault(place, []).append(card)
        for place, gone in torn.items():
            parts, change = left_of(pieces[place], tuple(gone))
            broken += change
            pieces[place] = parts[0] if parts else ()
            for part in parts[1:]:
                for card in part:
                    place_of[card] = len(pieces)
                pieces.append(part)
        return SearchTable(pieces, place_of, broken)

    def weigh(self, meld: Meld) -> Weighed:
        """A group behind its sort keys, for a movement that makes it now."""
        place_of, pieces, broken, held = self.place_of, self.pieces, self.broken, 0
        torn: dict[int, Meld] = {}
        for card in meld:
            if (place := place_of[card]) >= 0:
                torn[place] = (*torn[place], card) if place in torn else (card,)
            elif place == IN_HAND:
                held += 1
        for place, gone in torn.items():
            broken += left_of(pieces[place], gone)[1]
        return broken, -held, len(meld), meld

    def keeping(self, card: Number) -> SearchTable:
        """The table with a hand card out of reach, since it stays in hand."""
        kept = SearchTable(self.pieces, self.place_of.copy(), self.broken)
        kept.place_of[card] = ELSEWHERE
        return kept

    def fragment(self) -> Piece | None:
        """The smallest broken piece; None if all are whole."""
        broken = [piece for piece in self.pieces if piece and not is_whole(piece)]
        return min(broken, key=len) if broken else None


class Reach(Value):
    """The house rules that bound a search."""

    ace: Ace
    rearranges: bool = True
    """Whether table cards may leave their groups."""
    strict: bool = False
    """Whether every group must be whole after every movement."""


Accepts = Callable[[Meld], bool]
"""Whether a player wants to make a group."""


class Work:
    """The number of groups that a search may still weigh; it counts down."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


def melds_with(
    table: SearchTable,
    card: Number,
    reach: Reach,
    limit: int,
    accepts: Accepts | None = None,
    work: Work | None = None,
) -> list[Meld]:
    """Groups with a card that one movement may make; weighs no more groups than ``work`` allows.

    At most ``limit`` pieces are broken after the movement. Groups that leave the fewest broken come first,
    then those that place the most hand cards, then the smallest.
    """
    found = [weighed for weighed in _weighed(table, card, reach, work) if weighed[0] <= limit]
    if accepts:
        found = [weighed for weighed in found if accepts(weighed[-1])]
    found.sort()
    return [meld for _, _, _, meld in found]


def _weighed(table: SearchTable, card: Number, reach: Reach, work: Work | None) -> Sequence[Weighed]:
    """Groups with a card; no more than ``work`` allows."""
    known = table.weighed.get(card)
    if known is None:
        possible: Iterator[Meld] = chain(_sets_with(table, card), _runs_with(table, card, reach))
        if not reach.rearranges:
            possible = (meld for meld in possible if _only_adds(table, meld))
        known = [*map(table.weigh, islice(possible, work.left if work else None))]
        if work is None or len(known) < work.left:
            table.weighed[card] = known
    if work:
        known = known[: work.left]
        work.left -= len(known)
    return known


def _only_adds(table: SearchTable, meld: Meld) -> bool:
    """Whether a group takes table cards from one group at most, and takes all of it."""
    places = {place for card in meld if (place := table.place_of[card]) >= 0}
    return len(places) <= 1 and all(set(meld).issuperset(table.pieces[place]) for place in places)


def _sets_with(table: SearchTable, card: Number) -> Iterator[Meld]:
    """Sets with a card: added to a whole set on the table; new if there is none, or if the card lies in one.

    All take every card that lies alone or in a broken set (``loose``). A new set takes only as many cards of
    runs (``firm``) as it needs.
    """
    place_of, pieces = table.place_of, table.pieces
    alike = _CARDS_OF_RANK[_RANK_OF[card]]
    others = [other for other in alike if place_of[other] != ELSEWHERE and other != card]
    if len(others) < LEAST_SUITS - 1:
        return
    held: list[Number] = []
    loose: list[Number] = []
    firm: list[Number] = []
    bases: dict[int, Piece] = {}
    for other in others:
        if (place := place_of[other]) == IN_HAND:
            held.append(other)
            continue
        piece = pieces[place]
        if len(piece) == 1:
            loose.append(other)
        elif not is_set(piece):
            firm.append(other)
        elif is_whole(piece):
            bases[place] = piece
        else:
            loose.append(other)
    if place_of[card] in bases:
        bases = {}
    if not bases and len({_SUIT_OF[other] for other in (card, *held, *loose, *firm)}) < LEAST_SUITS:
        return
    for base in bases.values() or [()]:
        begun = (card, *loose, *base)
        for own in _some_of(held):
            meld = (*begun, *own)
            shown = {_SUIT_OF[other] for other in meld}
            if len(shown) >= LEAST_SUITS:
                yield meld
            elif not base:
                for more in combinations(firm, LEAST_SUITS - len(shown)):
                    if len(shown.union([_SUIT_OF[other] for other in more])) >= LEAST_SUITS:
                        yield meld + more


def _some_of(held: Sequence[Number]) -> Iterator[Meld]:
    """Choices of hand cards: every choice of a few; of more, all or none."""
    for n in range(len(held), -1, -1):
        if len(held) <= _FEW_OF_A_RANK or n in (0, len(held)):
            yield from combinations(held, n)


def _runs_with(table: SearchTable, card: Number, reach: Reach) -> Iterator[Meld]:
    """Runs with a card, from its rank outward."""
    low_red, low_blue, high_red, high_blue = _BESIDE[card]
    place_of, rank = table.place_of, _RANK_OF[card]
    if place_of[low_red] == place_of[low_blue] == place_of[high_red] == place_of[high_blue] == ELSEWHERE:
        return
    for place in (rank, _RANK_COUNT) if rank == 0 and reach.ace == "low_or_high" else (rank,):
        below = _ways_on(table, card, place, reach, step=-1)
        above = _ways_on(table, card, place, reach, step=1)
        if len(below[-1]) + 1 + len(above[-1]) < LEAST_CARDS:
            continue
        for low in below:
            begun = (*low[::-1], card)
            for high in above:
                if LEAST_CARDS <= len(begun) + len(high) <= _RANK_COUNT:
                    yield begun + high


def _ways_on(table: SearchTable, card: Number, place: int, reach: Reach, *, step: int) -> list[Meld]:
    """The ways to extend a run from one of its cards to one side, from the inside out; the first is empty.

    Beyond `_NEAR` places, a way enters a piece only at its inner end, and ends only at a hand card or at the
    outer end of a piece.
    """
    place_of, pieces, places = table.place_of, table.pieces, _PLACES[reach.ace]
    first_of_suit, outer = _SUIT_OF[card] * _SUIT_SIZE, -1 if step > 0 else 0
    ways: list[Meld] = [()]
    edge: list[Meld] = [()]
    while edge and len(ways) < _MOST_WAYS and (place := place + step) in places:
        first = first_of_suit + place % _RANK_COUNT * 2
        here = [other for other in (first, first + 1) if place_of[other] != ELSEWHERE]
        if not here:
            break
        if len(edge[0]) < _NEAR:
            edge = [(*way, other) for way in edge for other in here]
            ways += edge
            continue
        longer = []
        for way in edge:
            last = place_of[way[-1]]
            for other in here:
                index = place_of[other]
                piece = pieces[index] if index >= 0 else ()
                if index >= 0 and index != last and piece[-1 - outer] != other:
                    continue
                longer.append((*way, other))
                if index < 0 or piece[outer] == other:
                    ways.append((*way, other))
        edge = longer[:_MOST_WAYS]
        if len(ways[-1]) >= _RANK_COUNT:
            break
    return ways
