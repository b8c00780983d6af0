"""The division of a hand into melds that leaves the fewest points.

This module depends on no game: each game defines its melds with a `Melds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from engines.cards import RANKS, SUITS, Card
from engines.melds import LEAST, Meld, Melds
from engines.values import Value

_RING = len(RANKS)
_FEW = 8
"""The most cards that are divided by trying all their melds."""
_BEAM = 24
"""The number of states that the first, rough search keeps after each rank."""


class Division(Value):
    """A hand divided into melds and unmatched cards."""

    melds: tuple[Meld, ...]
    """Each in table order."""
    unmatched: tuple[Card, ...]
    points: int
    """The points of the unmatched cards."""


def divide(hand: Sequence[Card], rules: Melds, points: Callable[[Card], int]) -> Division:
    """Finds the division that leaves the fewest points unmatched.

    ``points`` must be positive and depend only on the rank of the card.
    """
    melds: list[Sequence[Card]] = []
    for heap in _heaps(rules.useful(hand), rules):
        if rules.is_meld(heap):
            melds.append(heap)
        elif len(heap) <= _FEW:
            melds += _try_all([(frozenset(meld), sum(map(points, meld))) for meld in rules.melds_in(heap)])[0]
        else:
            melds += _Search(rules, heap, points).melds()
    gone = {card for meld in melds for card in meld}
    left = tuple(card for card in hand if card not in gone)
    return Division(tuple(map(rules.in_order, melds)), left, sum(map(points, left)))


def takes_all(hand: Sequence[Card], rules: Melds, *, but: int = 0) -> bool:
    """Whether melds can take all but at most ``but`` cards of a hand."""
    useful = rules.useful(hand)
    spare = but - (len(hand) - len(useful))
    return spare >= 0 and (not useful or _Search(rules, useful, lambda _: 1).can_leave(spare))


def _heaps(useful: Sequence[Card], rules: Melds) -> list[list[Card]]:
    """Splits the useful cards of a hand into heaps so that every meld lies within one heap."""
    ranks = Counter(card.number for card in useful)
    heaps: list[list[Card]] = []
    for card in useful:
        apart: list[list[Card]] = []
        whole = [card]
        for heap in heaps:
            if any(_touch(card, other, in_set=ranks[card.number] >= rules.set_sizes[0]) for other in heap):
                whole += heap
            else:
                apart.append(heap)
        heaps = [*apart, whole]
    return heaps


def _touch(card: Card, other: Card, *, in_set: bool) -> bool:
    """Whether two cards could be neighbours in a run, or be in one set."""
    if card.number == other.number:
        return in_set or card.suit == other.suit
    return card.suit == other.suit and (card.number - other.number) % _RING in (1, _RING - 1)


Open = tuple[int, ...]
"""The lengths of a suit's runs up to the rank searched last, shortest first; 3 means 3 or more."""
Row = tuple[Open, ...]
"""The open runs of each suit."""


def _try_all(melds: Sequence[tuple[frozenset[Card], int]]) -> tuple[list[list[Card]], int]:
    """The disjoint melds with the most points, and their sum; ``melds`` pairs each meld with its points."""
    if not melds:
        return [], 0
    (first, worth), *others = melds
    without_first = _try_all(others)
    fitting, more = _try_all([one for one in others if one[0].isdisjoint(first)])
    return without_first if without_first[1] >= more + worth else ([list(first), *fitting], more + worth)


class _State(NamedTuple):
    """A state of the search after one rank: the runs that the next rank may continue."""

    opened: Row
    promised: Row
    """Runs assumed to continue from the last rank to the first; they must be open after the last rank."""


class _Step(NamedTuple):
    """The step that led to a state; ``value`` is the sum of the points melded so far."""

    value: int
    before: _State | None
    in_sets: tuple[int, ...]
    """The number of cards of the rank that sets use, by suit."""
    in_runs: tuple[int, ...]


class _Way(NamedTuple):
    """A division, written as one step for each rank."""

    value: int
    promised: Row
    steps: tuple[_Step, ...]
    certain: bool
    """Whether the search was complete, so that no way with the promises it tried is better."""


