"""Sets and runs: what is a meld, what a hand holds of them, and how a hand divides into them.

Knows no game; what a game calls a meld is in its `Melds`. Works with cards of one pack or of two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import combinations, combinations_with_replacement, product
from operator import or_
from typing import Literal, NamedTuple

from engines.cards import RANKS, SUITS, Card

Ace = Literal["low", "low_or_high", "wrap"]
"""Where an ace may stand in a run: A-2-3; also Q-K-A; also K-A-2."""
Meld = tuple[Card, ...]

_RING = len(RANKS)
_LEAST = 3
"""No set and no run has fewer cards."""
_BEAM = 24
"""How many states of the search for a division are followed to find one that is good."""


@dataclass(frozen=True, slots=True)
class Division:
    """A hand divided into melds and what is left over."""

    melds: tuple[Meld, ...]
    """Each in table order."""
    unmatched: tuple[Card, ...]
    points: int
    """The sum of what is unmatched."""


@dataclass(frozen=True, slots=True)
class Melds:
    """What a game calls a meld: a set of one rank, or a run of one suit without a rank twice.

    In runs and sets alike three cards are the fewest, and backs mean nothing.
    """

    ace: Ace = "low"
    longest: int = _RING
    """The most cards of a run: 5 or more, so that a longer stretch always falls into whole runs."""
    set_sizes: range = range(3, 5)
    least_suits: int = 3
    """How many different suits a set shows."""
    _arcs: Mapping[int, int] = field(init=False, repr=False, compare=False)
    """The ranks of every run, as bits from the ace up, and the rank that begins it (ace 0)."""

    def __post_init__(self) -> None:
        assert self.longest >= 2 * _LEAST - 1
        assert self.set_sizes.start >= _LEAST
        object.__setattr__(self, "_arcs", _arcs(self.ace, self.longest))

    @property
    def runs(self) -> tuple[tuple[int, ...], ...]:
        """The ranks of every run (ace 0, king 12) in the order in which they lie, short runs first."""
        return tuple(
            tuple(rank % _RING for rank in range(first, first + arc.bit_count()))
            for arc, first in self._arcs.items()
        )

    def is_run(self, cards: Sequence[Card]) -> bool:
        """Whether the cards, in any order, are a run."""
        if len(cards) < _LEAST or any(card.suit != cards[0].suit for card in cards):
            return False
        ranks = _bits(cards)
        return ranks in self._arcs and ranks.bit_count() == len(cards)

    def is_set(self, cards: Sequence[Card]) -> bool:
        """Whether the cards, in any order, are a set."""
        return (
            len(cards) in self.set_sizes
            and len({card.rank for card in cards}) == 1
            and len({card.suit for card in cards}) >= self.least_suits
            and len(set(cards)) == len(cards)
        )

    def is_meld(self, cards: Sequence[Card]) -> bool:
        """Whether the cards, in any order, are a set or a run."""
        return self.is_set(cards) or self.is_run(cards)

    def in_order(self, meld: Sequence[Card]) -> Meld:
        """A meld as it lies on the table: a run from its first card, a set by suits."""
        if self.is_run(meld):
            first = self._arcs[_bits(meld)]
            return tuple(sorted(meld, key=lambda card: (card.number - 1 - first) % _RING))
        return tuple(sorted(meld, key=lambda card: (card.number, SUITS.index(card.suit), card.order)))

    def melds_in(self, hand: Sequence[Card], *, backs: bool = True) -> Iterator[Meld]:
        """Every meld that can be made of cards of the hand, in table order.

        With ``backs`` false, of melds that differ only in the backs of their cards the first.
        """
        for held in _by_suit(hand).values():
            ranks = _bits(held)
            for arc, first in self._arcs.items():
                if not arc & ~ranks:
                    yield from _runs(held, arc, first, backs=backs)
        for held in _by_rank(hand).values():
            yield from self._sets(held, backs=backs)

    def lay_offs(self, meld: Sequence[Card], hand: Sequence[Card], *, backs: bool = True) -> Iterator[Meld]:
        """Everything from the hand that, added to a meld at once, leaves a meld: one card or several."""
        if self.is_run(meld):
            lying = _bits(meld)
            held = [card for card in hand if card.suit == meld[0].suit]
            ranks = _bits(held)
            for arc, first in self._arcs.items():
                if arc & lying == lying and arc != lying and not arc & ~lying & ~ranks:
                    yield from _runs(held, arc & ~lying, first, backs=backs)
            return
        held = [card for card in hand if card.rank == meld[0].rank]
        for n in range(1, self.set_sizes.stop - len(meld)):
            for added in _combinations(held, n, backs=backs):
                if self.is_set((*meld, *added)):
                    yield self.in_order(added)

    def can_become(self, cards: Sequence[Card], others: Sequence[Card]) -> bool:
        """Whether the cards are a meld, or are one together with some of the others."""
        return self._can_become_run(cards, others) or self._can_become_set(cards, others)

    def joining(self, cards: Sequence[Card], others: Sequence[Card]) -> tuple[Card, ...]:
        """Those of the others that can go with the cards: some meld has both, and only others besides."""
        reach: dict[str, int] = {}
        wanted = _bits(cards)
        if wanted.bit_count() == len(cards) and len({card.suit for card in cards}) <= 1:
            for suit, held in _by_suit(others).items():
                if not cards or suit == cards[0].suit:
                    missing = ~(wanted | _bits(held))
                    arcs = (arc for arc in self._arcs if not arc & missing and not wanted & ~arc)
                    reach[suit] = reduce(or_, arcs, 0) & ~wanted
        sets: set[Card] = set()
        if len({card.rank for card in cards}) <= 1:
            for rank, held in _by_rank(others).items():
                if not cards and self._can_become_set((), held):
                    sets.update(held)
                elif cards and rank == cards[0].rank:
                    sets.update(card for card in held if self._can_become_set((*cards, card), held))
        return tuple(
            card for card in others if reach.get(card.suit, 0) >> card.number - 1 & 1 or card in sets
        )

    def useful(self, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of the hand that are part of any meld in it."""
        useful: set[Card] = set()
        for held in _by_suit(hand).values():
            ranks = _bits(held)
            covered = 0
            if ranks.bit_count() >= _LEAST:
                for arc in _arcs(self.ace, _LEAST):
                    if not arc & ~ranks:
                        covered |= arc
            useful.update(card for card in held if covered >> card.number - 1 & 1)
        for held in _by_rank(hand).values():
            if len(held) >= _LEAST and len({card.suit for card in held}) >= self.least_suits:
                useful.update(held)
        return tuple(card for card in hand if card in useful)

    def divide(self, hand: Sequence[Card], points: Callable[[Card], int]) -> Division:
        """The division that leaves the fewest points unmatched; points are positive and by rank alone."""
        useful = self.useful(hand)
        melds = _Search(self, useful, points).melds() if useful else []
        gone = {card for meld in melds for card in meld}
        left = tuple(card for card in hand if card not in gone)
        return Division(tuple(map(self.in_order, melds)), left, sum(map(points, left)))

    def takes_all(self, hand: Sequence[Card], *, but: int = 0) -> bool:
        """Whether melds can take all cards of a hand but so many."""
        useful = self.useful(hand)
        spare = but - (len(hand) - len(useful))
        return spare >= 0 and (not useful or _Search(self, useful, lambda _: 1).can_leave(spare))

    def _sets(self, held: Sequence[Card], *, backs: bool) -> Iterator[Meld]:
        for size in self.set_sizes if len(held) >= self.set_sizes.start else ():
            for cards in _combinations(held, size, backs=backs):
                if self.is_set(cards):
                    yield self.in_order(cards)

    def _can_become_run(self, cards: Sequence[Card], others: Sequence[Card]) -> bool:
        if len({card.suit for card in cards}) > 1:
            return False
        for suit in {card.suit for card in cards or others}:
            wanted = _bits(cards)
            missing = ~(wanted | _bits([card for card in others if card.suit == suit]))
            if wanted.bit_count() == len(cards):
                for arc in self._arcs:
                    if not arc & missing and not wanted & ~arc:
                        return True
        return False

    def _can_become_set(self, cards: Sequence[Card], others: Sequence[Card]) -> bool:
        if len({card.rank for card in cards}) > 1 or len(set(cards)) < len(cards):
            return False
        for rank in {card.rank for card in cards or others}:
            more = [card for card in others if card.rank == rank and card not in cards]
            suits = {card.suit for card in cards}
            new_suits = {card.suit for card in more} - suits
            wanted = max(0, self.least_suits - len(suits))
            most = min(len(cards) + len(more), self.set_sizes[-1])
            least = max(len(cards) + wanted, self.set_sizes[0])
            if wanted <= len(new_suits) and least <= most:
                return True
        return False


