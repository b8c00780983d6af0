"""The rules of thumb of Casino's normal computer, which also play out the games that search imagines.

Points won are weighed against points risked: a card left on the table may be captured, and the top card
of a pile may be stolen. Nothing depends on cards that the seat whose turn it is does not know.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import NamedTuple

from engines.casino.races import CARD_GOALS, SPADE_GOALS, SPADES, swing
from engines.casino.simulation import (
    BUILD,
    CAPTURE,
    CAPTURE_ALL,
    CAPTURE_BUILD,
    POINT,
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
from engines.casino.state import DECK


class Weights(NamedTuple):
    """The worth of a move's effects, in points; the defaults were tuned by thousands of games."""

    card: float = 0.06
    card_race: float = 0.48
    """The weight of a card's worth in the race for 21 cards, found by `races`; ``spade_race`` likewise."""
    spade: float = 0.35
    spade_race: float = 0.14
    capture: float = 1.0
    capture_urgency: float = 0.31
    """How much more a capture is worth if another seat holds a card of its value."""
    exposed: float = 0.0096
    """The share of the worth of a pile's top card that counts as lost to steals, for each value below 10."""
    throw: float = -0.2
    throw_risk: float = -1.03
    throw_pair: float = 0.083
    """The worth of holding another card of the value of a thrown one, with which to take it back."""
    throw_value: float = -0.0073
    build: float = 0.774
    build_risk: float = -2.02
    building: float = 0.093
    building_risk: float = -0.058
    build_urgency: float = 0.106
    """The worth of building on a card that another seat can capture."""
    robbed: float = 0.5
    """The share of a stolen card's worth that counts as the other seat's loss."""


Weighed = tuple[float, Step]


class _Outlook(NamedTuple):
    """The values from which the weights of all moves of a seat are made."""

    worths: tuple[float, ...]
    """The worth of each kind in the seat's pile, in points."""
    chances: tuple[float, ...]
    """The probability that another seat holds a card of a value, by how many of the value are hidden."""
    unseen: list[int]
    """The cards of each value in the hands and the stock."""
    held: list[int]
    """The cards of each value in the seat's hand."""

    def risk(self, value: int) -> float:
        """The probability that another seat holds a card of this value."""
        return self.chances[self.unseen[value] - self.held[value]]


