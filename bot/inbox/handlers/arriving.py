"""Handles people who open the private chat, and those who leave a chat."""

from __future__ import annotations

from contextlib import suppress

from bot.inbox.context import Context
from bot.inbox.handlers.help import help_page
from bot.inbox.handlers.tables.watching import send_watcher_away
from bot.inbox.handlers.tables.wishes import end_wishes
from bot.inbox.lookup import own_tables, readable
from bot.model.ids import PUBLIC
from bot.model.tables import Refused
from bot.ports import Key, Page, Reply
from bot.tables import lobby
from bot.tables.names.titles import table_title
from engines.game import Text
from engines.values import replace


async def arrive(context: Context) -> Reply:
    """Sends a person who has opened the private chat their panels and links to their tables, or else help."""
    own = await own_tables(context)
    say, keys, lacks_link = context.say, list[Key](), False
    for table in await readable(context, own):
        context.panels.alerts.note_action(table, context.person.id)
        await context.panels.requests.reach(table, context.person.id, anew=True)
        if link := await context.panels.links.link(table, PUBLIC):
            keys.append(
                Key(say(Text("Back to {table}", table=table_title(table.game.title, table.number))), url=link)
            )
        elif context.platform.link():
            # A platform without an address of the private chat shows both chats in one window.
            lacks_link = lacks_link or not (await context.people.room(table.place)).private
    if not own:
        return help_page(context)
    lines = [say(Text("Here are your tables. Good luck!"))]
    if lacks_link:
        lines.append(say(Text("I have no link to your group. Find it in your list of chats to go back.")))
    return Reply(lines[0], Page.note(*lines, keys=tuple((key,) for key in keys)))


async def depart(context: Context) -> None:
    """Takes a person who has left a chat from all its tables; ends their watching and their wishes there."""
    chat = replace(context.caller.place, thread="")
    for listing in await context.store.tables_of(context.person.id):
        if replace(listing.place, thread="") != chat:
            continue
        # If one table refuses or cannot be read, the person must still leave the others.
        with suppress(Refused):
            await context.service.change(listing.game, lambda table: lobby.leave(table, context.person.id))
    await send_watcher_away(context, context.person.id, chat)
    await end_wishes(context)
