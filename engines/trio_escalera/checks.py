"""Refuses illegal actions, in the order of ``PROTOCOL.md``."""

from __future__ import annotations

from collections.abc import Set
from typing import NoReturn

from engines.cards import BACKS, Card
from engines.game import IllegalMove, Seat, Text, plural, refuse
from engines.melds import LEAST_CARDS
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
            if not may_reset(state):
                refuse("nothing-to-reset", "There is nothing to reset.")


def is_legal(state: State, seat: Seat, action: AnyAction) -> bool:
    """Whether `check` accepts the action."""
    try:
        check(state, seat, action)
    except IllegalMove:
        return False
    return True


def may_draw(state: State) -> bool:
    """Whether `check` accepts a draw."""
    return not state.drawn and bool(state.stock) and _may_commit(state)


def may_end(state: State, seat: Seat) -> bool:
    """Whether `check` accepts the end of the turn."""
    return not _must_draw(state) and not _unused_draw(state, seat) and _may_commit(state)


def may_reset(state: State) -> bool:
    """Whether `check` accepts a reset."""
    return state.commit is not None


def _may_commit(state: State) -> bool:
    return not _moved_table_cards_only(state) and not broken_groups(state.groups, state.ace)


def _moved_table_cards_only(state: State) -> bool:
    return state.commit is not None and not state.placed


def _unused_draw(state: State, seat: Seat) -> Card | None:
    """The drawn card, if movements since the draw have left it in hand; else None."""
    return state.drawn if state.commit and state.drawn in state.hands[seat] else None


def _must_draw(state: State) -> bool:
    """Whether the turn needs a draw before it may end (rule 12)."""
    return state.drawn is None and not state.placed and bool(state.stock)


def _check_movement(state: State, seat: Seat, movement: Movement) -> None:
    """Refuses an illegal movement (rules 7 to 9)."""
    group = _group_named(state, movement)
    table_cards = {card for other in state.table.groups for card in other.cards}
    moved = tuple(card for card in movement.cards if card in table_cards)
    _check_cards(state, seat, movement, group, table_cards)
    if not state.on[seat] and (group or moved):
        refuse("player-off", "You haven't opened yet: first lay a complete group, all from your hand.")
    if not state.movements_left:
        refuse("no-movements", "You have no movements left in this turn: end it, or reset your turn.")
    enlarged = (*group.cards, *movement.cards) if group else movement.cards
    if not melds(state.ace).is_meld(enlarged):
        _refuse_group(in_table_order(enlarged, state.ace))
    if moved and state.options["table_moves"] == "off":
        refuse(
            "table-moves-off",
            "At this table cards stay in their groups: use cards of your hand, not {cards}.",
            cards=moved,
        )
    if state.options["strict"] == "on":
        _check_what_is_left(state, movement)


def _group_named(state: State, movement: Movement) -> Group | None:
    """The group that a movement adds to; None for a new group."""
    if movement.group is None:
        return None
    group = state.table.find(movement.group)
    if not group:
        refuse("no-such-group", "There is no group {group} on the table.", group=state.letter(movement.group))
    return group


def _check_cards(
    state: State, seat: Seat, movement: Movement, group: Group | None, table_cards: Set[Card]
) -> None:
    """Refuses a card that is in the group already, named twice, or neither in the hand nor on the table."""
    cards = movement.cards
    for card in cards:
        if group and card in group.cards:
            refuse("card-twice", "{card} is already in {group}.", card=card, group=state.letter(group.name))
        if cards.count(card) > 1:
            refuse("card-twice", "You named {card} twice.", card=card)
    for card in cards:
        if card not in state.hands[seat] and card not in table_cards:
            refuse("card-not-yours", "{card} is neither in your hand nor on the table.", card=card)


def _check_what_is_left(state: State, movement: Movement) -> None:
    """Refuses a movement that leaves a broken group (option ``strict``)."""
    after, _, _ = move_cards(state.table, movement.cards, movement.group, state.ace)
    if broken := broken_groups(after.groups, state.ace):
        raise IllegalMove("table-illegal", _broken_reason(broken[0].cards))


def _broken_reason(cards: tuple[Card, ...]) -> Text:
    """The sentence about the cards of a group that is no longer complete."""
    return plural(
        "{cards} would be left alone.", "{cards} would no longer be a group.", len(cards), cards=cards
    )


def _refuse_group(cards: tuple[Card, ...]) -> NoReturn:
    """Refuses cards that are no group, with the reason."""
    if len(cards) < LEAST_CARDS:
        refuse("not-a-group", "A group needs three cards or more, not just {cards}.", cards=cards)
    # Here are three cards or more; the singulars are for tests, which read every sentence with one card too.
    if len({card.rank for card in cards}) == 1:
        reason = plural(
            "{cards} isn't a trio: that takes three different suits.",
            "{cards} aren't a trio: that takes three different suits.",
            len(cards),
            cards=cards,
        )
    else:
        reason = plural(
            "{cards} isn't a group: it is neither of one rank nor in a row of one suit.",
            "{cards} aren't a group: they are neither of one rank nor in a row of one suit.",
            len(cards),
            cards=cards,
        )
    raise IllegalMove("not-a-group", reason)


def _check_draw(state: State) -> None:
    """Refuses an illegal draw (rule 11)."""
    if state.drawn:
        refuse("already-drawn", "You have already drawn a card in this turn.")
    if not state.stock:
        refuse("stock-empty", "The stock is used up: there is nothing to draw.")
    _check_commit(state)


def _check_commit(state: State) -> None:
    """Refuses a draw or an end after movements without a hand card, or with a broken group.

    Both would commit the table (rules 10, 11 and 14).
    """
    if _moved_table_cards_only(state):
        refuse(
            "no-hand-card", "You have only moved cards on the table: add one of your own, or reset your turn."
        )
    for group in broken_groups(state.groups, state.ace):
        refuse(
            "table-illegal",
            "Group {group} isn't complete: {cards}. Fix it, or reset your turn.",
            group=state.letter(group.name),
            cards=group.cards,
        )


def _check_end(state: State, seat: Seat) -> None:
    """Refuses to end a turn without its draw, or before the drawn card is placed (rules 11 and 12)."""
    if card := _unused_draw(state, seat):
        refuse(
            "drawn-card-unused",
            "You drew {card}: put it on the table too, or reset your turn.",
            card=card,
        )
    if _must_draw(state):
        refuse("must-draw", "You haven't placed a card, so draw one first.")


def refuse_without_back(face: Card) -> NoReturn:
    """Refuses a card that was named without its back."""
    red, blue = (Card(f"{face}{back}") for back in BACKS)
    refuse(
        "unknown-card",
        "There are two {card}: write {red} for the red back, {blue} for the blue one.",
        card=face,
        red=red,
        blue=blue,
    )
