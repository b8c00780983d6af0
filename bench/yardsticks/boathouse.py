"""A yardstick: the normal computer player of Boathouse Rum of November 2026.

It keeps cards that may become melds, and early in a hand it holds its melds back for a Rummy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from engines.boathouse.state import (
    DRAW_SIZE,
    MELDS,
    Cards,
    Discard,
    Draw,
    GoOut,
    Lay,
    LayOff,
    View,
    in_canonical_order,
    points,
    unseen_cards,
)
from engines.cards import RANKS, Card, without
from engines.divisions import divide
from engines.game import Move

_GUESSES = 5
"""Random draws from the unseen cards that are compared with the pile's cards."""
_MOST_UNMATCHED = 5
"""The most unmatched cards with which the player waits for a Rummy."""
_EARLY_CARDS_PER_PLAYER = 3
"""Cards per player in stock and pile above which there is time to wait for a Rummy."""
_CARD = 10
"""The cost of each unmatched card besides its points, since it keeps the player from going out."""
_POINT = 0.3
"""The cost of each point of an unmatched card."""
_PARTNER = 3
"""The value of each card in hand that could become a meld with an unmatched card."""


class _Plan(NamedTuple):
    """A way to put down the cards of a hand: melds, lay-offs, and the cards left."""

    melds: tuple[Cards, ...]
    lay_offs: tuple[tuple[str, Card], ...]
    left: Cards


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Before the draw the better one; after it the first that is possible of going out, laying, discarding.

    While the player waits for a Rummy, it lays only to go out. The discard leaves the hand of least cost.
    """
    if not any(move.verb == Discard.verb for move in moves):
        return moves[0] if len(moves) == 1 else _draw(view, moves, rng)
    if way_out := next((move for move in moves if move.verb == GoOut.verb), None):
        return way_out
    if view.options["going_out"] == "open":
        plan = _plan(view, view.hand)
        if _goes_out(view, plan) or not _waits(view, plan):
            laying = next((move for move in _layings(plan) if move in moves), None)
            if laying:
                return laying
    left = _plan(view, view.hand).left
    return Discard(_discard(view, view.hand, left, view.barred)).to_move()


def _draw(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The draw from the pile if its two cards are better than the average of random draws, else the other."""
    pile = Draw("pile").to_move()
    stock = next(move for move in moves if move != pile)
    if pile not in moves:
        return stock
    taken = view.pile[-DRAW_SIZE:]
    unseen = unseen_cards(view)
    guesses = [tuple(rng.sample(unseen, min(DRAW_SIZE, len(unseen)))) for _ in range(_GUESSES)]
    hoped = sum(_cost_after(view, guess, ()) for guess in guesses) / _GUESSES
    return pile if _cost_after(view, taken, taken) < hoped else stock


def _cost_after(view: View, drawn: Cards, barred: Cards) -> float:
    """The cost of the hand after it has drawn these cards and made the best discard."""
    hand = view.hand + drawn
    left = _plan(view, hand).left
    card = _discard(view, hand, left, barred)
    return _cost(without(left, card), without(hand, card))


def _discard(view: View, hand: Cards, left: Cards, barred: Cards) -> Card:
    """The discard that leaves the hand of least cost.

    It is one of the cards in ``left``, or if all of those are barred, another card of the hand.
    """
    spare = without(left, *barred)
    if spare:
        return min(spare, key=lambda card: _cost(without(left, card), without(hand, card)))
    return min(without(hand, *barred), key=lambda card: _cost_of_hand(view, without(hand, card)))


def _cost_of_hand(view: View, hand: Cards) -> float:
    return _cost(_plan(view, hand).left, hand)


def _plan(view: View, hand: Cards) -> _Plan:
    """The better of two plans: with the cards that can be laid off in new melds too, or kept out of them.

    The better plan leaves fewer cards, or as many with fewer points.
    """
    added = tuple(_lay_offs(view, hand))
    fitting = {card for _, card in added}
    plans = []
    for kept_back in ((), tuple(fitting)):
        division = divide(without(hand, *kept_back), MELDS, points)
        spare = {*division.unmatched, *kept_back}
        lay_offs = tuple((name, card) for name, card in added if card in spare)
        left = tuple(card for card in division.unmatched if card not in fitting)
        plans.append(_Plan(division.melds, lay_offs, left))
        if not fitting:
            break
    return min(plans, key=lambda plan: (len(plan.left), sum(map(points, plan.left))))


def _lay_offs(view: View, hand: Cards) -> Iterator[tuple[str, Card]]:
    """Single-card lay-offs, one after the other, as pairs of meld name and card."""
    if view.options["going_out"] == "closed":
        return
    left = hand
    for meld in view.melds:
        cards = meld.cards
        while fitting := next((card for card in left if MELDS.is_meld((*cards, card))), None):
            yield meld.name, fitting
            cards, left = (*cards, fitting), without(left, fitting)


def _goes_out(view: View, plan: _Plan) -> bool:
    return not plan.left or (len(plan.left) == 1 and plan.left[0] not in view.barred)


def _waits(view: View, plan: _Plan) -> bool:
    """Whether to lay nothing yet, since a Rummy is near; melds still in hand cost nothing."""
    assert view.seat is not None
    fresh = not view.laid_before[view.seat] and not view.laid_now
    early = view.stock_size + len(view.pile) > _EARLY_CARDS_PER_PLAYER * len(view.hand_sizes)
    return fresh and early and len(plan.left) <= _MOST_UNMATCHED and view.options["rummy_double"] == "on"


def _layings(plan: _Plan) -> Iterator[Move]:
    for meld in plan.melds:
        yield Lay(in_canonical_order(meld)).to_move()
    for name, card in plan.lay_offs:
        yield LayOff(name, (card,)).to_move()


def _cost(left: Cards, hand: Cards) -> float:
    """The cost of the cards left: their number and points, less the cards in hand that go well with them."""
    partners = sum(_go_well(card, other) for card in left for other in hand if other is not card)
    return _CARD * len(left) + _POINT * sum(map(points, left)) - _PARTNER * partners


def _go_well(card: Card, other: Card) -> bool:
    """Whether a third card could make a meld of these two."""
    if card.number == other.number:
        return True
    apart = (card.number - other.number) % len(RANKS)
    return card.suit == other.suit and min(apart, len(RANKS) - apart) <= 2
