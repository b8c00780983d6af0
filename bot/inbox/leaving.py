"""Leaves a table for the sender; in a running game they are asked once."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.ports import Key, Page, Reply
from bot.tables import lobby
from bot.tables.table import Table
from engines.game import Text


async def leave(context: Context, table: Table, *, sure: bool = False) -> Reply:
    """Leaves a table for the sender, or asks whether they mean it if they play there."""
    person, seat = context.person.id, table.seat_of(context.person.id)
    if seat is not None and table.is_playing and not table.players[seat].is_held and not sure:
        return _asked(context, table)
    after = await context.change(table, lambda table: lobby.leave(table, person))
    if after.status != "playing":
        left = Text("You've left.")
    else:
        left = Text("You've left. A computer plays on for you; you can take your seat back.")
    return await context.shown(after, context.say(left))


def _asked(context: Context, table: Table) -> Reply:
    """The question whether the sender means it; its key names them, since others may see it."""
    if table.vanish == "forfeit":
        asked = Text("Leave in mid-game? Then you lose, and the game is over.")
    else:
        asked = Text("Leave in mid-game? A computer plays on for you; you can take your seat back.")
    yes = Key(
        context.say(Text("Yes, leave")), "leave_sure", context.person.id, table.id, table.stamp, style="main"
    )
    return Reply(page=Page.note(context.say(asked), keys=((yes,),)))
