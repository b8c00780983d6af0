"""What is legal in Casino: the moves of a seat, and why an action is none of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from engines.cards import Card
from engines.casino.state import (
    TOP_VALUE,
    Action,
    Capture,
    Exchange,
    MakeBuild,
    State,
    Steal,
    find_build,
    holder,
    of_value,
)
from engines.game import Move, Seat, refuse

EXCHANGES = (Move("exchange", ("yes",)), Move("exchange", ("no",)))


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The legal moves of a seat: captures, builds, steals, throws."""
    if state.phase == "exchange":
        return EXCHANGES if seat == holder(state) else ()
    if seat != state.turn or not state.hands[seat]:
        return ()
    return (*_captures(state, seat), *_builds(state, seat), *_steals(state, seat), *_throws(state, seat))


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
    match action:
        case Capture():
            _check_capture(state, action)
        case MakeBuild(card, table_card, claimed):
            _check_on_table(state, table_card)
            _check_sum(state, seat, card, table_card, claimed)
        case Steal(card, stolen, _, claimed):
            _check_theft(state, seat, action)
            _check_sum(state, seat, card, stolen, claimed)


def _captures(state: State, seat: Seat) -> Iterator[Move]:
    several = state.options["multi_capture"] == "on"
    for card in state.hands[seat]:
        value = card.number
        builds = [str(build) for build in state.builds if build.value == value]
        loose = [other for other in state.loose if other.number == value]
        if several and (builds or loose):
            yield Move("capture", (card, "all"))
        for target in (*builds, *loose):
            yield Move("capture", (card, target))


def _builds(state: State, seat: Seat) -> Iterator[Move]:
    hand = state.hands[seat]
    if not state.loose:
        return
    for card in hand:
        values = {other.number for other in hand if other is not card}
        for partner in state.loose:
            if card.number + partner.number in values:
                yield Move("build", (card, partner))


def _steals(state: State, seat: Seat) -> Iterator[Move]:
    if (mode := state.options["steal_with"]) == "off":
        return
    tops = [pile[-1] for owner, pile in enumerate(state.piles) if pile and owner != seat]
    hand = state.hands[seat]
    for card in hand if mode == "hand" else state.loose:
        values = {other.number for other in hand if other is not card}
        for top in tops:
            if card.number + top.number in values:
                yield Move("steal-build", (card, top))


def _throws(state: State, seat: Seat) -> Iterator[Move]:
    return (Move("throw", (card,)) for card in state.hands[seat])


def _check_held(state: State, seat: Seat, card: Card) -> None:
    if card not in state.hands[seat]:
        refuse("not-in-hand", "{card} is not in your hand.", card=card)


def _check_on_table(state: State, card: Card) -> None:
    if card not in state.loose:
        refuse("no-such-table-card", "{card} is no loose card on the table.", card=card)


def _check_capture(state: State, action: Capture) -> None:
    match action.targets:
        case () if state.options["multi_capture"] == "on":
            if not of_value(state, action.card.number):
                refuse("no-such-table-card", "Nothing on the table has that value.")
        case (Card() as target,):
            _check_on_table(state, target)
            if target.number != action.card.number:
                _refuse_value(action.card, target.number)
        case (tuple(pair),) if pair:
            build = find_build(state, pair)
            if build is None:
                refuse("no-such-build", "There is no such build; sums of loose cards cannot be captured.")
            if build.value != action.card.number:
                _refuse_value(action.card, build.value)
        case _:
            refuse("one-target-only", "Capture one loose card or one build at a time.")


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
