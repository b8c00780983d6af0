"""Refuses illegal actions in Casino, in the order of the rule book's refusals."""

from __future__ import annotations

from engines.cards import Card
from engines.casino.actions import AnyAction, Capture, Exchange, MakeBuild, Steal
from engines.casino.state import TOP_VALUE, State, find_build, holder, of_value, owner
from engines.game import Seat, refuse

_EIGHT = 8
"""The only value up to 10 with the article “an” in English."""


def check(state: State, seat: Seat, action: AnyAction) -> None:
    """Refuses an action that the rules forbid."""
    if isinstance(action, Exchange):
        if state.phase != "exchange" or seat != holder(state):
            refuse("exchange-not-allowed", "You have nothing to exchange.")
        return
    if state.phase == "exchange":
        refuse("exchange-pending", "Not yet: first the 3♥ exchange has to be decided.")
    if isinstance(action, Steal):
        _check_steal(state, seat, action)
        return
    _check_in_hand(state, seat, action.hand_card)
    if isinstance(action, Capture):
        _check_capture(state, action)
    elif isinstance(action, MakeBuild):
        _check_on_table(state, action.table_card)
        _check_sum(state, seat, action.hand_card, action.table_card, action.build_value)


def _check_in_hand(state: State, seat: Seat, card: Card) -> None:
    if card not in state.hands[seat]:
        refuse("not-in-hand", "{card} isn't in your hand.", card=card)


def _check_on_table(state: State, card: Card) -> None:
    if card not in state.loose:
        refuse("no-such-table-card", "{card} isn't loose on the table.", card=card)


def _check_capture(state: State, action: Capture) -> None:
    card, several = action.hand_card, len(action.targets) > 1
    target = action.targets[0]
    if several or (not target and state.options["multi_capture"] == "off"):
        refuse("one-target-only", "You can capture only one loose card or one build a turn.")
    if isinstance(target, Card):
        _check_on_table(state, target)
        _check_value(card, target.number)
    elif target:
        build = find_build(state, target)
        if build is None:
            refuse(
                "no-such-build",
                "There is no such build, and you can't capture several loose cards by their sum.",
            )
        _check_value(card, build.value)
    elif not of_value(state, card.number):
        refuse("no-such-table-card", "There is nothing on the table to capture with {card}.", card=card)


def _check_value(card: Card, value: int) -> None:
    if value == card.number:
        return
    if value == _EIGHT:
        refuse("value-mismatch", "{card} can't capture an 8.", card=card)
    refuse("value-mismatch", "{card} can't capture a {value}.", card=card, value=value)


def _check_steal(state: State, seat: Seat, action: Steal) -> None:
    if state.options["steal_with"] == "table":
        _check_on_table(state, action.built_on)
    else:
        _check_in_hand(state, seat, action.built_on)
    pile_owner = _pile_owner(state, seat, action)
    if pile_owner == seat:
        refuse("own-pile", "You can't steal from your own pile.")
    if pile_owner is None or not state.piles[pile_owner]:
        refuse("empty-pile", "There is no pile to steal from.")
    if state.piles[pile_owner][-1] != action.stolen_card:
        refuse(
            "not-top-card",
            "You can steal only the top card of a pile, and {card} isn't one.",
            card=action.stolen_card,
        )
    _check_sum(state, seat, action.built_on, action.stolen_card, action.build_value)


def _pile_owner(state: State, seat: Seat, action: Steal) -> Seat | None:
    """The seat to steal from: the seat that the action names, else the owner of the stolen card.

    If the card is in no pile, the first other seat with a pile, so that the card is refused as not on top;
    None if no other seat has a pile.
    """
    if action.from_player is not None:
        return action.from_player
    if (pile_owner := owner(state, action.stolen_card)) is not None:
        return pile_owner
    return next((other for other, pile in enumerate(state.piles) if pile and other != seat), None)


def _check_sum(state: State, seat: Seat, card: Card, partner: Card, claimed: int | None) -> None:
    value = card.number + partner.number
    if value > TOP_VALUE:
        refuse("build-over-10", "That makes {value}, and a build is worth 10 at most.", value=value)
    if claimed not in (None, value):
        refuse("build-sum-mismatch", "Those two cards make {value}.", value=value)
    # The sum exceeds the card's own value, so the capturing card is always another card.
    if value not in [other.number for other in state.hands[seat]]:
        refuse("no-capturing-card", "You have no other {value} to capture it with.", value=value)
