"""Performs the actions of Trío y Escalera, and counts the points at the end."""

from __future__ import annotations

from collections.abc import Sequence

from engines.cards import Card
from engines.game import Event, Seat
from engines.trio_escalera import texts
from engines.trio_escalera.groups import move_cards
from engines.trio_escalera.state import (
    Add,
    AnyAction,
    Commit,
    Draw,
    End,
    Lay,
    Movement,
    Reset,
    State,
    placed_since_commit,
    sorted_hand,
)
from engines.values import replace, replace_at


def perform(state: State, seat: Seat, action: AnyAction) -> tuple[State, tuple[Event, ...]]:
    """The state after a legal action, and its events."""
    match action:
        case Lay() | Add():
            return _move(state, seat, action)
        case Draw():
            return _draw(state, seat)
        case Reset():
            return _reset(state, seat)
        case End():
            return _end(state, seat)


def _move(state: State, seat: Seat, movement: Movement) -> tuple[State, tuple[Event, ...]]:
    """Moves the cards to their group, and splits runs that have a hole (rules 7 to 9)."""
    table, destination, splits = move_cards(state.table, movement.cards, movement.group, state.ace)
    hand = state.hands[seat]
    placed = tuple([card for card in destination.cards if card in movement.cards and card in hand])
    moved = tuple([card for card in destination.cards if card in movement.cards and card not in hand])
    new = () if movement.group else (destination.name,)
    after = replace(
        state,
        hands=replace_at(state.hands, seat, tuple([card for card in hand if card not in placed])),
        groups=table.groups,
        numbers=table.numbers,
        came=(*state.came, *new, *(split.piece.name for split in splits)),
        on=replace_at(state.on, seat, True),
        movements_left=state.movements_left - 1,
        placed=state.placed + len(placed),
        commit=state.commit or Commit(state.table, state.on, state.movements_left, state.placed, state.came),
    )
    news = texts.movement(
        seat, movement, after.letter(destination.name), placed, moved, opens=not state.on[seat]
    )
    return after, (news, *(texts.split(after, split) for split in splits))


def _draw(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    """Draws a card, which commits the movements before it (rule 11)."""
    card, *stock = state.stock
    hand = sorted_hand((*state.hands[seat], card))
    after = replace(
        state, hands=replace_at(state.hands, seat, hand), stock=tuple(stock), drawn=card, commit=None
    )
    return after, (texts.draw(seat), texts.own_draw(seat, card))


def _reset(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    """Restores the hand, the table, who has opened and the turn's counts as at the last commit (rule 13)."""
    commit = state.commit
    assert commit is not None
    after = replace(
        state,
        hands=replace_at(state.hands, seat, sorted_hand((*state.hands[seat], *placed_since_commit(state)))),
        groups=commit.table.groups,
        numbers=commit.table.numbers,
        came=commit.came,
        on=commit.on,
        movements_left=commit.movements_left,
        placed=commit.placed,
        commit=None,
    )
    return after, (texts.reset(seat),)


def _end(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    """Gives the turn to the next seat, or ends the game (rules 14 to 16)."""
    seats, held = len(state.hands), len(state.hands[seat])
    passed = not state.placed and state.drawn is None
    after = replace(
        state,
        turn=(seat + 1) % seats,
        turns=state.turns + 1,
        movements_left=int(state.options["movements"]),
        drawn=None,
        placed=0,
        passes=state.passes + 1 if passed else 0,
        commit=None,
    )
    if not held:
        return _finish(after, texts.out(seat))
    if after.passes >= seats:
        return _finish(after, texts.blocked())
    return after, (texts.pass_on(seat) if passed else texts.end(seat, held),)


def _finish(state: State, why: Event) -> tuple[State, tuple[Event, ...]]:
    counted = tuple(map(points, state.hands))
    return replace(state, points=counted), (why, texts.count(counted))


def points(hand: Sequence[Card]) -> int:
    """The points of a hand: ace 11, court cards 10, others their number (rule 16)."""
    return sum(11 if card.rank == "A" else min(card.number, 10) for card in hand)