@cache
def _arcs(ace: Ace, longest: int) -> dict[int, int]:
    arcs: dict[int, int] = {}
    for size in range(_LEAST, longest + 1):
        for first in range(_RING):
            beyond = first + size - _RING
            if beyond <= {"low": 0, "low_or_high": 1, "wrap": _RING}[ace]:
                bits = sum(1 << rank % _RING for rank in range(first, first + size))
                arcs.setdefault(bits, first)
    return arcs


def _bits(cards: Sequence[Card]) -> int:
    bits = 0
    for card in cards:
        bits |= 1 << card.number - 1
    return bits


def _by_suit(cards: Sequence[Card]) -> dict[str, list[Card]]:
    suits: dict[str, list[Card]] = {}
    for card in cards:
        suits.setdefault(card.suit, []).append(card)
    return suits


def _by_rank(cards: Sequence[Card]) -> dict[str, list[Card]]:
    ranks: dict[str, list[Card]] = {}
    for card in cards:
        ranks.setdefault(card.rank, []).append(card)
    return ranks


def _runs(held: Sequence[Card], arc: int, first: int, *, backs: bool) -> Iterator[Meld]:
    """The cards of one suit that show exactly the ranks of the arc, counted from the first."""
    ranks = [rank % _RING for rank in range(first, first + _RING) if arc >> rank % _RING & 1]
    choice = [[card for card in held if card.number - 1 == rank] for rank in ranks]
    return product(*(cards if backs else cards[:1] for cards in choice))


