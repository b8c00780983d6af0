"""Handlers of privacy: they tell senders what the bot keeps, hide them from others, and forget them."""

from __future__ import annotations

from bot.inbox.arguments.value_words import HIDDEN_WORDS, meant
from bot.inbox.confirming import OLD_QUESTION, asked_now, is_recent
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments
from bot.model.people import mention_of
from bot.model.tables import Refused
from bot.ports import Key, Page, Reply
from bot.table_service.forgetting import ForgetRequest
from engines.game import Text
from engines.values import replace

_PATIENCE = 2.5
"""Seconds after which a sender is told that the forgetting still goes on."""


async def privacy_command(context: Context, arguments: Arguments) -> Reply:
    """Tells senders what the bot keeps about them; hides them from others, or shows them again."""
    if typed := arguments.get("listed", "").strip():
        hidden = meant(HIDDEN_WORDS, typed)
        async with context.changing_settings():
            person = replace(await context.people.newest_person(context.person.id), hidden=bool(hidden))
            await context.people.save(person)
        context = replace(context, person=person)
    return Reply(page=_privacy_page(context))


def _privacy_page(context: Context) -> Page:
    say, hidden = context.say, context.person.hidden
    lines = (
        Text("I keep your name and your account's number, your settings, your games with their moves and "
             "results, and the words you cut with. The people who run this bot can read them."),
        Text("You are hidden: you are on no leaderboard, and in nobody else's profile.")
        if hidden
        else Text("Others find you on leaderboards and can see your profile."),
    )  # fmt: skip
    switch = (
        Key(say(Text("Show me again")), "command", "privacy shown")
        if hidden
        else Key(say(Text("Hide me")), "command", "privacy hidden")
    )
    return Page.note(
        *map(say, lines), keys=((switch, Key(say(Text("Forget me …")), "command", "forget", style="danger")),)
    )


async def forget_command(context: Context, arguments: Arguments) -> Reply:
    """Asks the sender whether they want to be forgotten."""
    return _question(context)


async def forget(context: Context, person: str, asked_at: str) -> Reply:
    """Forgets the sender, who was asked to confirm it at ``asked_at``; asks again if that was long ago.

    Raises `Refused` if the question was for another person.
    """
    if person != context.person.id:
        raise Refused(Text("That question was for another player."))
    if not is_recent(context, asked_at):
        return _question(context, again=True)
    accounts = await context.store.accounts(person)
    tokens = {mention_of(account.user) for account in accounts} | set(context.caller.tokens)
    chat = context.caller.place if context.caller.private else None
    request = ForgetRequest(person, frozenset(tokens), chat)
    await context.panels.flush()

    def forget_in_memory() -> None:
        context.people.forget(person)
        context.panels.forget(person)

    done = await context.forgetter.forget(request, forget_in_memory, _PATIENCE)
    if not done:
        notice = Text("I'm forgetting you. You've played a lot, so it takes a little while.")
    else:
        notice = Text("I've forgotten you. If you write to me again, I'll take you for somebody new.")
    return Reply(page=Page.note(context.say(notice)))


def _question(context: Context, *, again: bool = False) -> Reply:
    """The question whether the sender means it. Others may see and press its key, so it names the sender."""
    lines = (
        *((OLD_QUESTION,) if again else ()),
        Text("Forget you? I'll delete your name, your account here, your settings, your ratings and the "
             "words you cut with. You leave all tables. This can't be undone."),
        Text("Your games stay, without your name. Of those that you cut, nobody can check the deal against "
             "the cuts any more. What I've already written in chats stays there."),
    )  # fmt: skip
    words = f"{context.person.id} {asked_now(context)}"
    yes = Key(context.say(Text("Yes, forget me")), "forget", words, style="danger")
    return Reply(page=Page.note(*map(context.say, lines), keys=((yes,),)))
