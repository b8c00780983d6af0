"""The wishes of people to be told when a table opens in a place."""

from __future__ import annotations

from bot.inbox.admission import must_be_welcome
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments
from bot.model.tables import Refused
from bot.ports import Key, Page, Reply
from engines.game import Text
from engines.values import replace

MOST_WISHES = 100
"""The most people with a wish in one place; about a table in a thread, those of its channel are told too."""


async def notify_command(context: Context, arguments: Arguments) -> Reply:
    """Turns messages about new tables in this place on for the sender, or off if they are on.

    Raises `Refused`.
    """
    place, person = context.caller.place, context.person.id
    if context.caller.private:
        raise Refused(Text("You're alone here. Send {notify} in a group.", notify=context.command("notify")))
    await must_be_welcome(context, place)
    async with context.changing_settings():
        room = await context.people.newest_room(place)
        is_new = person not in room.wishes
        if is_new and len(room.wishes) >= MOST_WISHES:
            raise Refused(Text("Too many people are told about new tables here already."))
        changed = replace(room, wishes=(*room.wishes, person)) if is_new else room.without_wish(person)
        await context.people.save_room(changed)
    if not is_new:
        return Reply(context.say(Text("I won't tell you any more when a table opens here.")))
    notice = context.say(
        Text("I'll tell you in private when a table opens here. Send this again to stop it.")
    )
    account = await context.people.account_of(person, context.platform.key)
    if (account and account.reachable) or not (link := context.platform.link()):
        return Reply(notice)
    more = context.say(Text("Open our private chat, so that I can write to you."))
    return Reply(
        page=Page.note(notice, more, keys=((Key(context.say(Text("Open our private chat")), url=link),),))
    )


async def end_wishes(context: Context) -> None:
    """Ends the sender's wishes in the chat that they have left, and in its threads."""
    person, place = context.person.id, context.caller.place
    locks = context.people.preference_locks
    async with locks.of(person), locks.of(place):
        await context.people.end_wishes(person, place)
