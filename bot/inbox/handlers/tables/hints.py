"""Handlers of hints: by command, and by a key of the sender's page."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.inbox.lookup import Arguments, only_turn, own_game, table_of
from bot.model.tables import Refused
from bot.pages.hint_page import hint_page
from bot.ports import Reply
from bot.tables.seating import playing_seat
from bot.tables.table import Table


async def hint(context: Context, table: Table) -> Reply:
    """Gives the sender a hint; a refusal is private too, since it tells whether they have a choice."""
    context = context.at(table)
    try:
        seat = playing_seat(table, context.person.id)
        given = await context.hints.hint(table, seat)
    except Refused as refused:
        return Reply(context.say(refused.reason))
    return Reply(page=hint_page(table, seat, given, context.say))


async def hint_command(context: Context, arguments: Arguments) -> Reply:
    """Gives the sender a hint at the named table, else at their only game. Raises `Refused`.

    Of several games, the only one in which they may move is meant.
    """
    if not arguments.get("table", "").strip():
        arguments = {**arguments, "table": await only_turn(context)}
    table = await table_of(context, arguments, own_game(context))
    return await hint(context, table)
