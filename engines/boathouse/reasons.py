"""Says in one sentence why a move is good; each sentence is true of the move and the reader's view."""

from __future__ import annotations

from engines.boathouse.brain.deadwood import ALL, meldable
from engines.boathouse.brain.outs import steps_out
from engines.boathouse.brain.sight import Sight
from engines.boathouse.brain.simulator import PAIRS, fitting
from engines.boathouse.layings import bits, cards_of
from engines.boathouse.state import DRAW_SIZE, MELDS, Cards, Discard, Draw, Flip, LayOff, View, points
from engines.cards import Card, is_card, without
from engines.divisions import divide
from engines.game import Move, Text, plural

_MANY_POINTS = 10
"""The least points of a loose card that are a reason to discard it."""


def reason(view: View, move: Move) -> Text:
    """The best reason for a legal move of the view's reader."""
    if move.verb == Draw.verb and move.words == ("pile",):
        return _of_pile(view)
    if move.verb in (Draw.verb, Flip.verb):
        return _of_stock(view)
    put = bits(Card(card) for word in move.words for card in word.split("+") if is_card(card))
    kept = len(view.hand) - put.bit_count()
    if not kept:
        return Text("You go out, and the others count their cards.")
    if move in steps_out(view):
        return Text("You can go out in this turn.")
    if move.verb == Discard.verb:
        return _of_discard(view, Card(move.words[0]))
    if move.verb == LayOff.verb and Sight.of(view).is_spare(move.words[1:]):
        n = sum(map(points, cards_of(put)))
        return plural("{n} point less in your hand.", "{n} points less in your hand.", n)
    return plural("It leaves you {n} card.", "It leaves you {n} cards.", kept)


def _of_pile(view: View) -> Text:
    """Why to take the top two cards of the pile."""
    taken = _top_of_pile(view)
    for meld in divide((*view.hand, *taken), MELDS, points).melds:
        new = tuple(card for card in meld if card in taken)
        if new:
            others = without(meld, *new)
            return plural(
                "{cards} on the pile makes a meld with {others}.",
                "{cards} on the pile make a meld with {others}.",
                len(new),
                cards=new,
                others=others,
            )
    sight = Sight.of(view)
    added = cards_of(fitting(sight.pair, sight.runs, sight.fourths))
    if added and view.options["going_out"] == "open":
        return plural(
            "{cards} on the pile fits a meld on the table.",
            "{cards} on the pile fit melds on the table.",
            len(added),
            cards=added,
        )
    return Text("From the pile you know what you get: {cards}.", cards=taken)


def _of_stock(view: View) -> Text:
    """Why to draw from the stock, or to turn the pile over."""
    top = _top_of_pile(view)
    if len(top) < DRAW_SIZE:
        return Text("There aren't two cards in the pile to take.")
    useful = _melding(view, top)
    if not useful:
        return plural(
            "{cards} on the pile makes no meld with your cards.",
            "{cards} on the pile make no meld with your cards.",
            len(top),
            cards=top,
        )
    if len(useful) == 1:
        return Text("Only {card} of the two on the pile makes a meld with your cards.", card=useful[0])
    if view.stock_size + len(view.pile) - len(top) < DRAW_SIZE:
        # Once the pile is turned over, a card of these two may be drawn all the same.
        return Text("What you draw from the stock you may discard in the same turn.")
    return Text("Two new cards may help you more than these two.")


def _top_of_pile(view: View) -> Cards:
    """The cards that a draw from the pile would take, top card first; fewer than two if it has no more."""
    return view.pile[: -DRAW_SIZE - 1 : -1]


def _melding(view: View, top: Cards) -> Cards:
    """Which of the top cards of the pile could be part of a meld with the hand."""
    melds = meldable(bits(view.hand) | bits(top))
    return tuple(card for card in top if 1 << card.order & melds)


def _of_discard(view: View, card: Card) -> Text:
    """Why to discard this card."""
    sight = Sight.of(view)
    pairs = PAIRS[1 << card.order]
    if not any(pair & sight.hand for pair in pairs):
        return Text("{card} goes with none of your other cards.", card=card)
    gone = ALL & ~(sight.hand | sight.unseen)
    if all(pair & gone for pair in pairs):
        return Text("{card} needs cards that are in the pile, on the table or in other hands.", card=card)
    dearest = max(map(points, sight.loose()), default=0)
    if points(card) == dearest >= _MANY_POINTS and card in sight.loose():
        return plural(
            "No loose card of yours counts more: {n} point.",
            "No loose card of yours counts more: {n} points.",
            dearest,
        )
    # What another player took may lie in a meld by now.
    taken = bits(card for seat, cards in enumerate(view.known_cards) if seat != view.seat for card in cards)
    taken |= bits(card for meld in view.melds for card in meld.cards)
    if not any(pair & taken for pair in pairs):
        return Text("As far as you know, nobody keeps a card near {card}.", card=card)
    if card in sight.loose():
        return Text("{card} is in none of your melds.", card=card)
    before = divide(view.hand, MELDS, points).points
    after = divide(without(view.hand, card), MELDS, points).points
    if after <= before:
        return plural(
            "You can spare {card}: without it, {n} point is unmatched.",
            "You can spare {card}: without it, {n} points are unmatched.",
            after,
            card=card,
        )
    return Text("Every turn ends with a discard.")
