"""The reasons for moves of Svoi Kozyri, for hints and analyses."""

from __future__ import annotations

from engines.cards import Card, without
from engines.game import Move, Text, plural
from engines.svoi.deck import DECK, Hand, Pile, beating, cheapest_first, last_reply, take_size
from engines.svoi.state import View


def reason(view: View, move: Move) -> Text:
    """Why a legal move of the view's reader is good: the strongest of the reasons that hold."""
    cards = tuple(map(Card, move.words)) if move.verb in ("lead", "beat") else ()
    if move.verb == "trump":
        return Text("No cards are dealt yet, so one suit is as good as another.")
    if not cards:
        return _reason_to_take(view)
    return (
        _about_the_end(view, cards)
        or _about_the_reply(view, cards)
        or _about_the_trumps(view, cards)
        or _about_the_cheapest(view, cards)
        or _about_the_rest(view, cards)
    )


def _reason_to_take(view: View) -> Text:
    top, n = view.pile[-1], take_size(view.pile, view.own_trump)
    beaters = beating(view.hand, top, view.own_trump)
    if not beaters:
        return plural(
            "You can't beat {top}, so you take {n} card.",
            "You can't beat {top}, so you take {n} cards.",
            n,
            top=top,
        )
    if all(card.suit == view.own_trump for card in beaters):
        return plural(
            "You take {n} card, but keep your trumps.",
            "You take {n} cards, but keep your trumps.",
            n,
        )
    return plural(
        "You take {n} card, but keep your cards that beat {top}.",
        "You take {n} cards, but keep your cards that beat {top}.",
        n,
        top=top,
    )


def _about_the_end(view: View, cards: Pile) -> Text | None:
    """What laying the last cards leads to, as far as the opponent's hand is known; None for other moves."""
    if len(cards) < len(view.hand):
        return None
    other = _other_hand(view)
    if other is None:
        return Text("That leaves you without cards.")
    if last_reply(other, cards[-1], _other_trump(view), view.options["last_reply"]):
        return Text("You run out of cards, but your opponent still saves a draw.")
    return Text("You run out of cards and win.")


def _about_the_reply(view: View, cards: Pile) -> Text | None:
    """That at most one card of the opponent's hand beats the new top card; None if more do.

    None also if that hand is unknown.
    """
    other, top, trump = _other_hand(view), cards[-1], _other_trump(view)
    beaters = beating(other or (), top, trump)
    if other is None or len(beaters) > 1:
        return None
    if beaters:
        return Text("Your opponent has only one card that beats {card}.", card=top)
    pile = (*view.pile, *cards)
    n = take_size(pile, trump)
    if len(pile) == 1:
        return Text("Your opponent can't beat {card} and must take it.", card=top)
    if len(pile) == n:
        return Text("Your opponent can't beat {card} and must take the whole pile.", card=top)
    return plural(
        "Your opponent can't beat {card} and must take {n} card.",
        "Your opponent can't beat {card} and must take {n} cards.",
        n,
        card=top,
    )


def _about_the_trumps(view: View, cards: Pile) -> Text | None:
    """That only higher trumps beat the new top card, if it is of the opponent's trump suit.

    None for other suits, and for the six, the lowest trump.
    """
    top = cards[-1]
    if top.suit != _other_trump(view) or top.rank == "6":
        return None
    if top.rank == "A":
        return Text("{card} is your opponent's trump: no card beats it.", card=top)
    return Text("{card} is your opponent's trump: only a higher one beats it.", card=top)


def _about_the_cheapest(view: View, cards: Pile) -> Text | None:
    """That the card is the cheapest that can be laid, and whether trumps are kept; None for other cards."""
    if not view.pile:
        if cards[0] != cheapest_first(view.hand, view.own_trump)[0]:
            return None
        return Text("{card} is your cheapest card.", card=cards[0])
    top = view.pile[-1]
    cheapest = cheapest_first(beating(view.hand, top, view.own_trump), view.own_trump)[0]
    if cards[0] != cheapest:
        return None
    if _keeps_trumps(view, cards):
        return Text(
            "{card} is the cheapest card that beats {top}, and you keep your trumps.", card=cheapest, top=top
        )
    return Text("{card} is the cheapest card that beats {top}.", card=cheapest, top=top)


def _about_the_rest(view: View, cards: Pile) -> Text:
    """What stays in the hand, that the cheapest card has left it, or how hard the new top card is to beat."""
    if _keeps_trumps(view, cards):
        return Text("You keep all your trumps.")
    if view.pile and cards[-1] == cheapest_first(view.hand, view.own_trump)[0]:
        return Text("You get rid of {card}, your cheapest card.", card=cards[-1])
    if (other := _other_hand(view)) is not None:
        beaters, trump = beating(other, cards[-1], _other_trump(view)), _other_trump(view)
        if all(card.suit == trump for card in beaters):
            return Text("Your opponent can beat {card} only with a trump.", card=cards[-1])
        kept = min(without(view.hand, *cards), key=lambda card: len(beating(other, card, trump)))
        if len(beating(other, kept, trump)) < len(beaters):
            return Text("You keep {card}, which is harder to beat.", card=kept)
        return Text("None of your other cards is harder to beat than {card}.", card=cards[-1])
    n = len(view.hand) - len(cards)
    return plural("You have {n} card left.", "You have {n} cards left.", n)


def _keeps_trumps(view: View, cards: Pile) -> bool:
    """Whether the hand has trumps and the move lays none."""
    laid = any(card.suit == view.own_trump for card in cards)
    return not laid and any(card.suit == view.own_trump for card in view.hand)


def _other_trump(view: View) -> str | None:
    return view.trumps[1 - view.turn]


def _other_hand(view: View) -> Hand | None:
    """The opponent's hand, which follows from the other cards; None if some card is missing from the game."""
    rest = without(DECK, *view.hand, *view.pile)
    return rest if len(rest) == view.hand_sizes[1 - view.turn] else None
