"""Finds the people whose names lists, replays and exports of finished games leave out."""

from __future__ import annotations

from collections.abc import Iterable

from bot.inbox.context import Context
from bot.model.ids import PersonId
from bot.model.tables import Listing
from bot.tables.table import Table


async def hidden_among(context: Context, listings: Iterable[Listing]) -> frozenset[PersonId]:
    """Of the people at some tables, those who are hidden from the sender."""
    return await _hidden(context, (seated.player.person for listing in listings for seated in listing.seats))


async def hidden_at(context: Context, table: Table) -> frozenset[PersonId]:
    """Of the people who have played at a table, those who are hidden from the sender."""
    return await _hidden(context, (*(player.person for player in table.players), *table.former))


async def _hidden(context: Context, people: Iterable[PersonId | None]) -> frozenset[PersonId]:
    known = [await context.people.person(person) for person in dict.fromkeys(people) if person]
    # In a private chat a hidden sender reads their own name, as on their profile.
    own = context.person.id if context.caller.private else None
    return frozenset(person.id for person in known if person.hidden and person.id != own)
