"""The rules of thumb of Casino's ``normal`` computer player, which also play out the deals of the search.

Points won are weighed against points risked: a card left on the table may be captured, and the top card
of a pile may be stolen. No weight depends on cards that the seat whose turn it is does not know.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import NamedTuple

from engines.casino.brain.races import CARD_GOALS, SPADES, swing
from engines.casino.brain.simulation import (
    BUILD,
    CAPTURE,
    CAPTURE_ALL,
    CAPTURE_BUILD,
    ON_HAND_CARD,
    POINT,
    RACES,
    SPADE,
    STEAL,
    THROW,
    VALUE,
    CardKind,
    Simulation,
    Step,
    cards_of,
    fields,
)
from engines.casino.state import DECK, SPADE_GOALS, TOP_VALUE


class Weights(NamedTuple):
    """The worths of a move's effects in points, and shares of worths; tuned by thousands of games."""

    card: float = 0.06
    """The worth of any card won, beside the points that it scores by itself."""
    card_race: float = 0.48
    """The weight of a card's worth in the race for 21 cards, found by `races`."""
    spade: float = 0.35
    """The worth of a spade, beside its worth as a card."""
    spade_race: float = 0.14
    """The weight of a spade's worth in the race for spades."""
    capture: float = 1.0
    """A capture weighs this share of the worth of the cards that it wins, the capturing card included.

    The share is also taken of what it saves to cover the pile's top card.
    """
    capture_urgency: float = 0.31
    """What is added to the share ``capture`` if another seat holds a card of the captured value.

    Each weight named ``…_urgency`` or ``…_risk`` is multiplied by the probability of its “if”.
    """
    exposed: float = 0.0096
    """The share of a top card's worth that counts as lost to steals, per point that its value is below 10."""
    throw: float = -0.2
    """A throw weighs this share of its card's worth; ``throw_risk`` is added if others can capture it."""
    throw_risk: float = -1.03
    throw_pair: float = 0.083
    """The worth of holding a card with which to take a thrown one back, unless another seat captures it."""
    throw_value: float = -0.0073
    """The worth of throwing a card, for each point of its value."""
    build: float = 0.774
    """A build weighs this share of its cards' worth; ``build_risk`` is added if others can capture it."""
    build_risk: float = -2.02
    any_build: float = 0.093
    """The worth of making any build; ``any_build_risk`` is added if others can capture it."""
    any_build_risk: float = -0.058
    build_urgency: float = 0.106
    """A build is weighed higher by this share of its loose card's worth if others could capture that card."""
    robbed: float = 0.5
    """The share of a stolen card's worth that counts as the other seat's loss."""


Weighed = tuple[float, Step]
"""The weight of a move, and the move."""
_CACHE_SIZE = 20_000
"""The entries after which a policy's cache of worths is emptied."""


class _Outlook(NamedTuple):
    """What the weights of builds, stolen cards included, depend on besides the table."""

    worths: tuple[float, ...]
    """The worth of winning a card of each kind, for the seat, in points."""
    chances: tuple[float, ...]
    """The probability that another seat holds a card of a value, by how many of the value are hidden."""
    unplayed: list[int]
    """The number of cards of each value in hands or undealt, as in `Simulation.unplayed`."""
    held: list[int]
    """The number of cards of each value in the seat's hand."""

    def risk(self, value: int) -> float:
        """The probability that another seat holds a card of this value."""
        return self.chances[self.unplayed[value] - self.held[value]]


