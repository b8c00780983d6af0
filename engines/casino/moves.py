"""What is legal in Casino: the moves of a seat, and why an action is none of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from engines.cards import Card, by_rank
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


class _Captures(dict[Target, Move]):
    """A card's captures by their targets, each made when it is first wanted."""

    def __init__(self, card: Card) -> None:
        self._card = card

    def __missing__(self, target: Target) -> Move:
        word = target if isinstance(target, Card) else "+".join(target)
        move = self[target] = Move("capture", (self._card, word or "all"))
        return move


_CAPTURES = {card: _Captures(card) for card in DECK}
_BUILDS = {card: {other: Move("build", (card, other)) for other in DECK} for card in DECK}
_STEALS = {card: {other: Move("steal-build", (card, other)) for other in DECK} for card in DECK}
_THROWS = {card: Move("throw", (card,)) for card in DECK}
"""Of the moves that are listed again and again there is one of each."""
_ORDER = {card: place for place, card in enumerate(sorted(DECK, key=by_rank))}.__getitem__
"""In which order a hand is gone through: no card is better by itself, and people look for theirs."""

_BITS = tuple(1 << value for value in range(2 * TOP_VALUE + 1))
"""Values are bits of a number, so that one look tells whether a hand holds any that will do.

A loaded position may have a build that nobody could make.
"""


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The legal moves of a seat: captures, builds, steals, throws."""
    if state.phase == "exchange":
        return EXCHANGES if seat == holder(state) else ()
    if seat != state.turn or not state.hands[seat]:
        return ()
    hand, loose = sorted(state.hands[seat], key=_ORDER), state.loose
    held = lying = 0
    for card in hand:
        held |= _BITS[card.number]
    for card in loose:
        lying |= _BITS[card.number]
    builds: list[Move] = []
    for card in hand:
        # A sum is more than the card it is made with, so the card that captures it is another one.
        if partners := held >> card.number & lying:
            row = _BUILDS[card]
            for partner in loose:
                if partners & _BITS[partner.number]:
                    builds.append(row[partner])
    captures, steals = _captures(state, hand, lying), _steals(state, seat, held, lying)
    return (*captures, *builds, *steals, *map(_THROWS.__getitem__, hand))


def check(state: State, seat: Seat, action: Action) -> None:
    """Refuses an action that the rules forbid, in the order of the rule book."""
    if isinstance(action, Exchange):
        if state.phase != "exchange" or seat != holder(state):
            refuse("exchange-not-allowed", "There is nothing for you to exchange.")
        return
    if state.phase == "exchange":
        refuse("exchange-pending", "The table waits for the exchange of the 3♥.")
    if action.card not in state.hands[seat] and not _is_from_table(state, action):
        refuse("not-in-hand", "{card} is not in your hand.", card=action.card)
    if isinstance(action, Capture):
        _check_capture(state, action)
    elif isinstance(action, MakeBuild):
        _check_on_table(state, action.table_card)
        _check_sum(state, seat, action.card, action.table_card, action.claimed)
    elif isinstance(action, Steal):
        _check_theft(state, seat, action)
        _check_sum(state, seat, action.card, action.stolen, action.claimed)


def _captures(state: State, hand: Sequence[Card], lying: int) -> list[Move]:
    """All of a card's value first if that may be captured at once, then its builds, then its loose cards."""
    built = 0
    for build in state.builds:
        built |= _BITS[build.value]
    there, at_once = lying | built, state.options["multi_capture"] == "on"
    found: list[Move] = []
    for card in hand:
        value = card.number
        if there & _BITS[value]:
            row = _CAPTURES[card]
            if at_once:
                found.append(row[()])
            for build in state.builds:
                if build.value == value:
                    found.append(row[build.cards])
            for other in state.loose:
                if other.number == value:
                    found.append(row[other])
    return found


def _steals(state: State, seat: Seat, held: int, lying: int) -> list[Move]:
    if (mode := state.options["steal_with"]) == "off":
        return []
    built_on, values = (state.hands[seat], held) if mode == "hand" else (state.loose, lying)
    tops: list[Card] = []
    for owner, pile in enumerate(state.piles):
        if pile and owner != seat and held >> pile[-1].number & values:
            tops.append(pile[-1])
    if not tops:
        return []
    return [_STEALS[card][top] for card in built_on for top in tops if held >> card.number + top.number & 1]


def _is_from_table(state: State, action: Action) -> bool:
    """Whether the card that is played has to be a loose one (option ``steal_with``)."""
    return isinstance(action, Steal) and state.options["steal_with"] == "table"


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
    # The value is more than the card's own, so whatever has it is another card.
    if value not in [other.number for other in state.hands[seat]]:
        refuse("no-capturing-card", "You hold no other card of {value} to capture it with.", value=value)
