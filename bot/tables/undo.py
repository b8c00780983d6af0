"""Taking moves back: a player's last own move, and with it all moves since.

The log keeps what was taken back. `bot.tables.questions` asks the other people at the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.model.tables import Refused
from bot.tables.table import Table
from engines.cards import is_card
from engines.game import Seat, Text


def taken_back(table: Table, seat: Seat) -> Table:
    """The table after a seat's last own move was taken back; the others are not asked.

    Raises `Refused`, and `Dropped` if that needs the whole log.
    """
    to = last_move(table, seat)
    table = table.remembering(to)
    seen = {"seen": True} if _has_seen_since(table, seat, to) else {}
    return table.add("undo", seat, person=table.players[seat].person, to=to, **seen)


def last_move(table: Table, seat: Seat) -> int:
    """The number of the entry of a seat's last own move. Raises `Refused` if it may not be taken back."""
    table.must_be_playing()
    own = table.own_moves.get(seat)
    if own and may_take_back(table, seat):
        return own.n
    if own and own.secret:
        raise Refused(Text("That was a secret choice, so you can't take it back."))
    raise Refused(Text("You have no move to take back."))


def may_take_back(table: Table, seat: Seat) -> bool:
    """Whether a seat has an own move that it may take back."""
    own = table.own_moves.get(seat)
    return bool(table.is_playing and own and not own.secret and own.person == table.players[seat].person)


def moved_last(table: Table, seat: Seat) -> bool:
    """Whether a seat may take its last move back, and no other person has moved since.

    Others' moves that cannot be taken back do not count, so that nobody learns who has made a secret move.
    """
    if not may_take_back(table, seat):
        return False
    return table.own_moves[seat].n == max(
        own.n for other, own in table.own_moves.items() if may_take_back(table, other)
    )


def _has_seen_since(table: Table, seat: Seat, to: int) -> bool:
    """Whether a seat sees cards, in its hand or anywhere, that it did not see before its move ``to``."""
    return not _seen(table, table.state, seat) <= _seen(table, table.snapshots[to].state, seat)


def _seen(table: Table, state: Any, seat: Seat) -> set[str]:
    """The cards in the view of a seat and in the public one."""
    game = table.game
    messages = (game.message(game.view(state, reader)) for reader in (seat, None))
    return {card for message in messages for card in _cards(message)}


def _cards(value: object) -> Iterator[str]:
    """The cards anywhere in a JSON value."""
    match value:
        case str():
            yield from (value,) if is_card(value) else ()
        case dict():
            for part in value.values():
                yield from _cards(part)
        case list() | tuple():
            for part in value:
                yield from _cards(part)
