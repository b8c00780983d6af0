"""Lists the legal moves of a seat in Casino."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from engines.cards import Card, by_rank
from engines.casino.actions import ALL, AnyAction, Capture, Exchange, MakeBuild, Steal, Target, Throw
from engines.casino.state import DECK, TOP_VALUE, State, holder
from engines.game import Move, Seat

T = TypeVar("T")


class _Row(dict[T, Move], Generic[T]):
    """The moves of one verb with one card, by the other card or the target; each is made on first use."""

    def __init__(self, make: Callable[[T], AnyAction]) -> None:
        self._make = make

    def __missing__(self, other: T) -> Move:
        move = self[other] = self._make(other).to_move()
        return move


def _capture(card: Card, target: Target) -> Capture:
    return Capture(card, (target,))


_CAPTURES = {card: _Row(partial(_capture, card)) for card in DECK}
_BUILDS = {card: _Row(partial(MakeBuild, card)) for card in DECK}
_STEALS = {card: _Row(partial(Steal, card)) for card in DECK}
_THROWS = {card: Throw(card).to_move() for card in DECK}
_EXCHANGES = (Exchange(True).to_move(), Exchange(False).to_move())
_ORDER = {card: index for index, card in enumerate(sorted(DECK, key=by_rank))}.__getitem__
"""The sort key of hand cards in the list of moves: by rank, so that players find their cards."""

_VALUE_BITS = tuple(1 << value for value in range(2 * TOP_VALUE + 1))
"""The bit of each value. A set of card values is an int of such bits, which is quick to shift and to test.

The values go up to twice the highest, since a loaded position may have builds that no player could make.
"""


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The legal moves of a seat: captures, builds, steals, throws.

    In the exchange only the holder of the three of hearts has moves: to accept or to decline.
    """
    if state.phase == "exchange":
        return _EXCHANGES if seat == holder(state) else ()
    if seat != state.turn or not state.hands[seat]:
        return ()
    hand, loose = sorted(state.hands[seat], key=_ORDER), state.loose
    # The values of the hand and of the loose cards, as bits.
    held = lying = 0
    for card in hand:
        held |= _VALUE_BITS[card.number]
    for card in loose:
        lying |= _VALUE_BITS[card.number]
    builds: list[Move] = []
    for card in hand:
        # A partner fits if the hand holds the sum: so `held`, shifted right by the card's value, has the
        # values of all partners.
        # The sum exceeds the card's own value, so the capturing card is always another card.
        if partners := held >> card.number & lying:
            row = _BUILDS[card]
            for partner in loose:
                if partners & _VALUE_BITS[partner.number]:
                    builds.append(row[partner])
    captures, steals = _captures(state, hand, lying), _steals(state, seat, hand, held, lying)
    return (*captures, *builds, *steals, *map(_THROWS.__getitem__, hand))


def _captures(state: State, hand: Sequence[Card], lying: int) -> list[Move]:
    """The captures with each card: all of its value at once if allowed, then each build, then each card."""
    built = 0
    for build in state.builds:
        built |= _VALUE_BITS[build.value]
    capturable, at_once = lying | built, state.options["multi_capture"] == "on"
    found: list[Move] = []
    for card in hand:
        value = card.number
        if capturable & _VALUE_BITS[value]:
            row = _CAPTURES[card]
            if at_once:
                found.append(row[ALL])
            for build in state.builds:
                if build.value == value:
                    found.append(row[build.cards])
            for other in state.loose:
                if other.number == value:
                    found.append(row[other])
    return found


def _steals(state: State, seat: Seat, hand: Sequence[Card], held: int, lying: int) -> list[Move]:
    """The builds with top cards of other players' piles, in the order of the cards that they are built on.

    ``held`` and ``lying`` are the values of the hand and of the loose cards, as bits.
    """
    if (steal_with := state.options["steal_with"]) == "off":
        return []
    built_on, built_on_values = (hand, held) if steal_with == "hand" else (state.loose, lying)
    tops: list[Card] = []
    for owner, pile in enumerate(state.piles):
        if pile and owner != seat and held >> pile[-1].number & built_on_values:
            tops.append(pile[-1])
    if not tops:
        return []
    return [_STEALS[card][top] for card in built_on for top in tops if held >> card.number + top.number & 1]
