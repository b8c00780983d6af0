"""A computer player for Boathouse Rum: keeps what may become a meld, and waits a little for a Rummy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from engines.boathouse.rules import unseen_cards
from engines.boathouse.state import DRAWN, MELDS, View, in_canonical_order, points
from engines.cards import RANKS, Card, without
from engines.divisions import divide
from engines.game import Move

Cards = tuple[Card, ...]

_GUESSES = 5
"""How many draws from the stock are imagined, to compare with the pile."""
_NEAR = 5
"""With so many cards to go a hand is kept together for a Rummy."""
_EARLY = 3
"""While stock and pile hold more than so many cards a player there is time to wait for a Rummy."""
_CARD = 10
"""What a card costs that is left unmatched, whichever it is: hands end when nobody has such cards."""
_POINT = 0.3
_PARTNER = 3
"""What another card that goes well with one is worth."""


class _Plan(NamedTuple):
    """How a hand could be put down as it is."""

    melds: tuple[Cards, ...]
    lay_offs: tuple[tuple[str, Card], ...]
    left: Cards


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move that goes out if one does, else what leaves the cheapest and most hopeful hand."""
    verbs = {move.verb for move in moves}
    if "discard" not in verbs:
        return moves[0] if len(moves) == 1 else _draw(view, moves, rng)
    if "out" in verbs:
        return next(move for move in moves if move.verb == "out")
    if view.options["going_out"] == "open":
        plan = _plan(view, view.hand)
        if _goes_out(view, plan) or not _waits(view, plan):
            laying = next((move for move in _layings(plan) if move in moves), None)
            if laying:
                return laying
    left = _plan(view, view.hand).left
    return Move("discard", (_discard(view, view.hand, left, view.barred),))


def _draw(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The pile if its two cards are better than what the stock brings on average."""
    pile = Move("draw", ("pile",))
    stock = next(move for move in moves if move != pile)
    if pile not in moves:
        return stock
    taken = view.pile[-DRAWN:]
    unseen = unseen_cards(view)
    guesses = [tuple(rng.sample(unseen, min(DRAWN, len(unseen)))) for _ in range(_GUESSES)]
    hoped = sum(_after(view, guess, ()) for guess in guesses) / _GUESSES
    return pile if _after(view, taken, taken) < hoped else stock


def _after(view: View, drawn: Cards, barred: Cards) -> float:
    """What a hand costs with the cards drawn and the best discard made."""
    hand = view.hand + drawn
    left = _plan(view, hand).left
    card = _discard(view, hand, left, barred)
    return _cost(without(left, card), without(hand, card))


def _discard(view: View, hand: Cards, left: Cards, barred: Cards) -> Card:
    """The card whose loss is cheapest, one of those left by the best division if that may be."""
    spare = without(left, *barred)
    if spare:
        return min(spare, key=lambda card: _cost(without(left, card), without(hand, card)))
    return min(without(hand, *barred), key=lambda card: _rest(view, without(hand, card)))


def _rest(view: View, hand: Cards) -> float:
    return _cost(_plan(view, hand).left, hand)


def _plan(view: View, hand: Cards) -> _Plan:
    """The division that leaves least, when what fits the table's melds is added to them."""
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
    """Cards that fit the table's melds, one after the other."""
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
    """Whether a Rummy is near enough to put nothing down: melds in hand cost nothing either."""
    assert view.seat is not None
    fresh = not view.laid_before[view.seat] and not view.laid_now
    early = view.stock_size + len(view.pile) > _EARLY * len(view.hand_sizes)
    return fresh and early and len(plan.left) <= _NEAR and view.options["rummy_double"] == "on"


def _layings(plan: _Plan) -> Iterator[Move]:
    for meld in plan.melds:
        yield Move("meld", in_canonical_order(meld))
    for name, card in plan.lay_offs:
        yield Move("layoff", (name, card))


def _cost(left: Cards, hand: Cards) -> float:
    """What is left unmatched in a hand, the cards more than their points, less what may still come of it."""
    partners = sum(_go_well(card, other) for card in left for other in hand if other is not card)
    return _CARD * len(left) + _POINT * sum(map(points, left)) - _PARTNER * partners


def _go_well(card: Card, other: Card) -> bool:
    """Whether a third card could make a meld of these two."""
    if card.number == other.number:
        return True
    apart = (card.number - other.number) % len(RANKS)
    return card.suit == other.suit and min(apart, len(RANKS) - apart) <= 2
