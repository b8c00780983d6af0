"""Refuses illegal actions, in the order of the refusals in ``RULES.md``."""

from __future__ import annotations

from collections.abc import Sequence

from engines.boathouse.state import (
    DRAWN,
    Action,
    Cards,
    Discard,
    Draw,
    Flip,
    GoOut,
    Lay,
    LayOff,
    State,
    TableMeld,
    find_meld,
    is_meld,
)
from engines.cards import Card, without
from engines.game import Seat, refuse


def check(state: State, seat: Seat, action: Action) -> None:
    """Refuses an action that the rules forbid."""
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
        if (meld := find_meld(state, action.meld)) is None:
            refuse("no-such-meld", "There is no meld {name} on the table.", name=action.meld)
        _check_held(hand, action.cards)
        _check_addition(meld, action.cards)
        _check_laying(state, hand, action.cards)
    else:
        _check_going_out(state, hand, action)


def _check_draw(state: State, action: Draw | Flip) -> None:
    if state.phase == "play":
        refuse("already-drawn", "You have drawn already.")
    if isinstance(action, Flip):
        if state.stock:
            refuse("stock-not-empty", "The pile is turned over only when the stock is used up.")
    elif action.source == "pile":
        if len(state.pile) < DRAWN:
            refuse("discard-too-small", "There are not two cards in the pile.")
    elif not state.stock:
        refuse("stock-empty", "The stock is used up: turn the pile over instead.")


def _check_held(hand: Cards, named: Sequence[Card]) -> None:
    for card in named:
        if card not in hand:
            refuse("not-in-hand", "{card} is not in your hand.", card=card)
    if len(set(named)) < len(named):
        twice = next(card for n, card in enumerate(named) if card in named[:n])
        refuse("card-twice", "{card} is named twice.", card=twice)


def _check_meld(cards: Cards) -> None:
    if not is_meld(cards):
        refuse(
            "not-a-meld",
            "{cards}: no meld. A meld is three or four of a kind, or three or more in a row of one suit.",
            cards=cards,
        )


def _check_addition(meld: TableMeld, cards: Cards) -> None:
    if not is_meld((*meld.cards, *cards)):
        refuse("illegal-layoff", "{cards} cannot be added to {meld}.", cards=cards, meld=meld.cards)


def _check_barred(state: State, card: Card) -> None:
    if card in state.barred:
        refuse(
            "barred-card", "You took {card} from the pile in this turn, so it may not go back yet.", card=card
        )


def _check_discard_left(state: State, left: Cards) -> None:
    """Refuses to leave a hand whose cards are all barred from the discard (rule 7)."""
    if left and all(card in state.barred for card in left):
        refuse(
            "no-discard-left",
            "You would be left with {cards}, from the pile, and nothing that you may discard.",
            cards=left,
        )


def _check_laying(state: State, hand: Cards, cards: Cards) -> None:
    if state.barred:
        _check_discard_left(state, without(hand, *cards))
    if state.options["going_out"] == "closed":
        refuse("not-in-closed", "Here nothing goes on the table before your whole hand does.")


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
        refuse(
            "must-go-out-at-once",
            "You can only go out with the whole hand: {cards} would be left.",
            cards=left,
        )