def _combinations(held: Sequence[Card], n: int, *, backs: bool) -> Iterator[Meld]:
    seen: set[tuple[str, ...]] = set()
    for cards in combinations(held, n):
        look = tuple(sorted(card.suit for card in cards))
        if backs or look not in seen:
            seen.add(look)
            yield cards


Open = tuple[int, ...]
"""A suit's runs that reach the rank just passed, by their lengths, the shortest first; 3 is 3 or more."""
Row = tuple[Open, ...]
"""The open runs of every suit."""


class _State(NamedTuple):
    opened: Row
    promised: Row
    """Runs that come in over the last rank to the first; they must be open at the end."""


class _Step(NamedTuple):
    """How a state was reached, and the points melded on the way."""

    value: int
    before: _State | None
    in_sets: tuple[int, ...]
    """Cards of the rank, by suit."""
    in_runs: tuple[int, ...]


class _Way(NamedTuple):
    """A division, as the steps along all ranks."""

    value: int
    promised: Row
    steps: tuple[_Step, ...]
    certain: bool
    """No other way with these promises is better."""


class _Search:
    """The best division of some cards, rank by rank, with the best way to every state.

    A stretch of any length counts as one run here; it is cut afterwards. A suit that could go on from
    the last rank to the first is tried with every promise that it will.
    """

    def __init__(self, rules: Melds, cards: Sequence[Card], points: Callable[[Card], int]) -> None:
        self.rules = rules
        self.held: dict[tuple[int, int], list[Card]] = {}
        self.worth = [0] * _RING
        for card in cards:
            self.held.setdefault((card.number - 1, SUITS.index(card.suit)), []).append(card)
            self.worth[card.number - 1] = points(card)
        count = [
            tuple(len(self.held.get((rank, suit), ())) for suit in range(len(SUITS))) for rank in range(_RING)
        ]
        first = min(range(_RING), key=lambda rank: _crossing(count, rank)) if rules.ace == "wrap" else 0
        self.ranks = [(first + place) % _RING for place in range(_RING)]
        self.count = [count[rank] for rank in self.ranks]
        points_at = [self.worth[rank] * sum(count[rank]) for rank in self.ranks]
        self.all = sum(points_at)
        self.beyond = [sum(points_at[place + 1 :]) for place in range(_RING)]
        """The points of all ranks behind a place."""

    def melds(self) -> list[list[Card]]:
        """The melds of the best division, each in any order."""
        promises = list(self._promises())
        rough = self._sweep(promises[:1], beam=_BEAM)
        if rough and (rough.value == self.all or (rough.certain and len(promises) == 1)):
            return self._rebuild(rough)
        best = self._sweep(promises, floor=rough.value if rough else 0)
        assert best is not None
        return self._rebuild(best)

    def can_leave(self, points: int) -> bool:
        """Whether some division leaves no more points unmatched."""
        return self._sweep(list(self._promises()), floor=self.all - points) is not None

    def _sweep(self, promises: Sequence[Row], *, floor: int = 0, beam: int | None = None) -> _Way | None:
        """The best way along all ranks of those that come to the floor; a beam may miss it."""
        layer = {_State(promised, promised): _Step(0, None, (), ()) for promised in promises}
        layers, certain = [], True
        for place in range(_RING):
            layer = self._advance(place, layer, floor)
            if beam and len(layer) > beam:
                best = sorted(layer, key=lambda state: layer[state].value, reverse=True)[:beam]
                layer, certain = {state: layer[state] for state in best}, False
            layers.append(layer)
        state = max(filter(_is_kept, layer), key=lambda state: layer[state].value, default=None)
        if state is None:
            return None
        value, promised, steps = layer[state].value, state.promised, []
        for layer in reversed(layers):
            steps.append(layer[state])
            state = layer[state].before or state
        return _Way(value, promised, tuple(reversed(steps)), certain)

    def _promises(self) -> Iterator[Row]:
        """What runs may come in, by suit."""
        lengths = {"low": (), "low_or_high": (2, 3), "wrap": (1, 2, 3)}[self.rules.ace]
        choice: list[list[Open]] = []
        for suit in range(len(SUITS)):
            back = [self.count[-n][suit] for n in (1, 2, 3)]
            possible = [length for length in lengths if all(back[:length])]
            most = min(back[0], self.count[0][suit])
            choice.append(
                [some for n in range(most + 1) for some in combinations_with_replacement(possible, n)]
            )
        yield from product(*choice)

    def _advance(self, place: int, layer: Mapping[_State, _Step], floor: int) -> dict[_State, _Step]:
        """The states after the rank at a place of the line."""
        count, worth = self.count[place], self.worth[self.ranks[place]]
        begins = [self._can_begin(place, suit) for suit in range(len(SUITS))]
        ends = place == 0 and self.rules.ace == "low_or_high"
        sets = _set_counts(count, self.rules.set_sizes, self.rules.least_suits)
        found: dict[_State, _Step] = {}
        for state, step in layer.items():
            for in_sets in sets:
                ways = [
                    _ways(runs, held - gone, begins=begin, ends=ends)
                    for runs, held, gone, begin in zip(state.opened, count, in_sets, begins, strict=True)
                ]
                for chosen in product(*ways):
                    in_runs = tuple([used for _, used in chosen])
                    value = step.value + worth * (sum(in_sets) + sum(in_runs))
                    if value + self.beyond[place] < floor:
                        continue
                    after = _State(tuple([opened for opened, _ in chosen]), state.promised)
                    if after not in found or found[after].value < value:
                        found[after] = _Step(value, state, in_sets, in_runs)
        return found

    def _can_begin(self, place: int, suit: int) -> bool:
        """Whether the line goes on for two more ranks, with cards of the suit."""
        end = {"low": _RING, "low_or_high": _RING + 1, "wrap": 2 * _RING}[self.rules.ace]
        return place + 2 < end and all(self.count[(place + n) % _RING][suit] for n in (1, 2))

    def _rebuild(self, way: _Way) -> list[list[Card]]:
        melds: list[list[Card]] = []
        for rank, step in zip(self.ranks, way.steps, strict=True):
            for one in _split(step.in_sets, self.rules.set_sizes, self.rules.least_suits) or ():
                melds.append([self.held[rank, suit].pop() for suit, n in enumerate(one) for _ in range(n)])
        for suit in range(len(SUITS)):
            by_place = [
                [self.held[rank, suit].pop() for _ in range(step.in_runs[suit])]
                for rank, step in zip(self.ranks, way.steps, strict=True)
            ]
            for run in self._lay(way.promised[suit], by_place):
                melds += _cut(run, self.rules.longest)
        return melds

    def _lay(self, promised: Open, by_place: Sequence[Sequence[Card]]) -> Iterator[list[Card]]:
        """The runs that a suit's cards make, as `_ways` has counted them."""
        incoming: list[list[Card]] = [[] for _ in promised]
        opened = list(zip(promised, incoming, strict=True))
        runs: list[list[Card]] = []
        for place, cards in enumerate(by_place):
            opened.sort(key=lambda run: run[0])
            going_on = [(min(length + 1, _LEAST), run) for length, run in opened[: len(cards)]]
            begun = [(1, [card]) for card in cards[len(going_on) :]]
            for (_, run), card in zip(going_on, cards, strict=False):
                run.append(card)
            runs += [run for _, run in begun]
            opened = begun if place == 0 and self.rules.ace == "low_or_high" else going_on + begun
        goes_over: dict[int, list[Card]] = {}
        for length, run in zip(promised, incoming, strict=True):
            end = next(end for end in opened if end[0] == length)
            opened.remove(end)
            goes_over[id(end[1])] = run
        for run in runs:
            yield _follow(run, goes_over)
        while goes_over:
            yield _follow(next(iter(goes_over.values())), goes_over)


