"""Handlers that show the rules of games."""

from __future__ import annotations

from collections.abc import Iterable

from bot.inbox.context import Context
from bot.inbox.lookup import Arguments, mine, own_tables
from bot.model.tables import Listing
from bot.pages.table_page import rules_page
from bot.ports import Key, Page, Reply
from bot.tables.names.parsing import game_named
from engines import games
from engines.game import Text
from engines.values import replace


async def rules_command(context: Context, arguments: Arguments) -> Reply:
    """The rules of the named game, or else of the game that is played; asks which if that is not certain."""
    if name := arguments.get("game"):
        return rules_of(context, game_named(name, context.say).key, 0)
    if not (key := await _played(context)):
        return which_rules(context)
    reply = rules_of(context, key, 0)
    assert reply.page
    others = Key(context.say(Text("Other games")), "rules")
    return replace(reply, page=replace(reply.page, keys=(*filter(None, reply.page.keys), (others,))))


def which_rules(context: Context) -> Reply:
    """The question for which game's rules, with a key for each game."""
    keys = [Key(context.say(game.title), "rules", f"{key} 0", offer=True) for key, game in games().items()]
    return Reply(page=Page.note(context.say(Text("Which game?")), keys=(tuple(keys),)))


def rules_of(context: Context, key: str, number: int) -> Reply:
    """A page of a game's rules."""
    text = games()[key].help(context.say)
    page = rules_page(key, text, number, context.say, context.platform.limits)
    return Reply(page=page, public=True)


async def _played(context: Context) -> str:
    """The key of the game whose rules the sender means if they name none; empty if that is not certain.

    It is the only game at the open tables of the sender's place, else at those of them where the sender has a
    seat, else, only in a private chat, at all tables where the sender has a seat.
    """
    here = await context.store.tables(context.caller.place)
    elsewhere = await own_tables(context) if context.caller.private else ()
    for listings in (here, filter(mine(context), here), elsewhere):
        if key := _only_game(listings):
            return key
    return ""


def _only_game(listings: Iterable[Listing]) -> str:
    """The key of the only game of tables; empty for several or none, or if only a newer bot knows it."""
    keys = {listing.key for listing in listings}
    return keys.pop() if len(keys) == 1 and keys <= games().keys() else ""