class _Search:
    """A search for the best division: it goes rank by rank and keeps the best step to each state.

    The search treats a stretch of any length as one run; `_cut` divides it afterwards. If runs may
    continue from the last rank to the first, the search tries every combination of such runs.
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
        """The points of all ranks after a place."""

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
        """Whether a division leaves at most ``points`` unmatched."""
        return self._sweep(list(self._promises()), floor=self.all - points) is not None

    def _sweep(self, promises: Sequence[Row], *, floor: int = 0, beam: int | None = None) -> _Way | None:
        """The best way through all ranks that melds at least ``floor`` points; None if there is none.

        With a ``beam``, only that many states are kept after each rank, so the best way may be missed.
        """
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
        """Yields every combination of runs, by suit, that may continue from the last rank to the first."""
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
        """The states after the rank at a place, each with the best step to it."""
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
        """Whether a run of the suit can begin at a place: the suit has cards of the next two ranks."""
        end = {"low": _RING, "low_or_high": _RING + 1, "wrap": 2 * _RING}[self.rules.ace]
        return place + 2 < end and all(self.count[(place + n) % _RING][suit] for n in (1, 2))

    def _rebuild(self, way: _Way) -> list[list[Card]]:
        """The melds of a way."""
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
        """Yields the runs that a suit's cards form; it continues and begins runs as `_ways` counted them."""
        incoming: list[list[Card]] = [[] for _ in promised]
        opened = list(zip(promised, incoming, strict=True))
        runs: list[list[Card]] = []
        for place, cards in enumerate(by_place):
            opened.sort(key=lambda run: run[0])
            going_on = [(min(length + 1, LEAST), run) for length, run in opened[: len(cards)]]
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
    """Joins a run with the runs that continue it past the last rank, until none does or the first returns.

    ``goes_over`` maps the `id` of a run to its continuation; entries used are removed.
    """
    whole = list(first)
    part = goes_over.pop(id(first), None)
    while part is not None and part is not first:
        whole += part
        part = goes_over.pop(id(part), None)
    return whole


def _crossing(count: Sequence[Sequence[int]], rank: int) -> int:
    """The most runs that can continue to this rank from the rank before."""
    return sum(map(min, count[rank - 1], count[rank]))


def _ways(opened: Open, free: int, *, begins: bool, ends: bool) -> list[tuple[Open, int]]:
    """The ways to use a suit's free cards of a rank in runs: pairs of the runs then open and the cards used.

    Runs shorter than `LEAST` must continue. Longer ones continue if they can, since that costs nothing.
    """
    if not free:
        return [((), 0)] if not opened or opened[0] == LEAST else []
    if sum(length < LEAST for length in opened) > free:
        return []
    going_on = tuple([min(length + 1, LEAST) for length in opened[:free]])
    used = len(going_on)
    if ends:
        going_on = ()
    most = free - used if begins else 0
    return [((1,) * n + going_on, used + n) for n in range(most + 1)]


def _is_kept(state: _State) -> bool:
    """Whether the runs open after the last rank include those promised, and all others have `LEAST` cards."""
    for opened, promised in zip(*state, strict=True):
        rest = Counter(opened)
        rest.subtract(promised)
        if any(n < 0 or (n and length < LEAST) for length, n in rest.items()):
            return False
    return True


@cache
def _set_counts(count: tuple[int, ...], sizes: range, least_suits: int) -> tuple[tuple[int, ...], ...]:
    """Every number of cards, by suit, that sets of one rank can use up; using no card counts too."""
    every = product(*(range(n + 1) for n in count))
    return tuple(some for some in every if _split(some, sizes, least_suits) is not None)


@cache
def _split(count: tuple[int, ...], sizes: range, least_suits: int) -> tuple[tuple[int, ...], ...] | None:
    """Splits cards of one rank, counted by suit, into sets; None if they cannot be split."""
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
    """Cuts a stretch into runs of at most ``longest`` and at least `LEAST` cards."""
    while len(run) > longest:
        n = min(longest, len(run) - LEAST)
        yield run[:n]
        run = run[n:]
    yield run
