"""Says what a player has to do in Trío y Escalera: on the screen, and in fewer words on a phone."""

from __future__ import annotations

from collections.abc import Iterator

from engines.game import Text, plural
from engines.trio_escalera.groups import broken_groups, melds
from engines.trio_escalera.state import View

_WHAT_A_GROUP_IS = Text("A group: three or more cards of one rank (three suits), or in a row in one suit.")


def task(view: View) -> Iterator[Text]:
    """The reader's task, if it is the reader's turn."""
    if view.seat != view.turn:
        return
    first = tuple(must_first(view))
    if view.own_draw and not _must_place_draw(view):
        yield Text("You drew {card}.", card=view.own_draw)
    yield from first
    if not view.on[view.turn]:
        yield _opening(view)
        yield _WHAT_A_GROUP_IS
    elif not first:
        yield _free_task(view)


def must_first(view: View) -> Iterator[Text]:
    """What the reader, whose turn it is, must do about the turn's movements before the turn can end."""
    if view.own_draw and _must_place_draw(view):
        yield Text("You drew {card}.", card=view.own_draw)
        yield Text("Put it on the table too, or reset your turn.")
    elif view.commit and not view.placed:
        yield Text("You have only moved cards on the table: add one of your own, or reset your turn.")
    if named := _not_whole(view):
        yield named
        yield Text("Fix that before you end, or reset your turn.")


def _must_place_draw(view: View) -> bool:
    """Whether movements since the draw have left the drawn card in the reader's hand (rule 11)."""
    return view.own_draw in view.hand and view.commit is not None


def _opening(view: View) -> Text:
    """The task of a player who has not opened."""
    if melds(view.ace).joining((), view.hand):
        return Text("To open, lay a complete group from your hand.")
    if view.has_drawn or not view.stock_size:
        return Text("You have no complete group to open with: end your turn.")
    return Text("You have no complete group to open with: draw a card.")


def _free_task(view: View) -> Text:
    """The task of a player who has opened and of whom `must_first` asks nothing."""
    if not view.movements_left:
        return Text("You have no movements left: end your turn.")
    if view.placed or view.has_drawn:
        return Text("Go on, or end your turn.")
    if view.stock_size:
        return Text("Play a card, or draw one.")
    return Text("Play a card, or pass.")


def phone_task(view: View) -> Iterator[Text]:
    """The reader's task, if it is the reader's turn; it explains groups only in the first round.

    The news has named the drawn card, so the task names it only while it must be placed.
    """
    if view.seat != view.turn:
        return
    yield plural("{n} movement left", "{n} movements left", view.movements_left)
    first = tuple(must_first(view))
    yield from first
    if not view.on[view.turn]:
        yield _opening(view)
        if view.turns <= len(view.hand_sizes):
            yield _WHAT_A_GROUP_IS
    elif not first:
        yield _free_task(view)


def broken(view: View) -> Iterator[Text]:
    """The broken groups that another player must mend in this turn."""
    if view.seat != view.turn and (named := _not_whole(view)):
        yield named


def _not_whole(view: View) -> Text | None:
    names = ", ".join(view.letter(group.name) for group in broken_groups(view.groups, view.ace))
    return Text("Not complete (!): {groups}", groups=names) if names else None
