"""Joins tables, cuts, deals, and shows players their cards and tables."""

from __future__ import annotations

from bot.inbox.admission import must_be_welcome
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments, joinable, mine, own_lobby, table_of
from bot.inbox.reaching import how_cards_come
from bot.model.ids import PUBLIC
from bot.model.tables import Refused
from bot.pages.player_page import brief
from bot.ports import Key, Page, Reply
from bot.tables import lobby
from bot.tables.names.titles import table_title
from bot.tables.seating import seat_of
from bot.tables.table import Table
from engines.game import Text


async def join(context: Context, table: Table) -> Reply:
    """Seats the sender, and tells them how their cards will reach them."""
    person, tokens = context.person, context.caller.tokens
    await must_be_welcome(context, table.place)
    async with context.service.seats.one_more(person.id, table.id):
        after = await context.change(table, lambda table: lobby.join(table, person.id, person.name, tokens))
    context = context.at(after)
    reached = await context.panels.requests.reach(after, person.id)
    cards, keys = await how_cards_come(context, after, reached)
    lines = (
        context.say(Text("You're sitting at {table}.", table=table_title(after.game.title, after.number))),
        cards,
    )
    if not context.platform.limits.pages:
        return Reply("\n".join(lines), Page.note(*lines, keys=keys), done=reached)
    return Reply(page=Page.note(*lines, keys=keys))


async def cut(context: Context, table: Table, words: str) -> Reply:
    """Cuts the deck with the sender's words."""
    person = context.person.id
    await context.change(table, lambda table: lobby.cut(table, person, words))
    return Reply(context.say(Text("You cut the deck.")), done=True)


async def hand(context: Context, table: Table) -> Reply:
    """Shows the sender their cards: on a page that only they see, else in the private chat.

    The reply links to the private chat if the sender has not opened it. Raises `Refused` without a seat.
    """
    seat_of(table, context.person.id)
    context, limits = context.at(table), context.platform.limits
    if limits.pages and not context.caller.private:
        return Reply(page=await context.page(table), hand_table=await context.hand_table(table))
    short = brief(table, context.person.id, context.say, limits)
    account = await context.people.account_of(context.person.id, context.platform.key)
    if account and account.reachable:
        await context.panels.requests.repost(table, context.person.id)
        if context.caller.private:
            return Reply()
        return Reply(context.say(Text("Your cards are in our private chat.")), brief=short, public=True)
    link = context.platform.link()
    keys = ((Key(context.say(Text("Open our private chat")), url=link),),) if link else ()
    sentence = context.say(Text("Open our private chat: I'll send your cards there."))
    how = context.say(Text("To play, open our private chat."))
    if short and len(short) + 1 + len(how) <= limits.brief:
        # The brief tells the cards but has no keys for moves; the private chat has them.
        short = f"{short} {how}"
    return Reply(sentence, Page.note(sentence, keys=keys), brief=short, public=True, hand_table=table.id)


async def show(context: Context, table: Table) -> Reply:
    """Posts a panel again: the sender's own if the table is private or elsewhere, else the public one."""
    elsewhere = table.place != context.caller.place
    if elsewhere or (await context.people.room(table.place)).private:
        seat_of(table, context.person.id)
        await context.panels.requests.repost(table, context.person.id)
    else:
        await context.panels.requests.repost(table, PUBLIC)
    return Reply(context.say(Text("Here it is.")), done=True)


async def join_command(context: Context, arguments: Arguments) -> Reply:
    """Joins the table that the command names, or the one to join here."""
    person, tokens = context.person, context.caller.tokens

    def may_join(table: Table) -> bool:
        try:
            return bool(lobby.join(table, person.id, person.name, tokens))
        except Refused:
            return False

    return await join(context, await table_of(context, arguments, joinable, may_join))


async def cut_command(context: Context, arguments: Arguments) -> Reply:
    """Cuts the deck in the sender's lobby."""
    return await cut(context, await table_of(context, arguments, own_lobby(context)), arguments["words"])


async def start_command(context: Context, arguments: Arguments) -> Reply:
    """Deals in the sender's lobby."""
    table = await table_of(context, arguments, own_lobby(context))
    person, moderator = context.person.id, context.caller.moderator
    await context.change(table, lambda table: lobby.start(table, person, moderator=moderator))
    return Reply(context.say(Text("The cards have been dealt.")), done=True)


async def hand_command(context: Context, arguments: Arguments) -> Reply:
    """Shows the sender their cards at one of their tables."""
    return await hand(context, await table_of(context, arguments, mine(context)))


async def show_command(context: Context, arguments: Arguments) -> Reply:
    """Posts a panel of the table that the command names again, at the bottom of its chat."""
    return await show(context, await table_of(context, arguments, lambda _listing: True))
