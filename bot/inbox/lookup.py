"""Finds the table, the seat and the person that a command names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from bot.inbox.context import Context
from bot.model.ids import GameId, PersonId
from bot.model.tables import Listing, Refused
from bot.tables.table import Table
from engines import games
from engines.game import Seat, Text

Arguments = Mapping[str, str]
"""The arguments of a command by the names of its parameters."""


class SeveralTables(Refused):
    """A command could mean several tables."""

    def __init__(self, listings: Sequence[Listing]) -> None:
        super().__init__(Text("There are several tables: {tables}. Say which one.", tables=_choice(listings)))
        self.listings = listings


class NotATable(Refused):
    """The number or id that a command gives is no table's."""

    def __init__(self, number: str) -> None:
        super().__init__(Text("There is no table {n} here.", n=number))
        self.number = number


class NoTable(Refused):
    """No table that a command could mean is open; ``reason`` replaces the usual sentence."""

    def __init__(self, context: Context, reason: Text | None = None) -> None:
        closed = Text("No table is open here. Open one with {new}.", new=context.command("new"))
        super().__init__(reason or closed)


async def own_tables(context: Context) -> list[Listing]:
    """The tables at which the sender has a seat, in all chats of this platform; none that are over."""
    listings = await context.store.tables_of(context.person.id)
    platform = context.caller.place.platform
    return [listing for listing in filter(mine(context), listings) if listing.place.platform == platform]


async def readable(context: Context, listings: Iterable[Listing]) -> list[Table]:
    """The tables of listings, without those that cannot be read."""
    tables = []
    for listing in listings:
        with suppress(Refused):
            tables.append(await context.service.table(listing.game))
    return tables


async def last_finished(context: Context) -> Table | None:
    """The table of the sender's last finished game; None if there is none.

    None also if that game cannot be read, or was played elsewhere; in a private chat it counts wherever on
    its platform it was played.
    """
    here, private = context.caller.place, context.caller.private
    finished = await context.store.finished(person=context.person.id)
    played = [
        listing
        for listing in finished
        if listing.place == here or (private and listing.place.platform == here.platform)
    ]
    return next(iter(await readable(context, played)), None)


async def only_turn(context: Context) -> GameId:
    """Of several `own_games`, the id of the only one in which the sender may move; else empty."""
    tables = await own_games(context)
    waiting = [table.id for table in tables if table.seat_of(context.person.id) in table.active()]
    return waiting[0] if len(waiting) == 1 < len(tables) else ""


async def own_games(context: Context) -> list[Table]:
    """The running games in which the sender has a seat; outside private chats only those of the place."""
    own = [listing for listing in await own_tables(context) if listing.status == "playing"]
    here = [listing for listing in own if context.caller.private or listing.place == context.caller.place]
    return await readable(context, here)


async def table_of(
    context: Context,
    arguments: Arguments,
    fits: Callable[[Listing], bool],
    among_several: Callable[[Table], bool] | None = None,
) -> Table:
    """The table that `listing_of` finds for a command, at which the sender no longer counts as away.

    If several fit and ``among_several`` is given, only those count that can be read and for which it is true;
    if there are none, the first of all is taken, whose refusal then tells why.
    """
    try:
        listing = await listing_of(context, arguments, fits)
    except SeveralTables as several:
        if among_several is None:
            raise
        listings = [
            table.listing for table in await readable(context, several.listings) if among_several(table)
        ]
        if len(listings) > 1:
            raise SeveralTables(listings) from None
        [listing] = listings or several.listings[:1]
    table = await context.present(await context.service.table(listing.game))
    context.panels.alerts.note_action(table, context.person.id)
    return table


async def listing_of(context: Context, arguments: Arguments, fits: Callable[[Listing], bool]) -> Listing:
    """The table that a command names by number or id, or else the table that fits the command.

    If none fits, any may be meant; if several do, the sender's own. Raises `Refused` if none is open, none
    has that number, or several are left.
    """
    listings, here = await reachable_listings(context), context.caller.place
    if not listings and not context.caller.channel and (await context.people.settings(here)).threads:
        raise Refused(Text("Tables here have threads of their own. Try again in your table's thread."))
    if not listings:
        raise NoTable(context)
    if number := arguments.get("table", "").strip():
        listings = [listing for listing in listings if number in (str(listing.number), listing.game)]
        if not listings:
            raise NotATable(number)
    fitting = [listing for listing in listings if fits(listing)] or listings
    candidates = list(filter(mine(context), fitting)) or fitting
    if len(candidates) > 1:
        raise SeveralTables(candidates)
    return candidates[0]


async def reachable_listings(context: Context) -> list[Listing]:
    """The open tables of the sender's place; in a private chat also the sender's own in other places."""
    listings = list(await context.store.tables(context.caller.place))
    if not context.caller.private:
        return listings
    return list(dict.fromkeys([*await own_tables(context), *listings]))


def table_argument(listing: Listing, among: Sequence[Listing]) -> str:
    """How a command names a table among others: by its number, or by its id if others have the number too."""
    is_alone = sum(other.number == listing.number for other in among) == 1
    return str(listing.number) if is_alone else listing.game


def _choice(listings: Sequence[Listing]) -> tuple[Text, ...]:
    """Each table as a command names it, and its game."""
    return tuple(
        Text(
            "{n} ({game})",
            n=table_argument(listing, listings),
            # Only a newer version of the bot may know the game.
            game=games()[listing.key].title if listing.key in games() else listing.key,
        )
        for listing in listings
    )


def joinable(listing: Listing) -> bool:
    """Whether a table is a lobby, which players can join."""
    return listing.status == "lobby"


def mine(context: Context) -> Callable[[Listing], bool]:
    """A filter for the tables at which the sender has a seat."""
    person = context.person.id
    return lambda listing: any(seated.player.person == person for seated in listing.seats)


def own_lobby(context: Context) -> Callable[[Listing], bool]:
    """A filter for the lobbies in which the sender has a seat."""
    sits = mine(context)
    return lambda listing: listing.status == "lobby" and sits(listing)


def own_game(context: Context) -> Callable[[Listing], bool]:
    """A filter for the running games in which the sender has a seat."""
    sits = mine(context)
    return lambda listing: listing.status == "playing" and sits(listing)


async def seat_named(context: Context, table: Table, name: str) -> Seat:
    """The seat with this number, or else that of the player with this mention or name. Raises `Refused`."""
    name = name.strip()
    if is_mention(name):
        seat = table.seat_of(await person_mentioned(context, name) or "")
        if seat is None:
            raise Refused(Text("That person has no seat at this table."))
        return seat
    meant = name.removeprefix("@").casefold()
    for seat in range(len(table.players)):
        # Numbers come first: a player's name may be the number of another seat.
        if meant == str(seat + 1):
            return seat
    for seat in range(len(table.players)):
        if meant == context.say.name(seat).casefold():
            return seat
    raise Refused(Text("Nobody at that table is called {name}.", name=name))


def is_mention(word: str) -> bool:
    """Whether a word is a mention by id, such as ``<@123>``."""
    return word.startswith("<@") and word.endswith(">")


async def person_mentioned(context: Context, word: str) -> PersonId | None:
    """The person whom a mention names, by id or by username; None for any other word and an unknown user."""
    if not is_mention(word):
        called = word.startswith("@") and await context.people.account_called(context.platform.key, word[1:])
        return called.person if called else None
    account = await context.people.account(context.platform.key, word[2:-1].removeprefix("!"))
    return account.person if account else None
