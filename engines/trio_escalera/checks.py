"""Refuses illegal actions, in the order of the refusals in ``RULES.md``, with reasons that name the cards."""

from __future__ import annotations

from collections.abc import Set
from typing import NoReturn

from engines.cards import BACKS, Card
from engines.game import IllegalMove, Seat, refuse
from engines.trio_escalera.groups import Group, broken_groups, in_table_order, melds, move_cards
from engines.trio_escalera.state import Add, AnyAction, Draw, End, Lay, Movement, Reset, State


def check(state: State, seat: Seat, action: AnyAction) -> None:
    """Refuses an action that the rules forbid."""
    match action:
        case Lay() | Add():
            _check_movement(state, seat, action)
        case Draw():
            _check_draw(state)
        case End():
            _check_commit(state)
            _check_end(state, seat)
        case Reset():
            if not state.commit:
                refuse("nothing-to-reset", "There are no movements to take back.")


def allows(state: State, seat: Seat, action: AnyAction) -> bool:
    """Whether `check` accepts the action."""
    try:
        check(state, seat, action)
    except IllegalMove:
        return False
    return True


def _check_movement(state: State, seat: Seat, movement: Movement) -> None:
    """Refuses an illegal movement (rules 7 to 9)."""
    group = _group_named(state, movement)
    table_cards = {card for other in state.table.groups for card in other.cards}
    moved = tuple(card for card in movement.cards if card in table_cards)
    _check_cards(state, seat, movement, group, table_cards)
    if not state.on[seat] and (group or moved):
        refuse("player-off", "You have not opened yet: first lay a whole group from your hand alone.")
    if not state.movements_left:
        refuse("no-movements", "All your movements of this turn are used.")
    whole = (*group.cards, *movement.cards) if group else movement.cards
    if not melds(state.ace).is_meld(whole):
        _refuse_group(in_table_order(whole, state.ace))
    if moved and state.options["table_moves"] == "off":
        refuse("table-moves-off", "At this table no card leaves its group: {cards}.", cards=moved)
    if state.options["strict"] == "on":
        _check_what_is_left(state, movement)


def _group_named(state: State, movement: Movement) -> Group | None:
    """The group that a movement adds to; None for a new group."""
    if movement.group is None:
        return None
    group = state.table.find(movement.group)
    if not group:
        refuse("no-such-group", "There is no group {group} on the table.", group=movement.group)
    return group


def _check_cards(
    state: State, seat: Seat, movement: Movement, group: Group | None, table_cards: Set[Card]
) -> None:
    """Refuses a card that is named twice, or that is neither in the hand nor on the table."""
    cards = movement.cards
    for card in cards:
        if group and card in group.cards:
            refuse("card-twice", "{card} lies in {group} already.", card=card, group=group.name)
        if cards.count(card) > 1:
            refuse("card-twice", "{card} is named twice.", card=card)
    for card in cards:
        if card not in state.hands[seat] and card not in table_cards:
            refuse("card-not-yours", "{card} is neither in your hand nor on the table.", card=card)


def _check_what_is_left(state: State, movement: Movement) -> None:
    """Refuses a movement that leaves a broken group (option ``strict``)."""
    after, _, _ = move_cards(state.table, movement.cards, movement.group, state.ace)
    for broken in broken_groups(after.groups, state.ace):
        refuse("table-illegal", "That would leave no whole group of {cards}.", cards=broken.cards)


def _refuse_group(cards: tuple[Card, ...]) -> NoReturn:
    if len(cards) < 3:
        refuse("not-a-group", "{cards}: a group has three cards or more.", cards=cards)
    if len({card.rank for card in cards}) == 1:
        refuse("not-a-group", "{cards}: a trio needs three different suits.", cards=cards)
    refuse("not-a-group", "{cards} are neither of one rank nor in sequence in one suit.", cards=cards)


def _check_draw(state: State) -> None:
    """Refuses an illegal draw (rule 11)."""
    if state.drawn:
        refuse("already-drawn", "You have drawn a card in this turn already.")
    if not state.stock:
        refuse("stock-empty", "The stock is used up.")
    _check_commit(state)


def _check_commit(state: State) -> None:
    """Refuses a draw or an end after movements without a hand card, or with a broken group.

    Both would commit the table (rules 10, 11 and 14).
    """
    if state.commit and not state.placed:
        refuse("no-hand-card", "You have only moved cards of the table: place one of yours, or undo.")
    for group in broken_groups(state.groups, state.ace):
        refuse("table-illegal", "{group} is not whole: {cards}.", group=group.name, cards=group.cards)


def _check_end(state: State, seat: Seat) -> None:
    """Refuses to end a turn without its draw, or before the drawn card is placed (rules 11 and 12)."""
    if state.commit and state.drawn in state.hands[seat]:
        refuse(
            "drawn-card-unused",
            "You drew {card}: place it too, or take back what you did since.",
            card=state.drawn,
        )
    if state.drawn is None and not state.placed and state.stock:
        refuse("must-draw", "You have placed no card, so draw one first.")


def refuse_without_back(face: Card) -> NoReturn:
    """Refuses a card that was named without its back."""
    red, blue = (f"{face}{back}" for back in BACKS)
    refuse(
        "unknown-card",
        "{card} could be either of two: write {red} for the red back, {blue} for the blue one.",
        card=face,
        red=red,
        blue=blue,
    )