class Policy:
    """Weighs all legal moves by one set of weights."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._worths: dict[tuple[int, ...], tuple[float, ...]] = {}

    def weigh(self, table: Simulation) -> list[Weighed]:
        """The legal moves of the seat whose turn it is, once for each kind of card, with their weights."""
        hand, unplayed = table.hands[table.turn], table.unplayed
        held, held_values, loose_values, build_values = [0] * (TOP_VALUE + 1), 0, 0, 0
        for card in hand:
            value = VALUE[card]
            held[value] += 1
            held_values |= 1 << value
        for card in table.loose:
            loose_values |= 1 << VALUE[card]
        for build in table.builds:
            build_values |= 1 << (build >> 10)
        capturable = loose_values | build_values
        hidden = table.unplayed_count - len(hand)
        chances = _chances(hidden - table.undealt, hidden)
        worths = self._worths_for(table)
        outlook = _Outlook(worths, chances, unplayed, held)
        weights = self.weights
        throw, throw_risk, throw_value = weights.throw, weights.throw_risk, weights.throw_value
        found: list[Weighed] = []
        previous = -1
        for card in hand:
            if card == previous:
                continue
            previous = card
            value = VALUE[card]
            risk = chances[unplayed[value] - held[value]]
            weight = worths[card] * (throw + throw_risk * risk) + throw_value * value
            if held[value] > 1:
                weight += weights.throw_pair * (1.0 - risk)
            found.append((weight, (THROW, card, 0)))
            if capturable >> value & 1:
                self._captures(table, card, worths, risk, found)
            if partners := held_values >> value & loose_values:
                self._builds(table, card, partners, outlook, found)
        if table.steals:
            self._steals(table, held_values, outlook, found)
        return found

    def _captures(
        self, table: Simulation, card: CardKind, worths: tuple[float, ...], risk: float, found: list[Weighed]
    ) -> None:
        """Adds the captures with a card.

        Each covers the pile's top card, which then cannot be stolen, and leaves another on top, which can.
        """
        weights, value, own = self.weights, VALUE[card], worths[card]
        pile = table.piles[table.turn]
        share = weights.capture + weights.capture_urgency * risk
        exposed = weights.exposed if table.steals else 0.0
        if pile:
            own += exposed * worths[pile[-1]] * (TOP_VALUE - VALUE[pile[-1]])
        on_top = table.captured_on_top
        everything, last, seen = 0.0, card, 0
        for other in table.loose:
            if VALUE[other] == value:
                everything += worths[other]
                last = other
                if not seen >> other & 1:
                    seen |= 1 << other
                    top = other if on_top else card
                    weight = (own + worths[other]) * share - exposed * worths[top] * (TOP_VALUE - VALUE[top])
                    found.append((weight, (CAPTURE, card, other)))
        builds: list[int] = []
        for build in table.builds:
            if build >> 10 == value:
                first, second = cards_of(build)
                prize = worths[first] + worths[second]
                everything += prize
                last = second
                if build not in builds:
                    builds.append(build)
                    top = second if on_top else card
                    weight = (own + prize) * share - exposed * worths[top] * (TOP_VALUE - VALUE[top])
                    found.append((weight, (CAPTURE_BUILD, card, build)))
        if table.at_once:
            top = last if on_top else card
            weight = (own + everything) * share - exposed * worths[top] * (TOP_VALUE - VALUE[top])
            found.append((weight, (CAPTURE_ALL, card, 0)))

    def _builds(
        self, table: Simulation, card: CardKind, partners: int, outlook: _Outlook, found: list[Weighed]
    ) -> None:
        """Adds the builds of a card with loose cards of the values ``partners``, a set of bits."""
        weights, worths = self.weights, outlook.worths
        own, value, seen = worths[card], VALUE[card], 0
        for other in table.loose:
            if partners >> VALUE[other] & 1 and not seen >> other & 1:
                seen |= 1 << other
                weight = self._weigh_build(own + worths[other], outlook.risk(value + VALUE[other]))
                weight += weights.build_urgency * worths[other] * outlook.risk(VALUE[other])
                found.append((weight, (BUILD, card, other)))

    def _weigh_build(self, prize: float, risk: float) -> float:
        """The weight of making a build; ``prize`` is the worth of its cards."""
        weights = self.weights
        return (
            prize * (weights.build + weights.build_risk * risk)
            + weights.any_build
            + weights.any_build_risk * risk
        )

    def _steals(self, table: Simulation, held_values: int, outlook: _Outlook, found: list[Weighed]) -> None:
        """Adds the builds with the top cards of other piles; ``held_values`` are bits."""
        seat, worths = table.turn, outlook.worths
        for robbed, pile in enumerate(table.piles):
            if not pile or robbed == seat:
                continue
            stolen, previous = pile[-1], -1
            if not (fitting := held_values >> VALUE[stolen]):
                continue
            for card in table.hands[seat] if table.steals == ON_HAND_CARD else sorted(table.loose):
                if card != previous and fitting >> VALUE[card] & 1:
                    previous = card
                    risk = outlook.risk(VALUE[card] + VALUE[stolen])
                    weight = self._weigh_build(worths[card] + worths[stolen], risk)
                    weight += self.weights.robbed * worths[stolen]
                    found.append((weight, (STEAL, card, robbed)))

    def _worths_for(self, table: Simulation) -> tuple[float, ...]:
        """The worth of winning a card of each kind, for the seat whose turn it is, in points."""
        tallies = table.tallies
        own = tallies[table.turn] & RACES
        if len(tallies) == 2:
            best = others = tallies[1 - table.turn] & RACES
        else:
            each = [tally & RACES for seat, tally in enumerate(tallies) if seat != table.turn]
            best, others = max(each), sum(each)
        key = (own, best, others, len(tallies))
        worths = self._worths.get(key)
        if worths is None:
            if len(self._worths) > _CACHE_SIZE:
                self._worths.clear()
            worths = self._worths[key] = self._find_worths(*key)
        return worths

    def _find_worths(self, own: int, best: int, others: int, seats: int) -> tuple[float, ...]:
        """The worth of winning a card of each kind, by tallies without points.

        ``own`` is the tally of the seat's pile, ``others`` of all other piles together, ``best`` of that
        other pile which has the most spades.
        """
        weights = self.weights
        (own_cards, own_spades, _), (best_cards, best_spades, _) = fields(own), fields(best)
        cards, spades, _ = fields(own + others)
        spade = swing(own_spades, best_spades, SPADES - spades, seats, SPADE_GOALS)
        card = swing(own_cards, best_cards, len(DECK) - cards, seats, CARD_GOALS)
        per_card = weights.card + weights.card_race * card
        per_spade = weights.spade + weights.spade_race * spade
        return tuple([POINT[kind] + per_card + per_spade * SPADE[kind] for kind in range(len(VALUE))])


@cache
def _chances(others: int, hidden: int) -> tuple[float, ...]:
    """The probability that another seat holds a card of a value, by how many of its four cards are hidden.

    ``others`` of ``hidden`` cards are in the hands of other seats, the rest is undealt.
    """
    elsewhere = hidden - others
    return tuple(1.0 - comb(elsewhere, n) / comb(hidden, n) if n <= hidden else 1.0 for n in range(5))


POLICY = Policy(Weights())
"""The rules of thumb that ``normal`` plays by."""
