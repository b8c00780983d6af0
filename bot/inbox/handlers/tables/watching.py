"""Handlers for people who watch a table: on a private panel that follows it, or on a page of it as it is."""

from __future__ import annotations

from bot.inbox.admission import must_be_welcome
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments, readable, table_of
from bot.inbox.reaching import panel_keys
from bot.model.ids import PersonId
from bot.model.places import Place
from bot.model.tables import Refused
from bot.pages.table_page import snapshot_page
from bot.ports import Page, Reply
from bot.tables.table import Table
from engines.game import Text
from engines.values import replace


async def watch_command(context: Context, arguments: Arguments) -> Reply:
    """Shows the sender a table on a private panel that follows it; if they cannot have one, on a page."""
    table = await table_of(context, arguments, lambda _listing: True)
    context = context.at(table)
    await must_be_welcome(context, table.place)
    if not context.platform.limits.edits or table.status == "over" or table.damaged:
        return look(context, table)
    if table.seat_of(context.person.id) is not None:
        return look(context, table)
    try:
        is_shown = await context.panels.requests.watch(table, context.person.id)
    except Refused as refused:
        return replace(look(context, table), notice=context.say(refused.reason))
    if not is_shown:
        return look(context, table)
    if context.caller.private:
        return Reply()
    sentence = context.say(Text("Watch the table in our private chat."))
    keys = await panel_keys(context, table)
    return Reply(sentence, Page.note(sentence, keys=keys) if keys else None)


def look(context: Context, table: Table) -> Reply:
    """A page of a table as it is now, with a key to look again."""
    return Reply(page=snapshot_page(table, context.say, context.platform.limits))


async def look_again(context: Context, table: Table) -> Reply:
    """The page of `look`. Raises `Refused` for a person who has been barred since."""
    await must_be_welcome(context, table.place)
    return look(context, table)


async def send_watcher_away(context: Context, person: PersonId, place: Place) -> None:
    """Deletes the panels of a person who watches tables of a place, or of the places inside it."""
    store = context.store
    listings = (*await store.tables(place), *await store.tables_inside(place))
    for table in await readable(context, listings):
        await context.panels.requests.unwatch(table, person)


async def stop_watching(context: Context, table: Table) -> Reply:
    """Deletes the sender's panel of a table that they watch."""
    await context.panels.requests.unwatch(table, context.person.id)
    return Reply(context.say(Text("You've stopped watching this table.")))