class Policy:
    """Weighs all legal moves by one set of weights."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._worths: dict[tuple[int, ...], tuple[float, ...]] = {}

    def weigh(self, table: Simulation) -> list[Weighed]:
        """Every legal move of the seat whose turn it is, once for each kind of card, and its weight."""
        hand, unseen = table.hands[table.turn], table.unseen
        held, held_values, lying, built = [0] * 11, 0, 0, 0
        for card in hand:
            value = VALUE[card]
            held[value] += 1
            held_values |= 1 << value
        for card in table.loose:
            lying |= 1 << VALUE[card]
        for build in table.builds:
            built |= 1 << (build >> 10)
        there = lying | built
        hidden = table.hidden - len(hand)
        chances = _chances(hidden - table.undealt, hidden)
        worths = self._worth(table)
        outlook = _Outlook(worths, chances, unseen, held)
        weights = self.weights
        safe, risky, low = weights.throw, weights.throw_risk, weights.throw_value
        found: list[Weighed] = []
        previous = -1
        for card in hand:
            if card == previous:
                continue
            previous = card
            value = VALUE[card]
            own = held[value]
            risk = chances[unseen[value] - own]
            weight = worths[card] * (safe + risky * risk) + low * value
            if own > 1:
                weight += weights.throw_pair * (1.0 - risk)
            found.append((weight, (THROW, card, 0)))
            if there >> value & 1:
                self._captures(table, card, worths, risk, found)
            if partners := held_values >> value & lying:
                self._builds(table, card, partners, outlook, found)
        if table.steals:
            self._steals(table, held_values, outlook, found)
        return found

    def _captures(
        self, table: Simulation, card: CardKind, worths: tuple[float, ...], risk: float, found: list[Weighed]
    ) -> None:
        weights, value, own = self.weights, VALUE[card], worths[card]
        pile = table.piles[table.turn]
        secured = weights.capture + weights.capture_urgency * risk
        exposed = weights.exposed
        if pile:
            own += exposed * worths[pile[-1]] * (10 - VALUE[pile[-1]])
        on_top = table.captured_on_top
        everything, top, seen = 0.0, card, 0
        for other in table.loose:
            if VALUE[other] == value:
                everything += worths[other]
                top = other
                if not seen >> other & 1:
                    seen |= 1 << other
                    bare = other if on_top else card
                    weight = (own + worths[other]) * secured - exposed * worths[bare] * (10 - VALUE[bare])
                    found.append((weight, (CAPTURE, card, other)))
        builds: list[int] = []
        for build in table.builds:
            if build >> 10 == value:
                first, second = cards_of(build)
                prize = worths[first] + worths[second]
                everything += prize
                top = second
                if build not in builds:
                    builds.append(build)
                    bare = second if on_top else card
                    weight = (own + prize) * secured - exposed * worths[bare] * (10 - VALUE[bare])
                    found.append((weight, (CAPTURE_BUILD, card, build)))
        if table.at_once:
            bare = top if on_top else card
            weight = (own + everything) * secured - exposed * worths[bare] * (10 - VALUE[bare])
            found.append((weight, (CAPTURE_ALL, card, 0)))

    def _builds(
        self, table: Simulation, card: CardKind, partners: int, outlook: _Outlook, found: list[Weighed]
    ) -> None:
        weights, worths = self.weights, outlook.worths
        own, value, seen = worths[card], VALUE[card], 0
        for other in table.loose:
            if partners >> VALUE[other] & 1 and not seen >> other & 1:
                seen |= 1 << other
                weight = self._weigh_build(own + worths[other], outlook.risk(value + VALUE[other]))
                weight += weights.build_urgency * worths[other] * outlook.risk(VALUE[other])
                found.append((weight, (BUILD, card, other)))

    def _weigh_build(self, prize: float, risk: float) -> float:
        weights = self.weights
        return (
            prize * (weights.build + weights.build_risk * risk)
            + weights.building
            + weights.building_risk * risk
        )

    def _steals(self, table: Simulation, held_values: int, outlook: _Outlook, found: list[Weighed]) -> None:
        seat, worths = table.turn, outlook.worths
        for robbed, pile in enumerate(table.piles):
            if not pile or robbed == seat:
                continue
            stolen, previous = pile[-1], -1
            if not (fitting := held_values >> VALUE[stolen]):
                continue
            for card in table.hands[seat] if table.steals == 1 else sorted(table.loose):
                if card != previous and fitting >> VALUE[card] & 1:
                    previous = card
                    risk = outlook.risk(VALUE[card] + VALUE[stolen])
                    weight = self._weigh_build(worths[card] + worths[stolen], risk)
                    weight += self.weights.robbed * worths[stolen]
                    found.append((weight, (STEAL, card, robbed)))

    def _worth(self, table: Simulation) -> tuple[float, ...]:
        """The worth of each kind in the pile of the seat whose turn it is, in points."""
        tallies = table.tallies
        # The worth depends on the cards and spades of each pile: the lowest twelve bits of its tally.
        own = tallies[table.turn] & 4095
        if len(tallies) == 2:
            best = left = tallies[1 - table.turn] & 4095
        else:
            others = [tally & 4095 for seat, tally in enumerate(tallies) if seat != table.turn]
            best, left = max(others), sum(others)
        key = (own, best, left, len(tallies))
        worths = self._worths.get(key)
        if worths is None:
            if len(self._worths) > 20_000:
                self._worths.clear()
            worths = self._worths[key] = self._find_worths(*key)
        return worths

    def _find_worths(self, own: int, best: int, others: int, seats: int) -> tuple[float, ...]:
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
    """The probability that another seat holds a card of a value, by how many of the value are hidden.

    ``others`` of ``hidden`` cards are in the hands of other seats, the rest is in the stock.
    """
    elsewhere = hidden - others
    return tuple(1.0 - comb(elsewhere, n) / comb(hidden, n) if n <= hidden else 1.0 for n in range(5))


POLICY = Policy(Weights())
