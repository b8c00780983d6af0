"""Checks whether the bot and a sender may play in a place."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.model import Place, Refused, Room
from engines.game import Text


def must_be_let_in(context: Context) -> None:
    """Raises `Refused` in a place where the bot may not post, so that no table is opened there."""
    if context.caller.barred:
        raise Refused(
            Text(
                "I'm not allowed to write here. Ask a moderator to let me, or open the table somewhere else."
            )
        )


async def must_be_welcome(context: Context, place: Place) -> Room:
    """The place; raises `Refused` if the sender is barred from its tables."""
    room = await context.people.newest_room(place)
    if context.person.id in room.barred:
        raise Refused(Text("A moderator has barred you from the tables here."))
    return room
