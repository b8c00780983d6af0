"""Refuses illegal actions, in the order of ``PROTOCOL.md``."""

from __future__ import annotations

from collections.abc import Sequence

from engines.boathouse.state import (
    DRAW_SIZE,
    AnyAction,
    Cards,
    Discard,
    Draw,
    Flip,
    GoOut,
    Lay,
    LayOff,
    State,
    TableMeld,
    is_meld,
)
from engines.cards import Card, without
from engines.game import IllegalMove, Seat, plural, refuse


def check(state: State, seat: Seat, action: AnyAction) -> None:
    """Refuses an action that the rules forbid; ``seat`` is the seat whose turn it is."""
    if isinstance(action, (Draw, Flip)):
        _check_draw(state, action)
        return
    if state.phase == "draw":
        refuse("draw-first", "Draw first: two cards from the stock, or two from the pile.")
    hand = state.hands[seat]
    if isinstance(action, Discard):
        _check_held(hand, (action.card,))
        _check_barred(state, action.card)
    elif isinstance(action, Lay):
        _check_held(hand, action.cards)
        _check_meld(action.cards)
        _check_laying(state, hand, action.cards)
    elif isinstance(action, LayOff):
        if (meld := state.find_meld(action.meld)) is None:
            refuse("no-such-meld", "There is no meld {meld} on the table.", meld=state.letter(action.meld))
        _check_held(hand, action.cards)
        _check_addition(state, meld, action.cards)
        _check_laying(state, hand, action.cards)
    else:
        _check_going_out(state, hand, action)


def _check_draw(state: State, action: Draw | Flip) -> None:
    if state.phase == "play":
        refuse("already-drawn", "You have already drawn: end your turn with a discard.")
    if isinstance(action, Flip):
        if state.stock:
            refuse(
                "stock-not-empty",
                "The stock isn't used up yet: draw from it, or take two cards from the pile.",
            )
    elif action.source == "pile":
        if len(state.pile) < DRAW_SIZE:
            if state.stock:
                refuse("discard-too-small", "There aren't two cards in the pile: draw from the stock.")
            refuse("discard-too-small", "There aren't two cards in the pile: turn it over.")
    elif not state.stock:
        refuse("stock-empty", "The stock is used up: turn the pile over.")


def _check_held(hand: Cards, named: Sequence[Card]) -> None:
    for card in named:
        if card not in hand:
            refuse("not-in-hand", "{card} isn't in your hand.", card=card)
    if len(set(named)) < len(named):
        twice = next(card for n, card in enumerate(named) if card in named[:n])
        refuse("card-twice", "You named {card} twice.", card=twice)


def _check_meld(cards: Cards) -> None:
    if not is_meld(cards):
        reason = plural(
            "{cards} isn't a meld: lay three or four of one rank, or three or more of one suit in a row.",
            "{cards} aren't a meld: lay three or four of one rank, or three or more of one suit in a row.",
            len(cards),
            cards=cards,
        )
        raise IllegalMove("not-a-meld", reason)


def _check_addition(state: State, meld: TableMeld, cards: Cards) -> None:
    if not is_meld((*meld.cards, *cards)):
        reason = plural(
            "{cards} can't be added to {meld}: it would not be a meld any more.",
            "{cards} can't be added to {meld}: it would not be a meld any more.",
            len(cards),
            cards=cards,
            meld=state.letter(meld.name),
        )
        raise IllegalMove("illegal-layoff", reason)


def _check_barred(state: State, card: Card) -> None:
    if card in state.barred:
        refuse("barred-card", "You took {card} from the pile in this turn: discard another card.", card=card)


def _check_discard_left(state: State, left: Cards) -> None:
    """Refuses to leave a hand whose cards are all barred from the discard (rule 7)."""
    if left and all(card in state.barred for card in left):
        reason = plural(
            "You would only have {cards} left, from the pile, and can't discard it yet.",
            "You would only have {cards} left, from the pile, and can't discard them yet.",
            len(left),
            cards=left,
        )
        raise IllegalMove("no-discard-left", reason)


def _check_laying(state: State, hand: Cards, cards: Cards) -> None:
    if state.barred:
        _check_discard_left(state, without(hand, *cards))
    if state.options["going_out"] == "closed":
        refuse("not-in-closed", "At this table you lay your whole hand at once: go out, or discard a card.")


def _check_going_out(state: State, hand: Cards, action: GoOut) -> None:
    melded = tuple(card for meld in action.melds for card in meld)
    named = (*melded, action.discard) if action.discard else melded
    _check_held(hand, named)
    for meld in action.melds:
        _check_meld(meld)
    left = without(hand, *named)
    if action.discard:
        _check_barred(state, action.discard)
    else:
        _check_discard_left(state, left)
    if left:
        reason = plural(
            "You can only go out with the whole hand: {cards} would be left.",
            "You can only go out with the whole hand: {cards} would be left.",
            len(left),
            cards=left,
        )
        raise IllegalMove("must-go-out-at-once", reason)
