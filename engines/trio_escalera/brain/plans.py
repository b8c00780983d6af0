"""Searches for the turn that places the most cards: groups may be broken if the same turn mends them.

A turn is planned as the groups that its movements make. Each group is made by a movement of its own, and
the order of the movements does not change the outcome, because a movement may lay all cards of its group
anew. The other groups at the end of the turn are what the movements leave of the groups at its start. The
search chooses a group for a hand card, then groups for the cards of each broken piece that this leaves, until
the table is whole (a set partition).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.cards import Card
from engines.melds import Ace
from engines.trio_escalera.brain.reach import (
    CARDS,
    IN_HAND,
    NUMBERS,
    Accepts,
    Meld,
    Number,
    Piece,
    Reach,
    SearchTable,
    Work,
    melds_with,
)
from engines.trio_escalera.groups import TableGroups, move_cards
from engines.trio_escalera.state import Movement, movement

_BROKEN_LIMITS = (0, 1, 3)
"""The most broken pieces that are allowed between movements, in one search after the other."""
_MENDED_PER_MOVEMENT = 2
"""The most broken pieces that a movement is expected to mend; it seldom mends more."""
_SHORTFALL = 1
"""A good turn places at most this many cards fewer than the best turn."""


class Start(NamedTuple):
    """The position from which a turn, or the rest of one, is searched."""

    pieces: Sequence[Piece]
    hand: Sequence[Number]
    movements: int
    """The movements left."""
    reach: Reach
    has_opened: bool
    must: Number | None = None
    """The hand card that the turn has to place."""

    @classmethod
    def of(
        cls,
        table: TableGroups,
        hand: Sequence[Card],
        movements: int,
        reach: Reach,
        *,
        has_opened: bool,
        must: Card | None,
    ) -> Start:
        pieces = [tuple([NUMBERS[card] for card in group.cards]) for group in table.groups]
        must_place = NUMBERS[must] if must else None
        return cls(pieces, [NUMBERS[card] for card in hand], movements, reach, has_opened, must_place)


class _Search:
    """Searches for the turn that places the most cards, within a number of steps (calls of `_decide`)."""

    def __init__(
        self,
        start: Start,
        steps: int,
        accepts: Accepts | None = None,
        *,
        mends: bool = False,
        shortfall: int = 0,
        broken: int = _BROKEN_LIMITS[-1],
        work: Work | None = None,
    ) -> None:
        self.reach, self.must, self.steps, self.accepts = start.reach, start.must, steps, accepts
        self.work = work
        self.placed = 0
        """The number of hand cards that the best turn found places."""
        self.melds: tuple[Meld, ...] = ()
        """The groups of the best turn found."""
        self.limit = 0
        """The one of `limits` that is tried now: the most pieces that may be broken between movements."""
        self.limits = [limit for limit in _BROKEN_LIMITS if limit <= broken]
        self.mends = mends
        """Whether to make a turn that only mends the table, if none is found that places a card."""
        self.shortfall = shortfall
        """If above 0, `turns` is filled, and the search goes on for turns that may place as many cards as the
        best one, or fewer by less than this number.
        """
        self.turns: dict[tuple[Number, ...], tuple[int, tuple[Meld, ...]]] = {}
        """The turns found, by the cards of their groups; each with the number of hand cards placed."""

    def run(
        self, table: SearchTable, hand: Sequence[Number], movements: int, begun: tuple[Meld, ...] = ()
    ) -> None:
        """Searches with more and more broken pieces allowed between the movements."""
        held = [card for card in hand if table.place_of[card] == IN_HAND]
        placed = len(hand) - len(held)
        if table.broken and self.mends and not self.melds:
            # A turn that places no card is then better than none.
            self.placed = -1
        for limit in self.limits if self.reach.rearranges and not self.reach.strict else (0,):
            # Without a movement left, the turn as it has begun is looked at once: an opening may be all.
            most = max(1, _MENDED_PER_MOVEMENT * movements)
            if limit >= most or self.steps < 0 or self.placed == len(hand):
                break
            self.limit = limit
            options = {card: len(self._melds(table, card, limit)) for card in held}
            usable = sorted(
                [card for card in held if options[card]], key=lambda card: (card != self.must, options[card])
            )
            self._decide(table, tuple(usable), movements, placed, begun)

    def _decide(
        self,
        table: SearchTable,
        hand: tuple[Number, ...],
        movements: int,
        placed: int,
        melds: tuple[Meld, ...],
    ) -> None:
        """Records the turn if it may end here; then mends a broken piece, else places or keeps a card."""
        self.steps -= 1
        place_of = table.place_of
        hand = tuple([card for card in hand if place_of[card] == IN_HAND])
        if not table.broken and melds and (self.must is None or place_of[self.must] != IN_HAND):
            self._record(placed, melds)
        if not movements or self._is_hopeless(placed + len(hand)):
            return
        if fragment := table.fragment() if table.broken else None:
            self._make(table, fragment[0], hand, movements, placed, melds)
        elif hand:
            self._make(table, hand[0], hand, movements, placed, melds)
            if hand[0] != self.must and self.steps > 0:
                self._decide(table.keeping(hand[0]), hand[1:], movements, placed, melds)

    def _record(self, placed: int, melds: tuple[Meld, ...]) -> None:
        if placed > self.placed:
            self.placed, self.melds = placed, melds
        if self.shortfall:
            self.turns.setdefault(tuple(sorted([card for meld in melds for card in meld])), (placed, melds))

    def _is_hopeless(self, most: int) -> bool:
        """Whether a turn that places at most ``most`` cards is not worth searching."""
        return most <= self.placed - self.shortfall

    def _make(
        self,
        table: SearchTable,
        card: Number,
        hand: tuple[Number, ...],
        movements: int,
        placed: int,
        melds: tuple[Meld, ...],
    ) -> None:
        """Tries the groups with a card, while steps are left and a turn worth searching is possible."""
        if self.steps <= 0:
            return
        limit = min(self.limit, _MENDED_PER_MOVEMENT * (movements - 1))
        for meld in self._melds(table, card, limit):
            if self.steps <= 0 or self._is_hopeless(placed + len(hand)):
                return
            more = sum([table.place_of[other] == IN_HAND for other in meld])
            self._decide(table.without(meld), hand, movements - 1, placed + more, (*melds, meld))

    def _melds(self, table: SearchTable, card: Number, limit: int) -> list[Meld]:
        return melds_with(table, card, self.reach, limit, self.accepts, self.work)


def best_turn(
    start: Start,
    steps: int,
    accepts: Accepts | None = None,
    *,
    mends: bool = False,
    broken: int = _BROKEN_LIMITS[-1],
    work: int | None = None,
) -> tuple[Meld, ...]:
    """The groups to make in the turn that places the most cards, of the turns found in ``steps`` steps.

    Empty if none was found. With ``mends`` a turn that only mends a broken table is better than none. At most
    ``broken`` pieces are broken between movements. With ``work`` the search weighs no more groups than that.
    """
    allowed = None if work is None else Work(work)
    search = _Search(start, steps, accepts, mends=mends, broken=broken, work=allowed)
    _run(search, start)
    return search.melds


def good_turns(start: Start, steps: int, most: int, *, mends: bool = False) -> list[tuple[Meld, ...]]:
    """The groups to make in the best turn found, then in others that place nearly as many cards.

    In all at most ``most`` turns; a single one without groups if none was found. ``mends`` as in `best_turn`.
    """
    search = _Search(start, steps, mends=mends, shortfall=_SHORTFALL)
    _run(search, start)
    others = [
        (placed, melds)
        for placed, melds in search.turns.values()
        if placed >= search.placed - _SHORTFALL and melds != search.melds
    ]
    others.sort(key=lambda turn: (-turn[0], len(turn[1])))
    return [search.melds, *[melds for _, melds in others][: most - 1]]


def _run(search: _Search, start: Start) -> None:
    """Searches from the start; for a player who has not opened, from the table after each opening."""
    table = SearchTable.of(start.pieces, start.hand)
    if start.has_opened:
        search.run(table, start.hand, start.movements)
    else:
        for meld in _openings(start.hand, start.reach):
            search.run(table.without(meld), start.hand, start.movements - 1, (meld,))


def _openings(hand: Sequence[Number], reach: Reach) -> list[Meld]:
    """Groups that can be laid wholly from the hand, those of the most cards first."""
    held = SearchTable.of((), hand)
    found = {tuple(sorted(meld)): meld for card in hand for meld in melds_with(held, card, reach, limit=0)}
    return sorted(found.values(), key=lambda meld: (-len(meld), meld))


def after(start: Start, melds: Sequence[Meld]) -> tuple[Sequence[Piece], Sequence[Number]]:
    """The pieces on the table and the hand after a turn that makes these groups."""
    table = SearchTable.of(start.pieces, start.hand)
    for meld in melds:
        table = table.without(meld)
    gone = {card for meld in melds for card in meld}
    return [*filter(None, table.pieces), *melds], [card for card in start.hand if card not in gone]


def movements_of(table: TableGroups, melds: Sequence[Meld], ace: Ace) -> tuple[Movement, ...]:
    """The movements that make these groups one after the other.

    A group that contains all cards of groups on the table is added to the largest of these; others are laid.
    """
    made: list[Movement] = []
    for meld in melds:
        cards = {CARDS[number] for number in meld}
        inside = [group for group in table.groups if cards.issuperset(group.cards)]
        into = max(inside, key=lambda group: len(group.cards), default=None)
        lying = into.cards if into else ()
        made.append(movement([card for card in cards if card not in lying], into.name if into else None))
        table, _, _ = move_cards(table, made[-1].cards, made[-1].group, ace)
    return tuple(made)
