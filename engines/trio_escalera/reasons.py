"""Says in one sentence why a move is good in Trío y Escalera."""

from __future__ import annotations

from engines.cards import Card
from engines.game import Move, Text, plural
from engines.trio_escalera.brain.rearranging import plan
from engines.trio_escalera.groups import Group, broken_groups, move_cards
from engines.trio_escalera.moves import movements
from engines.trio_escalera.state import Add, Draw, Lay, Reset, View, known_state, placed_since_commit


def reason(view: View, move: Move) -> Text:
    """Why a move is good, or what it is good for."""
    match move.verb:
        case Lay.verb:
            return _movement(view, None, tuple(map(Card, move.words)))
        case Add.verb:
            return _movement(view, move.words[0], tuple(map(Card, move.words[1:])))
        case Draw.verb:
            return _draw(view)
        case Reset.verb:
            return _reset(view)
        case _:
            return _end(view)


def _movement(view: View, into: str | None, cards: tuple[Card, ...]) -> Text:
    table, _, _ = move_cards(view.table, cards, into, view.ace)
    broken, before = broken_groups(table.groups, view.ace), broken_groups(view.groups, view.ace)
    left = [card for card in view.hand if card not in cards]
    own = tuple([card for card in view.hand if card in cards])
    if broken:
        return _unfinished(broken, before, own)
    if not own:
        return Text("That makes every group complete again.")
    if not left:
        return Text("That's the last of your cards: end the turn, and you win.")
    if before:
        return plural(
            "That makes every group complete again: {n} card left in your hand.",
            "That makes every group complete again: {n} cards left in your hand.",
            len(left),
        )
    if view.seat is not None and not view.on[view.seat]:
        return plural(
            "You open, so you can add to groups from now on. It leaves you {n} card.",
            "You open, so you can add to groups from now on. It leaves you {n} cards.",
            len(left),
        )
    return _placed(view, own, cards, len(left))


def _placed(view: View, own: tuple[Card, ...], cards: tuple[Card, ...], left: int) -> Text:
    """The sentence about hand cards placed by a movement that leaves the table whole."""
    if view.own_draw in own:
        return plural(
            "The card you drew fits at once: {n} card left in your hand.",
            "The card you drew fits at once: {n} cards left in your hand.",
            left,
        )
    if moved := tuple([card for card in cards if card not in own]):
        return plural(
            "With {moved} from the table it fits, and every group is complete: {n} card left.",
            "With {moved} from the table it fits, and every group is complete: {n} cards left.",
            left,
            moved=moved,
        )
    return plural("You're left with {n} card.", "You're left with {n} cards.", left)


def _unfinished(broken: tuple[Group, ...], before: tuple[Group, ...], own: tuple[Card, ...]) -> Text:
    """The sentence about a movement after which groups are broken."""
    loose = tuple([card for group in broken for card in group.cards])
    if not own and len(broken) < len(before):
        return plural(
            "One more group is complete; {cards} still needs a place.",
            "One more group is complete; {cards} still need a place.",
            len(loose),
            cards=loose,
        )
    return plural(
        "A first step: {cards} needs a new place before the turn ends.",
        "A first step: {cards} need a new place before the turn ends.",
        len(loose),
        cards=loose,
    )


def _draw(view: View) -> Text:
    if view.placed:
        return Text("One more card: if it fits, you can play it now.")
    return Text("You haven't placed a card, so you must draw; if the card fits, you can play it now.")


def _reset(view: View) -> Text:
    if cards := placed_since_commit(view):
        return plural(
            "{cards} comes back to your hand, and you can try another way.",
            "{cards} come back to your hand, and you can try another way.",
            len(cards),
            cards=cards,
        )
    return Text("The table goes back to how it was, and you can try another way.")


def _end(view: View) -> Text:
    if not view.hand:
        return Text("You're out of cards: you win.")
    if not view.placed and not view.has_drawn:
        return Text("You pass: there is nothing to draw.")
    if not view.movements_left:
        return plural(
            "You have no movements left: you keep {n} card.",
            "You have no movements left: you keep {n} cards.",
            len(view.hand),
        )
    if view.seat == view.turn and _has_no_place(view):
        return plural(
            "You still have {n} card, and there is no place in sight for it.",
            "You still have {n} cards, and there is no place in sight for them.",
            len(view.hand),
        )
    return plural(
        "The turn is done: you keep {n} card.", "The turn is done: you keep {n} cards.", len(view.hand)
    )


def _has_no_place(view: View) -> bool:
    """Whether no movement that players are offered places a hand card."""
    return not plan(view) and all(
        set(view.hand).isdisjoint(movement.cards) for movement in movements(known_state(view))
    )
