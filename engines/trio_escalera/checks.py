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
            return
        case Draw():
            code = _why_no_draw(state)
        case End():
            code = _why_no_end(state, seat)
        case Reset():
            code = "" if may_reset(state) else "nothing-to-reset"
    if code:
        raise IllegalMove(code, _reason(state, code))


def is_legal(state: State, seat: Seat, action: AnyAction) -> bool:
    """Whether `check` accepts the action."""
    try:
        check(state, seat, action)
    except IllegalMove:
        return False
    return True


def may_draw(state: State) -> bool:
    """Whether `check` accepts a draw."""
    return not _why_no_draw(state)


def may_end(state: State, seat: Seat) -> bool:
    """Whether `check` accepts the end of the turn."""
    return not _why_no_end(state, seat)


def may_reset(state: State) -> bool:
    """Whether `check` accepts a reset."""
    return state.commit is not None


def _why_no_draw(state: State) -> str:
    """The code by which a draw is refused (rule 11); empty if it is legal."""
    if state.drawn:
        return "already-drawn"
    return _why_no_commit(state) if state.stock else "stock-empty"


def _why_no_end(state: State, seat: Seat) -> str:
    """The code by which the end of the turn is refused (rules 11 and 12); empty if it is legal."""
    if code := _why_no_commit(state):
        return code
    if state.commit and state.drawn in state.hands[seat]:
        return "drawn-card-unused"
    return "must-draw" if state.stock and not state.drawn and not state.placed else ""


def _why_no_commit(state: State) -> str:
    """The code by which a draw or an end is refused because it would commit the table (rules 10, 11, 14)."""
    if state.commit and not state.placed:
        return "no-hand-card"
    return "table-illegal" if broken_groups(state.groups, state.ace) else ""


def _reason(state: State, code: str) -> Text:
    """The sentence of the refusal of a draw, an end or a reset."""
    match code:
        case "already-drawn":
            return Text("You have already drawn a card in this turn.")
        case "stock-empty":
            return Text("The stock is used up: there is nothing to draw.")
        case "no-hand-card":
            return Text("You have only moved cards on the table: add one of your own, or reset your turn.")
        case "table-illegal":
            group = broken_groups(state.groups, state.ace)[0]
            return Text(
                "Group {group} isn't complete: {cards}. Fix it, or reset your turn.",
                group=state.letter(group.name),
                cards=group.cards,
            )
        case "drawn-card-unused":
            assert state.drawn
            return Text("You drew {card}: put it on the table too, or reset your turn.", card=state.drawn)
        case "must-draw":
            return Text("You haven't placed a card, so draw one first.")
        case _:
            return Text("There is nothing to reset.")


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