def _follow(first: list[Card], goes_over: dict[int, list[Card]]) -> list[Card]:
    """A run and those it goes over into, to the end or round to itself."""
    whole = list(first)
    part = goes_over.pop(id(first), None)
    while part is not None and part is not first:
        whole += part
        part = goes_over.pop(id(part), None)
    return whole


def _crossing(count: Sequence[Sequence[int]], rank: int) -> int:
    """How many runs might go on to this rank from the one before."""
    return sum(map(min, count[rank - 1], count[rank]))


def _ways(opened: Open, free: int, *, begins: bool, ends: bool) -> list[tuple[Open, int]]:
    """How a suit may use its cards of a rank in runs: the runs open then, and the cards used.

    Runs that are not whole must go on; whole ones do so if they can, since that costs nothing.
    """
    if not free:
        return [((), 0)] if not opened or opened[0] == _LEAST else []
    if sum(length < _LEAST for length in opened) > free:
        return []
    going_on = tuple([min(length + 1, _LEAST) for length in opened[:free]])
    used = len(going_on)
    if ends:
        going_on = ()
    most = free - used if begins else 0
    return [((1,) * n + going_on, used + n) for n in range(most + 1)]


def _is_kept(state: _State) -> bool:
    """Whether the runs open behind the last rank are those promised, and the others whole."""
    for opened, promised in zip(*state, strict=True):
        rest = Counter(opened)
        rest.subtract(promised)
        if any(n < 0 or (n and length < _LEAST) for length, n in rest.items()):
            return False
    return True


@cache
def _set_counts(count: tuple[int, ...], sizes: range, least_suits: int) -> tuple[tuple[int, ...], ...]:
    """How many cards of each suit may go into sets of one rank, none included."""
    every = product(*(range(n + 1) for n in count))
    return tuple(some for some in every if _split(some, sizes, least_suits) is not None)


@cache
def _split(count: tuple[int, ...], sizes: range, least_suits: int) -> tuple[tuple[int, ...], ...] | None:
    """The sets that exactly these cards of one rank make, by suits; None if there are no such."""
    total = sum(count)
    if not total:
        return ()
    if total in sizes and sum(map(bool, count)) >= least_suits:
        return (count,)
    for one in product(*(range(n + 1) for n in count)):
        if sum(one) in sizes and sum(one) < total and sum(map(bool, one)) >= least_suits:
            left = tuple(n - gone for n, gone in zip(count, one, strict=True))
            if (rest := _split(left, sizes, least_suits)) is not None:
                return (one, *rest)
    return None


def _cut(run: list[Card], longest: int) -> Iterator[list[Card]]:
    """A stretch as runs of at most so many cards, none too short."""
    while len(run) > longest:
        n = min(longest, len(run) - _LEAST)
        yield run[:n]
        run = run[n:]
    yield run
