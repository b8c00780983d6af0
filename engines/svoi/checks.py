"""Refuses illegal actions of Svoi Kozyri, in the order of PROTOCOL.md, with reasons for players."""

from __future__ import annotations

from typing import NoReturn

from engines.cards import Card
from engines.game import Name, Seat, refuse
from engines.svoi.deck import beating, beats, cheapest_first
from engines.svoi.state import AnyAction, Beat, ChooseTrump, Lead, State, Take
from engines.svoi.texts import SUIT_NAMES


def check(state: State, seat: Seat, action: AnyAction) -> None:
    """Refuses an action that the rules forbid; ``seat`` is the seat whose turn it is."""
    _check_phase(state, seat, action)
    _check_pile(state, action)
    match action:
        case Lead(card):
            _check_held(state, seat, card)
        case Beat():
            _check_beat(state, seat, action)
        case Take():
            _check_take(state, seat)


def _check_phase(state: State, seat: Seat, action: AnyAction) -> None:
    if not isinstance(action, ChooseTrump):
        if state.phase == "trumps":
            refuse("choose-trump-first", "First choose a trump suit. Then the cards are dealt.")
        return
    if state.phase == "play":
        refuse(
            "trumps-are-chosen", "Both trump suits are chosen already, and they can't change during the game."
        )
    if action.suit in state.trumps:
        refuse(
            "trump-taken",
            "{who} already has {suit}: choose another suit.",
            who=Name(1 - seat),
            suit=SUIT_NAMES[action.suit],
        )


def _check_pile(state: State, action: AnyAction) -> None:
    match action:
        case Beat() if not state.pile:
            refuse("pile-empty", "The pile is empty, so there is nothing to beat: lead any card.")
        case Take() if not state.pile:
            refuse("pile-empty", "The pile is empty, so there is nothing to take: lead any card.")
        case Lead() if state.pile:
            _refuse_lead(state)


def _refuse_lead(state: State) -> NoReturn:
    top = state.pile[-1]
    if not beating(state.hands[state.turn], top, state.trumps[state.turn]):
        refuse("pile-not-empty", "You can lead only when the pile is empty: take.")
    if state.options["voluntary_take"] == "off":
        refuse("pile-not-empty", "You can lead only when the pile is empty: beat {top}.", top=top)
    refuse("pile-not-empty", "You can lead only when the pile is empty: beat {top}, or take.", top=top)


def _check_held(state: State, seat: Seat, *named: Card) -> None:
    for card in named:
        if card not in state.hands[seat]:
            refuse("not-in-hand", "{card} isn't in your hand.", card=card)


def _check_beat(state: State, seat: Seat, action: Beat) -> None:
    hand, (card, second) = state.hands[seat], (action.card, action.next)
    if second and len(hand) == 1:
        refuse("second-card-not-allowed", "You have only one card left: beat with it alone.")
    _check_held(state, seat, card, *([second] if second else []))
    if second == card:
        refuse("same-card-twice", "You can't use {card} twice: choose another second card.", card=card)
    if not beats(card, state.pile[-1], state.trumps[seat]):
        _refuse_weak(card, state.pile[-1], state.trumps[seat])
    if second is None and len(hand) > 1:
        refuse("second-card-required", "Now lay any second card on {card}.", card=card)


def _refuse_weak(card: Card, top: Card, trump: str | None) -> NoReturn:
    if top.suit == trump or trump is None:
        refuse(
            "does-not-beat",
            "{card} doesn't beat {top}: only higher {suit} do.",
            card=card,
            top=top,
            suit=SUIT_NAMES[top.suit],
        )
    refuse(
        "does-not-beat",
        "{card} doesn't beat {top}: only higher {suit} or your trumps ({trumps}) do.",
        card=card,
        top=top,
        suit=SUIT_NAMES[top.suit],
        trumps=SUIT_NAMES[trump],
    )


def _check_take(state: State, seat: Seat) -> None:
    trump, top = state.trumps[seat], state.pile[-1]
    beaters = beating(cheapest_first(state.hands[seat], trump), top, trump)
    if beaters and state.options["voluntary_take"] == "off":
        refuse(
            "must-beat",
            "You can't take: you can beat {top} with {card}.",
            top=top,
            card=beaters[0],
        )
