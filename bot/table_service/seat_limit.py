"""Keeps people from sitting at more tables at a time than `Bounds.seats`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.locks import Locks
from bot.model.ids import GameId, PersonId
from bot.model.tables import Listing, Refused
from bot.storage import Store
from bot.table_service.bounds import TooManyTables
from bot.tables.seating import holders
from bot.tables.table import Table
from engines.game import Text, plural


class SeatsFull(Refused):
    """A person who would get a seat already sits at as many tables as they may."""

    def __init__(self, person: PersonId, name: str) -> None:
        super().__init__(Text("{who} already plays at too many tables.", who=name))
        self.person = person


class Seats:
    """Counts the seats of people at tables that are not over, without those that computers hold."""

    def __init__(self, store: Store, most: int) -> None:
        self._store = store
        self._most = most
        self._locks: Locks[PersonId] = Locks()

    @asynccontextmanager
    async def one_more(self, person: PersonId, game: GameId = "") -> AsyncIterator[None]:
        """Locks a person's seats, while they take one at a table; ``game`` is empty for a new table.

        Raises `Refused` if they already sit at as many other tables as they may.
        """
        async with self._locks.of(person):
            taken = await self._taken(person, game)
            if len(taken) >= self._most:
                raise _too_many(taken)
            try:
                yield
            except SeatsFull as full:
                # Another process has just seated them elsewhere.
                if full.person != person:
                    raise
                raise _too_many(await self._taken(person, game)) from None

    async def is_full(self, person: PersonId) -> bool:
        """Whether a person sits at as many tables as they may."""
        return len(await self._taken(person, "")) >= self._most

    async def _taken(self, person: PersonId, game: GameId) -> list[Listing]:
        """The tables other than ``game`` at which a person sits."""
        return [
            listing
            for listing in await self._store.tables_of(person)
            if listing.game != game and listing.sits(person)
        ]


def newly_seated(table: Table, before: Table | None) -> tuple[PersonId, ...]:
    """The people who hold a seat at a table themselves, and held none before."""
    if before and before.players is table.players:
        return ()
    held = holders(before) if before else ()
    return tuple(person for person in holders(table) if person not in held)


def _too_many(taken: list[Listing]) -> TooManyTables:
    """The refusal of a person who sits at these tables."""
    return TooManyTables(
        plural(
            "You're already at {n} table. Leave it first.",
            "You're already at {n} tables. Leave one of them first.",
            len(taken),
        ),
        taken,
    )


def name_of(table: Table, person: PersonId) -> str:
    """The name of a person at a table."""
    return next(player.name for player in table.players if player.person == person)
