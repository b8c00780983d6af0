"""Limits on the tables that are open at a time, and the numbers that are free within them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model.ids import PersonId
from bot.model.places import Place
from bot.model.tables import Listing, Refused
from bot.storage import Store
from bot.tables.names.numbers import lowest_free
from bot.tables.turn_clock import Idle
from engines.game import Text, plural


class TooManyTables(Refused):
    """A person or a place has as many tables as they may have."""

    def __init__(self, reason: Text, tables: Sequence[Listing]) -> None:
        super().__init__(reason)
        self.tables = tuple(tables)
        """The tables that fill the limit."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits on tables open at a time.

    Tables that are opened at the same moment may exceed all but ``seats``. Only a seat that is granted by a
    change of the keeper (see `Commits.batch`) may exceed that one.
    """

    person: int = 4
    """The most tables that one person may own."""
    place: int = 6
    """The most tables in one channel, those in its threads included."""
    seats: int = 12
    """The most tables that are not over at which one person may sit."""
    days: int = 3
    """The most tables in a channel whose clocks count days, so that a few people cannot fill it for weeks."""
    idle: Idle = field(default_factory=Idle)
    """After how long without an entry a table is closed."""

    async def free_number(self, store: Store, place: Place) -> int:
        """The lowest free number in a place. Raises `Refused` if too many tables are open in its channel."""
        await self.check_place(store, place)
        return lowest_free(table.number for table in await store.tables(place))

    async def check_place(self, store: Store, place: Place) -> None:
        """Raises `Refused` if too many tables are open in the channel of a place."""
        tables = await channel_tables(store, place)
        if len(tables) >= self.place:
            raise TooManyTables(
                plural(
                    "There is already {n} table open here. Close it first.",
                    "There are already {n} tables open here. Close one of them first.",
                    len(tables),
                ),
                tables,
            )

    def check_days(self, slow: Sequence[Listing]) -> None:
        """Raises `Refused` if a channel has too many tables in ``slow``, those whose clocks count days."""
        if len(slow) >= self.days:
            raise TooManyTables(
                plural(
                    "There is already {n} table here where a turn lasts days. Choose a shorter clock.",
                    "There are already {n} tables here where a turn lasts days. Choose a shorter clock.",
                    len(slow),
                ),
                slow,
            )

    async def check_owner(self, store: Store, owner: PersonId | None) -> None:
        """Raises `Refused` for a person who owns too many tables."""
        if owner is None:
            return
        own = [table for table in await store.tables_of(owner) if table.owner == owner]
        if len(own) >= self.person:
            raise TooManyTables(
                plural(
                    "You already have {n} table open. Close it first.",
                    "You already have {n} tables open. Close one of them first.",
                    len(own),
                ),
                own,
            )


async def channel_tables(store: Store, place: Place) -> Sequence[Listing]:
    """The tables that are not over in the channel of a place, and in all threads of the channel."""
    room = await store.room(place)
    channel = room.channel_place if room else place
    return (*await store.tables(channel), *await store.tables_inside(channel))
