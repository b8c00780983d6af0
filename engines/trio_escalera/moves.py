"""Lists the moves offered to a player: movements worth making, ``end``, ``draw`` and ``reset``.

A movement is worth making if it places hand cards and breaks no group, or if it mends a broken group. One
that breaks a group to mend it later is not offered: to search for it takes ten times as long as all others.
But once a group is broken, the next movement of a turn that mends the table is offered before all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product

from engines.cards import RANKS, SUITS, Card
from engines.game import Move, Seat
from engines.melds import LEAST, Ace
from engines.trio_escalera.checks import may_draw, may_end, may_reset
from engines.trio_escalera.groups import Group, Table, arcs, bits, count_broken_pieces, is_whole, suit_by_suit
from engines.trio_escalera.plans import Start, best_turn, movements_of
from engines.trio_escalera.reach import Reach
from engines.trio_escalera.state import Add, Draw, End, Lay, Movement, Reset, State
from engines.values import Value

_MOST_FILLERS = 4
"""The most table cards that an offered movement uses to complete a run."""
_FEW = 4
"""The most hand cards of one rank of which every choice is offered; of more, only one card or all."""
_MENDING_STEPS = 60
"""The steps of the search for a turn that mends the table."""
_SUITS_OF_A_SET = 3
_CACHE_SIZE = 1 << 14
"""The size of the caches by ranks, which recur at every table."""
_TABLE_CACHE_SIZE = 1 << 8
"""The size of the caches by table; until the next movement every call has the same table."""

Cards = tuple[Card, ...]
Laid = Mapping[str, Mapping[int, Sequence[Card]]]
"""Cards by suit and rank; the ace is rank 0."""
OfRank = Mapping[int, Sequence[Card]]
"""Cards by rank, suit by suit."""


_OF_ONE_WORD = (End().to_move(), Draw().to_move(), Reset().to_move())


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves offered to a seat; movements come first while the seat holds a card, else last."""
    if seat != state.turn or state.points is not None:
        return ()
    allowed = (may_end(state, seat), may_draw(state), may_reset(state))
    others = [move for move, is_allowed in zip(_OF_ONE_WORD, allowed, strict=True) if is_allowed]
    worth_making = [_to_move(one) for one in movements(state)]
    return (*worth_making, *others) if state.hands[seat] else (*others, *worth_making)


def _to_move(made: Movement) -> Move:
    """`Action.to_move`, in half the time."""
    return Move(made.verb, (made.group, *made.cards) if made.group else made.cards)


def movements(state: State) -> tuple[Movement, ...]:
    """The movements worth making, in the order of `_Search._add`.

    Each uses cards of the hand, or of hand and table, to lay a new group or to add to one. While groups are
    broken, a movement that mends one may use cards of the table alone.
    """
    if not state.movements_left:
        return ()
    on = state.on[state.turn]
    reaches = on and state.options["table_moves"] == "on"
    hand = state.hands[state.turn]
    found = _movements(hand, state.drawn, state.groups, state.ace, on, reaches)
    drawn = state.drawn if state.drawn in hand else None
    mending = _mending(hand, drawn, state.table, state.ace, state.movements_left) if reaches else ()
    return (*mending, *(movement for movement in found if movement not in mending)) if mending else found


@lru_cache(_TABLE_CACHE_SIZE)
def _mending(hand: Cards, drawn: Card | None, table: Table, ace: Ace, left: int) -> tuple[Movement, ...]:
    """The first movement of the turn found that mends a broken table and then places the most cards."""
    if not _lay_out_table(table.groups, ace).broken:
        return ()
    start = Start.of(table, hand, left, Reach(ace), on=True, must=drawn)
    return movements_of(table, best_turn(start, _MENDING_STEPS, mends=True), ace)[:1]


@lru_cache(_TABLE_CACHE_SIZE)
def _movements(
    hand: Cards, drawn: Card | None, groups: tuple[Group, ...], ace: Ace, on: bool, reaches: bool
) -> tuple[Movement, ...]:
    search = _Search(hand, drawn, _lay_out_table(groups, ace), ace, reaches=reaches)
    search.run(on=on)
    return tuple([movement for _, _, movement in sorted(search.found.values())])


