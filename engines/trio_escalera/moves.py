"""Lists the moves offered to a player: movements worth making, ``end``, ``draw`` and ``reset``.

A movement is worth making if it leaves fewer groups broken than before, or, with hand cards, no more than
before. Movements that break a group for a later one to mend are left out: to find them takes far longer.
Once a group is broken, the search looks for a turn that mends the table; the first movement of such a turn
is listed before all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product

from engines.cards import SUITS, Card
from engines.game import Move, Seat
from engines.melds import LEAST_CARDS, Ace
from engines.trio_escalera.brain.plans import Start, best_turn, movements_of
from engines.trio_escalera.brain.reach import Reach
from engines.trio_escalera.checks import may_draw, may_end, may_reset
from engines.trio_escalera.groups import (
    LEAST_SUITS,
    Group,
    TableGroups,
    arcs,
    count_broken_pieces,
    is_whole,
    suit_by_suit,
)
from engines.trio_escalera.layout import (
    Cards,
    Layout,
    faces_of,
    has_suit,
    in_runs,
    in_sets,
    lay_out_table,
    movable_and_spare,
    of_rank,
    ranks_of,
)
from engines.trio_escalera.state import Add, Draw, End, Lay, Movement, Reset, State

_MOST_FILLERS = 4
"""The most table cards with which `_Search` completes a run."""
_MOST_OF_A_RANK = 4
"""Up to this number of hand cards of one rank, every choice is offered; of more, only one card or all."""
_MENDING_STEPS = 60
"""The steps of the search for a turn that mends the table (`best_turn`)."""
_MENDING_WORK = 500
"""The most possible groups that `best_turn` weighs: players wait for it, and a crowded table allows many."""
_CACHE_SIZE = 1 << 14
"""The size of the cache by ranks, which recur at every table."""
_TABLE_CACHE_SIZE = 1 << 8
"""The size of the caches by table; until the next movement every call has the same table."""

_OF_ONE_WORD = (End().to_move(), Draw().to_move(), Reset().to_move())


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves offered to a seat; movements come first while the seat holds a card, else last."""
    if seat != state.turn or state.points is not None:
        return ()
    allowed = (may_end(state, seat), may_draw(state), may_reset(state))
    others = [move for move, is_allowed in zip(_OF_ONE_WORD, allowed, strict=True) if is_allowed]
    worth_making = [_to_move(movement) for movement in movements(state)]
    return (*worth_making, *others) if state.hands[seat] else (*others, *worth_making)


def _to_move(made: Movement) -> Move:
    """`Action.to_move`, in half the time."""
    return Move(made.verb, (made.group, *made.cards) if made.group else made.cards)


def movements(state: State) -> tuple[Movement, ...]:
    """The movements worth making in the order of `_Search._add`, after the one that `_mending` finds.

    Each uses cards of the hand, or of hand and table, to lay a new group or to add to one. While groups are
    broken, a movement may also use cards of the table alone.
    """
    if not state.movements_left:
        return ()
    has_opened, hand, ace = state.on[state.turn], state.hands[state.turn], state.ace
    rearranges = has_opened and state.options["table_moves"] == "on"
    drawn = state.drawn if state.drawn in hand else None
    table = lay_out_table(state.groups, ace)
    found = _movements(hand, drawn, table, ace, has_opened, rearranges)
    if not (table.broken and rearranges):
        return found
    mending = _mending(hand, drawn, state.table, ace, state.movements_left)
    return (*mending, *(movement for movement in found if movement not in mending))


@lru_cache(_TABLE_CACHE_SIZE)
def _mending(
    hand: Cards, drawn: Card | None, table: TableGroups, ace: Ace, left: int
) -> tuple[Movement, ...]:
    """The first movement of the turn found that mends a broken table and places the most cards, if any."""
    start = Start.of(table, hand, left, Reach(ace), has_opened=True, must=drawn)
    melds = best_turn(start, _MENDING_STEPS, mends=True, work=_MENDING_WORK)
    return movements_of(table, melds, ace)[:1]


