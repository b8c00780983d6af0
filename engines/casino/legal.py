"""What is legal in Casino: the moves of a seat, and why an action is none of them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache
from typing import NoReturn

from engines.cards import Card
from engines.casino.state import (
    DECK,
    TOP_VALUE,
    Action,
    Capture,
    Exchange,
    MakeBuild,
    State,
    Steal,
    Target,
    find_build,
    holder,
    of_value,
)
from engines.game import Move, Seat, refuse

EXCHANGES = (Move("exchange", ("yes",)), Move("exchange", ("no",)))

_THROWS = {card: Move("throw", (card,)) for card in DECK}
_BUILDS = {card: {other: Move("build", (card, other)) for other in DECK} for card in DECK}
_STEALS = {card: {other: Move("steal-build", (card, other)) for other in DECK} for card in DECK}
"""Of the moves that are listed again and again there is one of each."""


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The legal moves of a seat: captures, builds, steals, throws."""
    if state.phase == "exchange":
        return EXCHANGES if seat == holder(state) else ()
    hand = state.hands[seat]
    if seat != state.turn or not hand:
        return ()
    # A sum is more than the card it is made with, so the card that captures it is another one.
    values = {card.number for card in hand}
    return (
        *_captures(state, hand),
        *[
            _BUILDS[card][partner]
            for card in hand
            for partner in state.loose
            if card.number + partner.number in values
        ],
        *_steals(state, seat, values),
        *[_THROWS[card] for card in hand],
    )


def check(state: State, seat: Seat, action: Action) -> None:
    """Refuses an action that the rules forbid, in the order of the rule book."""
    if isinstance(action, Exchange):
        if state.phase != "exchange" or seat != holder(state):
            refuse("exchange-not-allowed", "There is nothing for you to exchange.")
        return
    if state.phase == "exchange":
        refuse("exchange-pending", "The table waits for the exchange of the 3♥.")
    if not (isinstance(action, Steal) and state.options["steal_with"] == "table"):
        _check_held(state, seat, action.card)
    if isinstance(action, Capture):
        _check_capture(state, action)
    elif isinstance(action, MakeBuild):
        _check_on_table(state, action.table_card)
        _check_sum(state, seat, action.card, action.table_card, action.claimed)
    elif isinstance(action, Steal):
        _check_theft(state, seat, action)
        _check_sum(state, seat, action.card, action.stolen, action.claimed)


def _captures(state: State, hand: Sequence[Card]) -> list[Move]:
    targets: dict[int, list[Target]] = {card.number: [] for card in hand}
    for build in state.builds:
        if build.value in targets:
            targets[build.value].append(build.cards)
    for card in state.loose:
        if card.number in targets:
            targets[card.number].append(card)
    if state.options["multi_capture"] == "on":
        targets = {value: [(), *single] if single else [] for value, single in targets.items()}
    return [_capture(card, target) for card in hand for target in targets[card.number]]


@cache
def _capture(card: Card, target: Target) -> Move:
    word = target if isinstance(target, Card) else "+".join(target)
    return Move("capture", (card, word or "all"))


def _steals(state: State, seat: Seat, values: Set[int]) -> list[Move]:
    if (mode := state.options["steal_with"]) == "off":
        return []
    built_on = state.hands[seat] if mode == "hand" else state.loose
    tops = [pile[-1] for owner, pile in enumerate(state.piles) if pile and owner != seat]
    return [_STEALS[card][top] for card in built_on for top in tops if card.number + top.number in values]


def _check_held(state: State, seat: Seat, card: Card) -> None:
    if card not in state.hands[seat]:
        refuse("not-in-hand", "{card} is not in your hand.", card=card)


def _check_on_table(state: State, card: Card) -> None:
    if card not in state.loose:
        refuse("no-such-table-card", "{card} is no loose card on the table.", card=card)


def _check_capture(state: State, action: Capture) -> None:
    target = action.targets[0] if len(action.targets) == 1 else None
    if isinstance(target, Card):
        _check_on_table(state, target)
        if target.number != action.card.number:
            _refuse_value(action.card, target.number)
    elif target:
        build = find_build(state, target)
        if build is None:
            refuse("no-such-build", "There is no such build; sums of loose cards cannot be captured.")
        if build.value != action.card.number:
            _refuse_value(action.card, build.value)
    elif action.targets or state.options["multi_capture"] == "off":
        refuse("one-target-only", "Capture one loose card or one build at a time.")
    elif not of_value(state, action.card.number):
        refuse("no-such-table-card", "Nothing on the table has that value.")


def _refuse_value(card: Card, value: int) -> NoReturn:
    refuse("value-mismatch", "{card} does not capture a value of {value}.", card=card, value=value)


def _check_theft(state: State, seat: Seat, action: Steal) -> None:
    if state.options["steal_with"] == "table":
        _check_on_table(state, action.card)
    pile = _pile_of(state, seat, action)
    if pile == seat:
        refuse("own-pile", "You cannot steal from your own pile.")
    if pile is None or not state.piles[pile]:
        refuse("empty-pile", "There is no pile to steal from.")
    if state.piles[pile][-1] != action.stolen:
        refuse("not-top-card", "{card} is not on top of a pile.", card=action.stolen)


def _pile_of(state: State, seat: Seat, action: Steal) -> Seat | None:
    """The pile named or lain in; else any that is not empty, in which the card is not on top."""
    if action.pile is not None:
        return action.pile
    for owner, pile in enumerate(state.piles):
        if action.stolen in pile:
            return owner
    return next((owner for owner, pile in enumerate(state.piles) if pile and owner != seat), None)


def _check_sum(state: State, seat: Seat, card: Card, partner: Card, claimed: int | None) -> None:
    value = card.number + partner.number
    if value > TOP_VALUE:
        refuse("build-over-10", "{value} is too much: a build is worth 10 at most.", value=value)
    if claimed not in (None, value):
        refuse("build-sum-mismatch", "These two cards make {value}.", value=value)
    if not any(other.number == value and other != card for other in state.hands[seat]):
        refuse("no-capturing-card", "You hold no other card of {value} to capture it with.", value=value)
