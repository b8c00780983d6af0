"""Handlers by which owners and moderators keep order: kicking, handing over, closing, barring.

Any may raise `Refused`, or `Refusal` if the table service refuses the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bot.inbox.confirming import OLD_QUESTION, asked_now, confirms
from bot.inbox.context import Context
from bot.inbox.handlers.tables.question_commands import ask_to_end
from bot.inbox.handlers.tables.watching import send_watcher_away
from bot.inbox.lookup import (
    Arguments,
    is_mention,
    listing_of,
    mine,
    person_mentioned,
    seat_named,
    table_of,
)
from bot.model.ids import PersonId
from bot.model.places import Place
from bot.model.tables import Listing, Refused
from bot.pages.table_page import close_page
from bot.ports import Key, Page, Reply
from bot.tables import lobby, questions
from bot.tables.table import Table
from engines.game import Name, Text
from engines.values import replace

MOST_BARRED = 500
"""The most people who are barred from one place."""


async def kick_command(context: Context, arguments: Arguments) -> Reply:
    """Removes a player from a table."""
    table = await table_of(context, arguments, lambda _listing: True)
    context = context.at(table)
    seat = await seat_named(context, table, arguments["player"])
    person, moderator = context.person.id, context.caller.moderator
    await context.change(table, lambda table: lobby.kick(table, seat, person, moderator=moderator))
    return Reply(context.say(Text("{who} has been removed.", who=Name(seat))), done=True)


async def owner_command(context: Context, arguments: Arguments) -> Reply:
    """Hands a table over to another player, for its owner or a moderator."""
    table = await table_of(context, arguments, mine(context))
    context = context.at(table)
    seat = await seat_named(context, table, arguments["player"])
    person, moderator = context.person.id, context.caller.moderator
    await context.change(table, lambda table: lobby.hand_over(table, seat, person, moderator=moderator))
    return Reply(context.say(Text("The table belongs to {who} now.", who=Name(seat))), done=True)


async def end_command(context: Context, arguments: Arguments) -> Reply:
    """Closes a table for its owner or a moderator; for another player, asks the others to agree.

    Asks before it closes a running game; sending the command again confirms it.
    """
    person, moderator = context.person.id, context.caller.moderator
    named = await listing_of(context, arguments, lambda listing: moderator or listing.owner == person)
    table = await context.service.shown(named.game)
    may_end = lobby.may_keep_order(table, person, moderator=moderator)
    if table.is_playing and not may_end and table.seat_of(person) is not None:
        return await ask_to_end(context.at(table), table)
    if table.is_playing and may_end and not confirms(context, "end", table):
        return ask_whether_to_end(context.at(table), table)
    return await end(context, table)


async def end(context: Context, table: Table) -> Reply:
    """Closes a table for its owner or a moderator."""
    person, moderator = context.person.id, context.caller.moderator
    await context.change(table, lambda table: lobby.end(table, person, moderator=moderator))
    return Reply(context.say(Text("The table is closed.")), done=True)


def ask_whether_to_end(context: Context, table: Table, *, again: bool = False) -> Reply:
    """Asks the owner of a table or a moderator whether it is to be closed."""
    lobby.must_keep_order(table, context.person.id, moderator=context.caller.moderator)
    table.must_be_open()
    before = (context.say(OLD_QUESTION),) if again else ()
    return Reply(page=close_page(table, context.say, context.platform.limits, asked_now(context), before))


async def bar_command(context: Context, arguments: Arguments) -> Reply:
    """Bars a person from all tables where the sender's bars hold; they lose their seats and stop watching."""
    _must_moderate(context)
    person = await person_named(context, arguments["player"].strip())
    if person == context.person.id:
        raise Refused(Text("You can't bar yourself."))
    where = await _where_bars_hold(context)
    async with context.changing_settings(where):
        room = await context.people.newest_room(where)
        if person not in room.barred:
            if len(room.barred) >= MOST_BARRED:
                raise Refused(Text("Too many people are barred here. Let some of them back in first."))
            await context.people.save_room(replace(room, barred=(*room.barred, person)))
    store = context.store
    for listing in (*await store.tables(where), *await store.tables_inside(where)):
        with suppress(Refused):
            await context.service.change(
                listing.game, lambda table: _kicked(table, person, context.person.id)
            )
    await send_watcher_away(context, person, where)
    name = (await context.people.person(person)).name
    return Reply(context.say(Text("{who} is barred from the tables here.", who=name)))


