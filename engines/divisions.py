"""Divides a hand into melds so that the unmatched cards have the fewest points.

Cards that can share a meld form a cluster; each cluster is divided by itself, a small one by trying all its
melds. A large one is searched rank by rank with dynamic programming: a frontier is the lengths, counted up
to three, of the runs that the next rank may continue, and only the best way to each frontier is kept. One
pack gives at most 4 frontiers a suit, 256 in all; two packs 10 a suit, 10,000 in all; runs past the king
multiply them. A rough search, with few frontiers, comes first. If its result may not be the best, a complete
search follows; it drops every frontier from which not even all later cards would reach the rough result.

This module depends on no game: each game defines its melds with a `Melds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from engines.cards import RANKS, SUITS, Card
from engines.melds import LEAST_CARDS, Meld, Melds
from engines.values import Value

_RANK_COUNT = len(RANKS)
_MOST_TRIED = 8
"""The most cards of a cluster that is divided by trying all its melds."""
_BEAM = 24
"""The number of frontiers that the rough search keeps after each rank."""


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
    for cluster in _clusters(rules.useful(hand), rules):
        if rules.is_meld(cluster):
            melds.append(cluster)
        elif len(cluster) <= _MOST_TRIED:
            candidates = [(frozenset(meld), sum(map(points, meld))) for meld in rules.melds_in(cluster)]
            melds += _best_disjoint(candidates)[0]
        else:
            melds += _Search(rules, cluster, points).best_melds()
    matched = {card for meld in melds for card in meld}
    unmatched = tuple(card for card in hand if card not in matched)
    return Division(tuple(map(rules.in_order, melds)), unmatched, sum(map(points, unmatched)))


def takes_all(hand: Sequence[Card], rules: Melds, *, but: int = 0) -> bool:
    """Whether melds can take all but at most ``but`` cards of a hand."""
    useful = rules.useful(hand)
    spare = but - (len(hand) - len(useful))
    return spare >= 0 and (not useful or _Search(rules, useful, lambda _: 1).can_leave(spare))


def _clusters(useful: Sequence[Card], rules: Melds) -> list[list[Card]]:
    """Splits the useful cards of a hand into clusters so that every meld lies within one of them."""
    of_rank = Counter(card.number for card in useful)
    clusters: list[list[Card]] = []
    for card in useful:
        apart: list[list[Card]] = []
        joined = [card]
        in_set = of_rank[card.number] >= rules.set_sizes[0]
        for cluster in clusters:
            if any(_belong_together(card, other, in_set=in_set) for other in cluster):
                joined += cluster
            else:
                apart.append(cluster)
        clusters = [*apart, joined]
    return clusters


def _belong_together(card: Card, other: Card, *, in_set: bool) -> bool:
    """Whether two cards share a cluster.

    Neighbours in a suit and equal cards of two packs do; with ``in_set``, so do all cards of one rank. Ace
    and king are taken for neighbours whatever runs the ace allows.
    """
    if card.number == other.number:
        return in_set or card.suit == other.suit
    return card.suit == other.suit and (card.number - other.number) % _RANK_COUNT in (1, _RANK_COUNT - 1)


def _best_disjoint(candidates: Sequence[tuple[frozenset[Card], int]]) -> tuple[list[list[Card]], int]:
    """The disjoint melds with the most points, and their sum; each candidate is a meld and its points."""
    if not candidates:
        return [], 0
    (first, points), *others = candidates
    without_first = _best_disjoint(others)
    beside_first, more = _best_disjoint([other for other in others if other[0].isdisjoint(first)])
    if without_first[1] >= points + more:
        return without_first
    return [list(first), *beside_first], points + more


Lengths = tuple[int, ...]
"""The lengths of runs of one suit, shortest first; 3 means 3 or more."""
LengthsBySuit = tuple[Lengths, ...]


class _Frontier(NamedTuple):
    """A state of the search between two ranks; what the later ranks can meld depends on nothing else."""

    open_runs: LengthsBySuit
    """The runs that the next rank may continue."""
    wrapped: LengthsBySuit
    """Runs assumed to continue from the last rank to the first; they must be open after the last rank."""


class _Step(NamedTuple):
    """The best step to a frontier, which uses the cards of one rank."""

    points: int
    """The points of all cards melded so far."""
    before: _Frontier
    in_sets: tuple[int, ...]
    """The number of cards of the rank that sets use, by suit."""
    in_runs: tuple[int, ...]
    """The number of cards of the rank that runs use, by suit."""


class _Path(NamedTuple):
    """A division, written as one step for each rank."""

    points: int
    wrapped: LengthsBySuit
    steps: tuple[_Step, ...]
    is_best: bool
    """Whether it is certain that no path with any of the wrapped runs tried has more points."""


class _Search:
    """A search for the best division; it takes the ranks as a ring, from the one at place 0 on.

    A stretch, which is any number of cards in a row, counts as one run; `_cut` divides it afterwards.
    """

    def __init__(self, rules: Melds, cards: Sequence[Card], points: Callable[[Card], int]) -> None:
        self.rules = rules
        self.held: dict[tuple[int, int], list[Card]] = {}
        """The cards by rank and suit."""
        self.points = [0] * _RANK_COUNT
        """The points of one card, by rank."""
        for card in cards:
            self.held.setdefault((card.number - 1, SUITS.index(card.suit)), []).append(card)
            self.points[card.number - 1] = points(card)
        counts = [
            tuple(len(self.held.get((rank, suit), ())) for suit in range(len(SUITS)))
            for rank in range(_RANK_COUNT)
        ]
        first = 0
        if rules.ace == "wrap":
            # Few runs should pass the ring's end: the search tries all combinations of those that may.
            first = min(range(_RANK_COUNT), key=lambda rank: sum(map(min, counts[rank - 1], counts[rank])))
        self.ranks = [(first + place) % _RANK_COUNT for place in range(_RANK_COUNT)]
        """The rank at each place."""
        self.counts = [counts[rank] for rank in self.ranks]
        """The number of cards by place and suit."""
        points_at = [self.points[rank] * sum(counts[rank]) for rank in self.ranks]
        self.all_points = sum(points_at)
        self.points_after = [sum(points_at[place + 1 :]) for place in range(_RANK_COUNT)]
        """The points of all cards after each place."""

    def best_melds(self) -> list[list[Card]]:
        """The melds of the best division, each in any order."""
        wrappings = list(self._wrappings())
        rough = self._best_path(wrappings[:1], beam=_BEAM)
        if rough and (rough.points == self.all_points or (rough.is_best and len(wrappings) == 1)):
            return self._melds_of(rough)
        best = self._best_path(wrappings, floor=rough.points if rough else 0)
        assert best is not None
        return self._melds_of(best)

    def can_leave(self, points: int) -> bool:
        """Whether a division leaves at most ``points`` unmatched."""
        return self._best_path(list(self._wrappings()), floor=self.all_points - points) is not None

    def _wrappings(self) -> Iterator[LengthsBySuit]:
        """Yields every combination of runs, by suit, that may continue from the last rank to the first.

        The first combination is that without such runs.
        """
        lengths = {"low": (), "low_or_high": (2, 3), "wrap": (1, 2, 3)}[self.rules.ace]
        by_suit: list[list[Lengths]] = []
        for suit in range(len(SUITS)):
            last_three = [self.counts[-n][suit] for n in (1, 2, 3)]
            possible = [length for length in lengths if all(last_three[:length])]
            most = min(self.counts[-1][suit], self.counts[0][suit])
            by_suit.append(
                [runs for n in range(most + 1) for runs in combinations_with_replacement(possible, n)]
            )
        yield from product(*by_suit)

    def _best_path(
        self, wrappings: Sequence[LengthsBySuit], *, floor: int = 0, beam: int | None = None
    ) -> _Path | None:
        """The best path through all ranks that melds at least ``floor`` points; None if there is none.

        With a ``beam``, only that many frontiers are kept after each rank, so the best path may be missed.
        """
        layer = {start: _Step(0, start, (), ()) for start in [_Frontier(runs, runs) for runs in wrappings]}
        layers, is_best = [], True
        for place in range(_RANK_COUNT):
            layer = self._advance(place, layer, floor)
            if beam and len(layer) > beam:
                kept = sorted(layer, key=lambda frontier: layer[frontier].points, reverse=True)[:beam]
                layer, is_best = {frontier: layer[frontier] for frontier in kept}, False
            layers.append(layer)
        last = max(filter(_is_complete, layer), key=lambda frontier: layer[frontier].points, default=None)
        if last is None:
            return None
        return _Path(layer[last].points, last.wrapped, _steps_to(last, layers), is_best)

    def _advance(self, place: int, layer: Mapping[_Frontier, _Step], floor: int) -> dict[_Frontier, _Step]:
        """The frontiers after the rank at a place, each with the best step to it.

        Leaves out those from which not even all later cards would reach ``floor``.
        """
        counts, points = self.counts[place], self.points[self.ranks[place]]
        begins = [self._can_begin(place, suit) for suit in range(len(SUITS))]
        ends = place == 0 and self.rules.ace == "low_or_high"
        needed = floor - self.points_after[place]
        best: dict[_Frontier, _Step] = {}
        for frontier, step in layer.items():
            for in_sets in _cards_in_sets(counts, self.rules.set_sizes, self.rules.least_suits):
                by_suit = [
                    _continuations(runs, held - gone, begins=begin, ends=ends)
                    for runs, held, gone, begin in zip(
                        frontier.open_runs, counts, in_sets, begins, strict=True
                    )
                ]
                for chosen in product(*by_suit):
                    in_runs = tuple([used for _, used in chosen])
                    melded = step.points + points * (sum(in_sets) + sum(in_runs))
                    if melded < needed:
                        continue
                    after = _Frontier(tuple([runs for runs, _ in chosen]), frontier.wrapped)
                    if after not in best or best[after].points < melded:
                        best[after] = _Step(melded, frontier, in_sets, in_runs)
        return best

    def _can_begin(self, place: int, suit: int) -> bool:
        """Whether a run of the suit can begin at a place: two ranks follow, and the suit has both."""
        end = {"low": _RANK_COUNT, "low_or_high": _RANK_COUNT + 1, "wrap": 2 * _RANK_COUNT}[self.rules.ace]
        return place + 2 < end and all(self.counts[(place + n) % _RANK_COUNT][suit] for n in (1, 2))

    def _melds_of(self, path: _Path) -> list[list[Card]]:
        """The melds of a path; takes their cards out of ``held``."""
        melds: list[list[Card]] = []
        for rank, step in zip(self.ranks, path.steps, strict=True):
            for one_set in _split_into_sets(step.in_sets, self.rules.set_sizes, self.rules.least_suits) or ():
                melds.append(
                    [self.held[rank, suit].pop() for suit, n in enumerate(one_set) for _ in range(n)]
                )
        for suit, wrapped in enumerate(path.wrapped):
            by_place = [
                [self.held[rank, suit].pop() for _ in range(step.in_runs[suit])]
                for rank, step in zip(self.ranks, path.steps, strict=True)
            ]
            for stretch in _stretches(wrapped, by_place, ace_ends=self.rules.ace == "low_or_high"):
                melds += _cut(stretch, self.rules.longest)
        return melds


def _continuations(open_runs: Lengths, free: int, *, begins: bool, ends: bool) -> list[tuple[Lengths, int]]:
    """The ways to use a suit's ``free`` cards of a rank in runs: the runs then open, and how many are used.

    Runs shorter than `LEAST_CARDS` must continue. The others continue if cards are left: ending them gains
    nothing. With ``begins`` new runs may begin; with ``ends`` the runs that continue end here, with an ace.
    """
    if not free:
        return [((), 0)] if not open_runs or open_runs[0] == LEAST_CARDS else []
    if sum(length < LEAST_CARDS for length in open_runs) > free:
        return []
    continued = tuple([min(length + 1, LEAST_CARDS) for length in open_runs[:free]])
    used = len(continued)
    still_open = () if ends else continued
    most = free - used if begins else 0
    return [((1,) * n + still_open, used + n) for n in range(most + 1)]


def _is_complete(frontier: _Frontier) -> bool:
    """Whether the runs open after the last rank include those wrapped, and all others are long enough."""
    for open_runs, wrapped in zip(*frontier, strict=True):
        rest = Counter(open_runs)
        rest.subtract(wrapped)
        if any(n < 0 or (n and length < LEAST_CARDS) for length, n in rest.items()):
            return False
    return True


def _steps_to(last: _Frontier, layers: Sequence[Mapping[_Frontier, _Step]]) -> tuple[_Step, ...]:
    """The steps that led to a frontier after the last rank, the first step first."""
    steps: list[_Step] = []
    for layer in reversed(layers):
        steps.append(layer[steps[-1].before if steps else last])
    return tuple(reversed(steps))


@dataclass(eq=False)
class _Run:
    """A stretch of one suit, or the part of one between the first and the last place, built card by card."""

    length: int
    """The number of its cards so far, with those before the first place; counted up to `LEAST_CARDS`."""
    cards: list[Card] = field(default_factory=list)

    def add(self, card: Card) -> None:
        self.cards.append(card)
        self.length = min(self.length + 1, LEAST_CARDS)


def _stretches(
    wrapped: Lengths, by_place: Sequence[Sequence[Card]], *, ace_ends: bool
) -> Iterator[list[Card]]:
    """Yields the stretches that a suit's cards form; continues and begins them as `_continuations` counted.

    With ``ace_ends`` the runs that continue to the first place end there.
    """
    entering = [_Run(length) for length in wrapped]
    open_runs, begun_runs = list(entering), []
    for place, cards in enumerate(by_place):
        open_runs.sort(key=lambda run: run.length)
        continued = open_runs[: len(cards)]
        begun = [_Run(0) for _ in cards[len(continued) :]]
        for run, card in zip((*continued, *begun), cards, strict=True):
            run.add(card)
        begun_runs += begun
        open_runs = begun if place == 0 and ace_ends else [*continued, *begun]
    # Each run that enters at the first place continues one that is open after the last.
    follower: dict[_Run, _Run] = {}
    for length, entered in zip(wrapped, entering, strict=True):
        leaving = next(run for run in open_runs if run.length == length)
        open_runs.remove(leaving)
        follower[leaving] = entered
    for run in begun_runs:
        yield _join(run, follower)
    while follower:
        yield _join(next(iter(follower.values())), follower)


def _join(first: _Run, follower: dict[_Run, _Run]) -> list[Card]:
    """Joins a run with those that continue it past the last place, until none does or the first returns.

    Removes the entries of ``follower`` that it uses.
    """
    cards = list(first.cards)
    run = follower.pop(first, None)
    while run is not None and run is not first:
        cards += run.cards
        run = follower.pop(run, None)
    return cards


@cache
def _cards_in_sets(counts: tuple[int, ...], sizes: range, least_suits: int) -> tuple[tuple[int, ...], ...]:
    """Every number of cards, by suit, that sets of one rank can use up; using no card counts too."""
    every = product(*(range(n + 1) for n in counts))
    return tuple(used for used in every if _split_into_sets(used, sizes, least_suits) is not None)


@cache
def _split_into_sets(
    counts: tuple[int, ...], sizes: range, least_suits: int
) -> tuple[tuple[int, ...], ...] | None:
    """Splits cards of one rank, counted by suit, into sets; None if they cannot be split."""
    total = sum(counts)
    if not total:
        return ()
    if total in sizes and sum(map(bool, counts)) >= least_suits:
        return (counts,)
    for first in product(*(range(n + 1) for n in counts)):
        if sum(first) in sizes and sum(first) < total and sum(map(bool, first)) >= least_suits:
            left = tuple(n - gone for n, gone in zip(counts, first, strict=True))
            if (rest := _split_into_sets(left, sizes, least_suits)) is not None:
                return (first, *rest)
    return None


def _cut(stretch: list[Card], longest: int) -> Iterator[list[Card]]:
    """Cuts a stretch into runs of at most ``longest`` and at least `LEAST_CARDS` cards."""
    while len(stretch) > longest:
        n = min(longest, len(stretch) - LEAST_CARDS)
        yield stretch[:n]
        stretch = stretch[n:]
    yield stretch