@lru_cache(_TABLE_CACHE_SIZE)
def _movements(
    hand: Cards, drawn: Card | None, table: Layout, ace: Ace, has_opened: bool, rearranges: bool
) -> tuple[Movement, ...]:
    search = _Search(hand, drawn, table, ace, rearranges=rearranges)
    search.run(has_opened=has_opened)
    return tuple([movement for _, _, movement in sorted(search.found.values())])


class _Search:
    """Finds the movements that a hand and a table offer."""

    def __init__(self, hand: Cards, drawn: Card | None, table: Layout, ace: Ace, *, rearranges: bool) -> None:
        """``drawn`` is the drawn card if it is in hand; ``rearranges``: whether table cards may be used."""
        self.ace, self.table = ace, table
        self.drawn = drawn
        # Of two equal cards the drawn one comes first, since it must be placed (rule 11).
        self.hand = sorted(hand, key=lambda card: card != drawn) if drawn else hand
        self.held_faces = faces_of(hand)
        self.table_faces = table.faces if rearranges else 0
        self.mending = bool(table.broken)
        self.rearranges = rearranges
        self.found: dict[tuple[str | None, Cards], tuple[_Order, int, Movement]] = {}
        """The movements by group and cards, each with its order and the number of those found before it."""

    def run(self, *, has_opened: bool) -> None:
        """Finds the movements to a new group, then those to each group on the table."""
        mending, within = self.mending, self.held_faces | self.table_faces
        tried = (*self.hand, *self.table.home) if mending and self.rearranges else self.hand
        if sets := in_sets(within):
            for rank in dict.fromkeys([card.number - 1 for card in tried]):
                if sets & of_rank(rank):
                    self._to_set(None, (), rank)
        if runs := in_runs(within) & (within if mending else self.held_faces):
            for suit in dict.fromkeys([card.suit for card in tried]):
                if has_suit(runs, suit):
                    self._to_run(None, 0, suit)
        # A run may need table cards to reach a hand card; only hand cards make a set worth enlarging.
        wanted = movable_and_spare(within, self.held_faces)
        for group, kind in self.table.groups if has_opened else ():
            if kind.wanted & wanted or mending:
                if kind.rank is not None:
                    self._to_set(group, group.cards, kind.rank)
                if kind.suit:
                    self._to_run(group, kind.ranks, kind.suit)
        if mending and self.rearranges:
            self._move_fragments()

    def _add(self, into: Group | None, own: Sequence[Card], moved: Cards) -> None:
        """Records a movement if it is worth making.

        Movements that leave the drawn card in hand come after all others. Within each part, those of more
        hand cards come first, then those of fewer table cards.
        """
        if moved and not self._is_worth_making(into, own, moved):
            return
        cards = tuple(sorted((*own, *moved), key=suit_by_suit))
        key = into.name if into else None, cards
        if key not in self.found:
            keeps_drawn = self.drawn is not None and self.drawn not in own
            order = keeps_drawn, -len(own), len(moved)
            self.found[key] = order, len(self.found), Add(into.name, cards) if into else Lay(cards)

    def _is_worth_making(self, into: Group | None, own: Sequence[Card], moved: Cards) -> bool:
        """Whether a movement mends more groups than it breaks, or, if it places hand cards, as many.

        A new group is left out where a group on the table could be enlarged instead (`_could_be_added`).
        """
        table = self.table
        mends = into is not None and into.name in table.broken
        if not own and not mends and table.fragments.isdisjoint(moved):
            return False
        if not (self.mending or self._may_leave(moved)) or (not into and self._could_be_added(own, moved)):
            return False
        change_in_broken = self._change_in_broken(moved) - mends
        return change_in_broken < 0 or (change_in_broken == 0 and bool(own))

    def _may_leave(self, moved: Cards) -> bool:
        """Whether each card is spare, or leaves its group together with others; if not, a group breaks."""
        home, spare = self.table.home, self.table.spare_set
        if spare.issuperset(moved):
            return True
        homes = [home[card].name for card in moved]
        return all(card in spare or homes.count(home[card].name) > 1 for card in moved)

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

    def _could_be_added(self, own: Sequence[Card], moved: Cards) -> bool:
        """Whether a group on the table could be enlarged instead of laying a new group.

        That is so if the new group would take all cards of a group, which is checked only while groups are
        broken; or if its table cards come from one group, to which the hand cards could be added.
        """
        home = self.table.home
        sources = {home[card].name: home[card].cards for card in moved}
        if self.mending and any(set(cards).issubset(moved) for cards in sources.values()):
            return True
        return len(sources) == 1 and is_whole((*home[moved[0]].cards, *own), self.ace)

    def _to_set(self, into: Group | None, lying: Cards, rank: int) -> None:
        """Tries choices of hand cards of one rank, each with just enough table cards to make three suits."""
        held = _cards_of_rank(self.hand, rank)
        spare = _cards_of_rank(self.table.spare, rank) if self.rearranges else []
        if lying:
            spare = [card for card in spare if card not in lying]
        for own in _hand_choices(held, none_too=self.mending):
            shown = {card.suit for card in (*lying, *own)}
            for more in combinations(spare, max(0, LEAST_SUITS - len(shown))):
                if (own or more) and len(shown.union([card.suit for card in more])) >= LEAST_SUITS:
                    self._add(into, own, more)

    def _to_run(self, into: Group | None, lying: int, suit: str) -> None:
        """Tries choices of hand cards of one suit, with table cards that fill gaps or complete a short run.

        ``lying`` are the ranks of the group, as bits.
        """
        held = ranks_of(self.held_faces, suit)
        reach = held | ranks_of(self.table_faces, suit)
        if choices := _ranks_to_add(self.ace, lying, held, reach, self.mending):
            # Of two equal hand cards the first one is used.
            own = {card.number - 1: card for card in reversed(self.hand) if card.suit == suit}
            others = self.table.movable[suit]
            for ranks in choices:
                placed = [own[rank] for rank in ranks if rank in own]
                for moved in product(*[others[rank] for rank in ranks if rank not in own]):
                    self._add(into, placed, moved)

    def _move_fragments(self) -> None:
        """Tries to move each broken group, with all its cards, to each group that is whole with them."""
        groups = [group for group, _ in self.table.groups]
        for fragment in [group for group in groups if group.name in self.table.broken]:
            for into in groups:
                if into is not fragment and is_whole((*into.cards, *fragment.cards), self.ace):
                    self._add(into, (), fragment.cards)