async def unbar_command(context: Context, arguments: Arguments) -> Reply:
    """Lets a barred person back in; offers all who are barred, or those who share the typed name."""
    _must_moderate(context)
    room = await context.people.newest_room(await _where_bars_hold(context))
    names = {person: (await context.people.person(person)).name for person in room.barred}
    if typed := arguments.get("player", "").strip():
        called = typed.removeprefix("@").casefold()
        mentioned = await person_mentioned(context, typed)
        meant = [who for who, name in names.items() if who in (typed, mentioned) or name.casefold() == called]
        if not meant and is_mention(typed):
            raise Refused(Text("That person isn't barred here."))
        if not meant:
            raise Refused(Text("Nobody called {name} is barred here.", name=typed))
        if len(meant) == 1:
            return await unbar(context, meant[0])
        names = {who: names[who] for who in meant}
    if not names:
        raise Refused(Text("Nobody is barred from the tables here."))
    keys = tuple(Key(name, "unbar", who, offer=True) for who, name in names.items())
    page = Page.note(context.say(Text("Who may play here again?")), keys=(keys,))
    notice = Text(
        "Barred from the tables there: {names}. To let one back in, type in the group: {command}",
        names=", ".join(names.values()),
        command=f"{context.command('unbar')} {next(iter(names.values()))}",
    )
    return Reply(page=page, here=True, away=Page.note(context.say(notice)))


async def unbar(context: Context, person: PersonId) -> Reply:
    """Lets a person back in to the tables where the sender's bars hold."""
    _must_moderate(context)
    where = await _where_bars_hold(context)
    async with context.changing_settings(where):
        room = await context.people.newest_room(where)
        barred = tuple(player for player in room.barred if player != person)
        await context.people.save_room(replace(room, barred=barred))
    if person not in room.barred:
        raise Refused(Text("That person isn't barred here."))
    name = (await context.people.person(person)).name
    return Reply(context.say(Text("{who} may play here again.", who=name)))


async def _where_bars_hold(context: Context) -> Place:
    """The server or group of the sender, since a person who is barred could go on in another thread.

    For a moderator of one channel it is that channel, with its threads.
    """
    here = await context.people.room(context.caller.place)
    return here.channel_place if context.caller.only_here else here.outermost


def _kicked(table: Table, person: PersonId, by: PersonId) -> Table:
    """The table without a person who is barred, and without the question in which they ask for a seat."""
    if table.question and table.question.person == person:
        table = questions.close(table)
    seat = table.seat_of(person)
    return table if seat is None else lobby.kick(table, seat, by, moderator=True)


def _must_moderate(context: Context) -> None:
    if not context.caller.moderator:
        raise Refused(Text("Only a moderator can do that."))


async def person_named(context: Context, name: str, played: Sequence[Listing] = ()) -> PersonId:
    """The person whom a typed mention or name means.

    A name is looked up at the open tables of the sender's place, in its last game and in the ``played`` ones.
    Raises `Refused` if it is nobody's, or several people's.
    """
    if mentioned := await person_mentioned(context, name):
        return mentioned
    if is_mention(name):
        raise Refused(Text("I don't know that person yet: they have never played with me."))
    store, place = context.store, context.caller.place
    last = await store.last_over(place)
    listings = [*await store.tables(place), *((last,) if last else ()), *played]
    meant = name.removeprefix("@").casefold()
    players = [seated.player for listing in listings for seated in listing.seats]
    found = {player.person for player in players if player.person and player.name.casefold() == meant}
    if not found:
        if played:
            raise Refused(Text("Nobody called {name} has played here lately.", name=name))
        raise Refused(Text("Nobody at the tables here is called {name}.", name=name))
    if len(found) > 1:
        raise Refused(Text("Several players are called {name}. Mention the one you mean.", name=name))
    person: PersonId = next(iter(found))
    return person