class _Layout(Value):
    """The cards of the table by group, by suit and rank, and by rank alone."""

    home: Mapping[Card, Group]
    broken: frozenset[str]
    """The names of the groups that are not whole."""
    fragments: frozenset[Card]
    """The cards of the broken groups."""
    spare: frozenset[Card]
    """The cards each of which alone may leave its group; all cards while a group is broken."""
    laid: Laid
    """The cards that may leave their group, if need be with others; all cards while a group is broken."""
    of_rank: OfRank
    """The cards of ``spare``."""
    ranks: Mapping[str, int]
    """The ranks that lie of each suit, as bits."""
    targets: Sequence[tuple[Group, _Kind]]
    change_in_broken: dict[Cards, int]
    """The cache of `_Search._change_in_broken`."""


@lru_cache(_TABLE_CACHE_SIZE)
def _lay_out_table(groups: tuple[Group, ...], ace: Ace) -> _Layout:
    described = [_describe(group.cards, ace) for group in groups]
    broken = [group for group, kind in zip(groups, described, strict=True) if not kind.whole]
    movable: list[Card] = []
    loose: list[Card] = []
    for group, kind in zip(groups, described, strict=True):
        movable += group.cards if broken or kind.suit else kind.spare
        loose += group.cards if broken else kind.spare
    laid = _lay_out(movable)
    return _Layout(
        {card: group for group in groups for card in group.cards},
        frozenset([group.name for group in broken]),
        frozenset([card for group in broken for card in group.cards]),
        frozenset(loose),
        laid,
        _by_rank(_lay_out(loose)),
        _rank_bits(laid),
        tuple(zip(groups, described, strict=True)),
        {},
    )


class _Kind(Value):
    """What the cards of a group have in common."""

    whole: bool
    rank: int | None
    """The rank, if they have only one."""
    suit: str | None
    """The suit, if they have only one and no rank twice."""
    ranks: int
    """All ranks, as bits."""
    spare: Cards
    """The cards any one of which may leave the group without adding a broken group."""


@lru_cache(_CACHE_SIZE)
def _describe(cards: Cards, ace: Ace) -> _Kind:
    ranks, first = bits(cards), cards[0]
    one_rank, one_suit = ranks.bit_count() == 1, all(card.suit == first.suit for card in cards)
    return _Kind(
        is_whole(cards, ace),
        first.number - 1 if one_rank else None,
        first.suit if one_suit and ranks.bit_count() == len(cards) else None,
        ranks,
        tuple(_spare_cards(cards, ace)),
    )


def _spare_cards(cards: Cards, ace: Ace) -> list[Card]:
    last, broken = len(cards) - 1, not is_whole(cards, ace)
    if broken or last == len(RANKS) - 1:
        pieces = {card: count_broken_pieces(cards, frozenset((card,)), ace) for card in cards}
        return [card for card, left in pieces.items() if left <= broken]
    if len(cards) == LEAST:
        return []
    if cards[0].rank != cards[1].rank:
        parts = [(place, last - place) for place in range(last + 1)]
        return [card for card, part in zip(cards, parts, strict=True) if _is_spare(*part)]
    suits = [card.suit for card in cards]
    several = len(set(suits)) > LEAST
    return [card for card in cards if several or suits.count(card.suit) > 1]


def _is_spare(before: int, after: int) -> bool:
    """Whether a card of a run may leave it that has so many cards before it and after it."""
    return (not before or before >= LEAST) and (not after or after >= LEAST)


