"""Imagines the cards of Casino that the reader of a view does not see: other hands, and the stock."""

from __future__ import annotations

from math import log
from random import Random

from engines.cards import Card
from engines.casino.brain.simulation import (
    BUILD,
    CAPTURE,
    CAPTURE_ALL,
    CAPTURE_BUILD,
    KIND,
    STEAL,
    THROW,
    VALUE,
    Simulation,
    Step,
    pair,
)
from engines.casino.state import TOP_VALUE, Cards, View, unseen_cards
from engines.game import Move

_LYING_ODDS = 0.4
"""The odds that a seat holds a card of a value that lay loose in its last turn; 1 for other cards."""


def step_of(view: View, move: Move) -> Step:
    """The step of a move in the phase ``play``."""
    match move.verb, move.words:
        case "capture", (card, "all"):
            return CAPTURE_ALL, KIND[Card(card)], 0
        case "capture", (card, target) if "+" in target:
            first, second = target.split("+")
            return CAPTURE_BUILD, KIND[Card(card)], pair(KIND[Card(first)], KIND[Card(second)])
        case "capture", (card, target):
            return CAPTURE, KIND[Card(card)], KIND[Card(target)]
        case "build", (card, partner):
            return BUILD, KIND[Card(card)], KIND[Card(partner)]
        case "steal-build", (card, stolen):
            robbed = next(seat for seat, pile in enumerate(view.piles) if pile and pile[-1] == stolen)
            return STEAL, KIND[Card(card)], robbed
        case _:
            return THROW, KIND[Card(move.words[0])], 0


def any_deal(view: View) -> Simulation:
    """One table that agrees with the view, for computations that use no hidden cards."""
    hidden, hands = unseen_cards(view), list[Cards]()
    dealt = 0
    for seat, size in enumerate(view.hand_sizes):
        hands.append(view.hand if seat == view.seat else tuple(hidden[dealt : dealt + size]))
        dealt += 0 if seat == view.seat else size
    return Simulation.of(view, hands, tuple(hidden[dealt : dealt + view.stock_size]), (*view.hand, *hidden))


class Deals:
    """Imagines a view's hidden cards; with two seats, values that lie loose are rarer in the other hand."""

    def __init__(self, view: View) -> None:
        self._table = any_deal(view)
        self._hidden = [KIND[card] for card in unseen_cards(view)]
        self._others = [seat for seat in range(len(view.hand_sizes)) if seat != view.seat]
        self._odds = _odds(view)

    def imagine(self, rng: Random) -> Simulation:
        """A table with the hidden cards dealt at random."""
        table, odds = self._table.copy(), self._odds
        if odds:
            # The highest keys are a sample by weights without replacement (Efraimidis and Spirakis, 2006).
            keys = [(log(1.0 - rng.random()) / odds[VALUE[kind]], kind) for kind in self._hidden]
            hidden = [kind for _, kind in sorted(keys, reverse=True)]
        else:
            hidden = self._hidden[:]
            rng.shuffle(hidden)
        for seat in self._others:
            size = len(table.hands[seat])
            table.hands[seat] = sorted(hidden[:size])
            del hidden[:size]
        if odds:
            # What is left is still sorted by its keys.
            rng.shuffle(hidden)
        table.stock = hidden[: len(table.stock)]
        return table


def _odds(view: View) -> list[float]:
    """The odds of each value to be in the other hand rather than in the stock; empty if they are all equal.

    A seat captures what it can, so it probably holds no card of a value that lay loose in its last turn. The
    last loose card does not count: that turn may have thrown it. Only for two seats; with three, all hidden
    cards are held, and the table does not tell by whom.
    """
    if len(view.hand_sizes) > 2 or not view.stock_size or len(view.loose) < 2:
        return []
    odds = [1.0] * (TOP_VALUE + 1)
    for card in view.loose[:-1]:
        odds[card.number] = _LYING_ODDS
    return odds
