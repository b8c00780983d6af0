"""The page for a person who may open or join no more tables, or whose place may have no more."""

from __future__ import annotations

from collections.abc import Iterator

from bot.inbox.context import Context
from bot.model.tables import Listing
from bot.ports import Key, Page
from bot.table_service.bounds import TooManyTables
from bot.tables.names.titles import table_title, title_of
from engines.game import Text


def too_many_page(context: Context, refused: TooManyTables) -> Page:
    """The reason and the tables, each with a key to go on there, and one to close or leave it if they may."""
    keys = tuple(key for listing in refused.tables for key in _keys(context, listing))
    return Page.note(context.say(refused.reason), keys=(keys,))


def _keys(context: Context, listing: Listing) -> Iterator[Key]:
    person, say = context.person.id, context.say
    name = say(table_title(title_of(listing.key, say), listing.number))
    yield Key(say(Text("Go on: {table}", table=name)), "show", game=listing.game, offer=True)
    moderates = context.caller.moderator and listing.place == context.caller.place
    if listing.owner == person or moderates:
        yield Key(say(Text("Close: {table}", table=name)), "end", game=listing.game, offer=True)
    elif listing.sits(person):
        yield Key(say(Text("Leave: {table}", table=name)), "leave", game=listing.game, offer=True)