class _Search:
    """Finds the movements that a hand and a table offer."""

    def __init__(self, hand: Cards, drawn: Card | None, table: _Layout, ace: Ace, *, reaches: bool) -> None:
        self.ace, self.drawn, self.table = ace, drawn, table
        # Of two equal cards the drawn one comes first, since it must be placed (rule 11).
        ordered = sorted(hand, key=lambda card: card != drawn) if drawn else hand
        self.held = frozenset(hand)
        self.must = drawn if drawn in self.held else None
        self.mending = bool(table.broken)
        self.own = _lay_out(ordered)
        self.own_of_rank, self.own_ranks = _by_rank(self.own), _rank_bits(self.own)
        layout = (table.laid, table.of_rank, table.ranks) if reaches else _NOTHING
        self.others, self.others_of_rank, self.ranks_there = layout
        beginning = (*ordered, *table.home) if self.mending and reaches else ordered
        self.ranks = dict.fromkeys([card.number - 1 for card in beginning])
        self.suits = dict.fromkeys([card.suit for card in beginning])
        self.found: dict[tuple[str | None, Cards], tuple[Order, int, Movement]] = {}

    def run(self, *, on: bool) -> None:
        """Finds the movements to a new group, then those to each group on the table."""
        mending, own_ranks = self.mending, self.own_ranks
        own_of_rank, others_of_rank = self.own_of_rank, self.others_of_rank
        for rank in self.ranks:
            if len(own_of_rank.get(rank, ())) + len(others_of_rank.get(rank, ())) >= _SUITS_OF_A_SET:
                self._to_set(None, (), rank)
        for suit in self.suits:
            self._to_run(None, 0, suit)
        for group, kind in self.table.targets if on else ():
            if kind.rank is not None and kind.rank in self.ranks:
                self._to_set(group, group.cards, kind.rank)
            if kind.suit and (mending or own_ranks[kind.suit] & ~kind.ranks):
                self._to_run(group, kind.ranks, kind.suit)

    def _add(self, into: Group | None, own: Sequence[Card], moved: Cards) -> None:
        """Notes a movement if it is worth making.

        Movements that leave the drawn card in hand come last. Among the others most hand cards come first,
        then fewest table cards.
        """
        if moved and not self._keeps_whole(into, own, moved):
            return
        cards = tuple(sorted((*own, *moved), key=suit_by_suit))
        key = into.name if into else None, cards
        if key not in self.found:
            left = self.must is not None and self.must not in own
            order = left, -len(own), len(moved)
            self.found[key] = order, len(self.found), Add(into.name, cards) if into else Lay(cards)

    def _keeps_whole(self, into: Group | None, own: Sequence[Card], moved: Cards) -> bool:
        """Whether a movement breaks no group while it places hand cards, or mends more groups than it breaks.

        A movement to a new group is left out if the group that it takes from could take its hand cards.
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
        home, spare = self.table.home, self.table.spare
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
        """Whether all table cards come from one group to which the hand cards could be added instead."""
        source = self.table.home[moved[0]].cards
        for card in moved:
            if card not in source:
                return False
        return is_whole((*source, *own), self.ace)

    def _to_set(self, into: Group | None, lying: Cards, rank: int) -> None:
        """Tries choices of hand cards of one rank, each with just enough table cards to make three suits."""
        held, there = self.own_of_rank.get(rank, ()), self.others_of_rank.get(rank, ())
        if lying:
            there = [card for card in there if card not in lying]
        for own in _hand_choices(held, none_too=self.mending):
            shown = {card.suit for card in (*lying, *own)}
            for more in combinations(there, max(0, _SUITS_OF_A_SET - len(shown))):
                if (own or more) and len(shown.union([card.suit for card in more])) >= _SUITS_OF_A_SET:
                    self._add(into, own, more)

    def _to_run(self, into: Group | None, there: int, suit: str) -> None:
        """Tries choices of hand cards of one suit, with table cards that fill gaps or complete a short run.

        ``there`` are the ranks of the group, as bits.
        """
        held = self.own_ranks[suit]
        if choices := _ranks_to_add(self.ace, there, held, held | self.ranks_there[suit], self.mending):
            own, others = self.own[suit], self.others[suit]
            for ranks in choices:
                placed = [own[rank][0] for rank in ranks if rank in own]
                for moved in product(*[others[rank] for rank in ranks if rank not in own]):
                    self._add(into, placed, moved)


Order = tuple[bool, int, int]
"""The sort key of a movement: the best is the least."""


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


def _hand_choices(held: Sequence[Card], *, none_too: bool) -> Iterator[Cards]:
    if none_too:
        yield ()
    for n in range(1, len(held) + 1):
        if len(held) <= _FEW or n in (1, len(held)):
            yield from combinations(held, n)


def _lay_out(cards: Iterable[Card]) -> dict[str, dict[int, list[Card]]]:
    suits: dict[str, dict[int, list[Card]]] = {suit: {} for suit in SUITS}
    for card in cards:
        suits[card.suit].setdefault(card.number - 1, []).append(card)
    return suits


def _by_rank(laid: Laid) -> dict[int, list[Card]]:
    """The cards of each rank, suit by suit."""
    of_rank: dict[int, list[Card]] = {}
    for suit in laid.values():
        for rank, cards in suit.items():
            of_rank.setdefault(rank, []).extend(cards)
    return of_rank


def _rank_bits(laid: Laid) -> dict[str, int]:
    """The ranks of each suit, as bits."""
    return {suit: sum(map(_BIT, ranks)) for suit, ranks in laid.items()}


_BIT = (1).__lshift__
_NOTHING: tuple[Laid, OfRank, Mapping[str, int]] = _lay_out(()), {}, dict.fromkeys(SUITS, 0)
