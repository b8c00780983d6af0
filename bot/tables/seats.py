"""Keeps people from sitting at more tables at a time than `Bounds.seats`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.locks import Locks
from bot.model import GameId, Listing, PersonId
from bot.storage import Store
from bot.tables.bounds import TooManyTables
from engines.game import plural


class Seats:
    """Counts the seats of people at tables that are not over; one that a computer holds is not counted."""

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
                raise TooManyTables(
                    plural(
                        "You're already at {n} table. Leave it first.",
                        "You're already at {n} tables. Leave one of them first.",
                        len(taken),
                    ),
                    taken,
                )
            yield

    async def is_full(self, person: PersonId) -> bool:
        """Whether a person sits at as many tables as they may."""
        return len(await self._taken(person, "")) >= self._most

    async def _taken(self, person: PersonId, game: GameId) -> list[Listing]:
        """The tables, besides one, at which a person sits."""
        return [
            listing
            for listing in await self._store.tables_of(person)
            if listing.game != game
            and any(one.player.person == person and not one.player.is_held for one in listing.seats)
        ]
