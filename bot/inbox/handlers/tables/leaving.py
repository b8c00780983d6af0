"""Takes the sender from a table; asks them first whether they mean it if the game is running."""

from __future__ import annotations

from bot.inbox.confirming import OLD_QUESTION, asked_now, confirms, still_holds
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments, mine, table_of
from bot.ports import Key, Page, Reply
from bot.tables import lobby
from bot.tables.table import Table
from engines.game import Text
from engines.values import replace


async def leave(context: Context, table: Table, asked_at: str | None = None) -> Reply:
    """Takes the sender from a table, or asks whether they mean it if they play there.

    ``asked_at`` is the time at which they were asked, if they have said yes.
    """
    person = context.person.id
    if _plays(context, table) and (asked_at is None or not still_holds(context, table, asked_at)):
        return _question(context, table, again=asked_at is not None)
    after = await context.change(table, lambda table: lobby.leave(table, person))
    if after.status != "playing":
        left = Text("You've left.")
    else:
        left = Text("You've left. A computer plays on for you; you can take your seat back.")
    return await context.shown(after, context.say(left))


def _plays(context: Context, table: Table) -> bool:
    """Whether the sender plays at a table, so that they are asked before they leave it."""
    seat = table.seat_of(context.person.id)
    return seat is not None and table.is_playing and not table.players[seat].is_held


def _question(context: Context, table: Table, *, again: bool) -> Reply:
    """The question whether the sender means it; its key names them, since others may see it."""
    if table.vanish == "forfeit":
        question = Text("Leave in mid-game? Then you lose, and the game is over.")
    else:
        question = Text("Leave in mid-game? A computer plays on for you; you can take your seat back.")
    words = f"{context.person.id} {asked_now(context)}"
    yes = Key(context.say(Text("Yes, leave")), "leave_sure", words, table.id, table.stamp, style="main")
    lines = map(context.say, (OLD_QUESTION, question) if again else (question,))
    return Reply(page=Page.note(*lines, keys=((yes,),)))


async def leave_command(context: Context, arguments: Arguments) -> Reply:
    """Takes the sender from one of their tables; in mid-game asks first.

    The command sent again says yes.
    """
    table = await table_of(context, arguments, mine(context))
    confirmed = _plays(context, table) and confirms(context, "leave", table)
    reply = await leave(context.at(table), table, asked_now(context) if confirmed else None)
    # A reply without a notice asks a question, which must be shown.
    return replace(reply, done=bool(reply.notice))