_Order = tuple[bool, int, int]
"""The sort key of a movement: the best is the least."""


@lru_cache(_CACHE_SIZE)
def _ranks_to_add(ace: Ace, lying: int, held: int, reach: int, mending: bool) -> tuple[tuple[int, ...], ...]:
    """The choices of ranks that make a run with the ranks ``lying``; the arguments have ranks as bits.

    The ranks are within ``reach``, and at least one is ``held`` in hand unless ``mending``. At most
    `_MOST_FILLERS` are not held: they fill gaps, and stand at an end only in a run of three.
    """
    wanted = reach if mending else held
    found: list[tuple[int, ...]] = []
    for arc in arcs(ace, lying):
        new = arc.bits & ~lying
        if new & ~reach or not new & wanted:
            continue
        ends = 1 << arc.ranks[0] | 1 << arc.ranks[-1]
        if len(arc.ranks) > LEAST_CARDS and ends & new & ~held:
            continue
        if (new & ~held).bit_count() <= _MOST_FILLERS:
            found.append(tuple(rank for rank in arc.ranks if new >> rank & 1))
    return tuple(found)


def _hand_choices(held: Sequence[Card], *, none_too: bool) -> Iterator[Cards]:
    """Yields choices of hand cards of one rank: every choice of few; of many, each card alone, and all."""
    if none_too:
        yield ()
    for n in range(1, len(held) + 1):
        if len(held) <= _MOST_OF_A_RANK or n in (1, len(held)):
            yield from combinations(held, n)


def _cards_of_rank(cards: Iterable[Card], rank: int) -> list[Card]:
    """The cards of a rank, suit by suit."""
    return sorted(
        [card for card in cards if card.number - 1 == rank], key=lambda card: SUITS.index(card.suit)
    )
