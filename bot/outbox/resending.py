"""Sends the panels of many tables again: after a change of settings, or when they can be delivered again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from bot.model.ids import PUBLIC, GameId, PersonId, ReaderId
from bot.model.people import Account
from bot.model.places import Place
from bot.model.tables import Listing
from bot.outbox.records.records import PanelRecords
from bot.people import Write
from bot.ports import Platforms
from bot.storage import Store, StoreError
from bot.table_service.service import TableService
from bot.tables.table import Table


class Resending:
    """Marks the panels of a reader at several tables dirty, and queues them."""

    def __init__(
        self,
        store: Store,
        service: TableService,
        platforms: Platforms,
        records: PanelRecords,
        queue: Callable[[Table, ReaderId], None],
    ) -> None:
        self._store = store
        self._service = service
        self._platforms = platforms
        self._records = records
        self._queue = queue

    async def of_person(self, person: PersonId, write: Write) -> None:
        """Stores a person's preferences with ``write``, and sends their panels again.

        Only those of open tables that they own or have a seat at, not those of tables that they only watch.
        """
        with self._records.sent.left_dirty(person):
            listings = await self._mark(partial(self._store.tables_of, person), person, write)
        await self._queue_at(listings, person)

    async def at_place(self, place: Place, write: Write) -> None:
        """Stores the settings of a place with ``write``, and sends the public panels in it again."""

        async def tables_here() -> Sequence[Listing]:
            return (*await self._store.tables(place), *await self._store.tables_inside(place))

        # Public panels sent elsewhere meanwhile are left dirty too: after a restart each costs an edit.
        with self._records.sent.left_dirty(PUBLIC):
            listings = await self._mark(tables_here, PUBLIC, write)
        await self._queue_at(listings, PUBLIC)

    async def when_reachable(self, account: Account, write: Write) -> None:
        """Stores that a player can be reached again, and sends their panels on the account's platform.

        Only those of tables as in `of_person`. On a platform without edits, the panels are only marked dirty;
        where this process does not serve the platform, they stay as they are.
        """
        if (platform := self._platforms.get(account.platform)) is None:
            await write()
            return

        async def tables_of_player() -> Sequence[Listing]:
            listings = await self._store.tables_of(account.person)
            return [listing for listing in listings if listing.place.platform == account.platform]

        with self._records.sent.left_dirty(account.person):
            listings = await self._mark(tables_of_player, account.person, write)
        # Without edits each page is a new message: players who come back ask for those they want.
        if platform.limits.edits:
            await self._queue_at(listings, account.person)

    async def at_tables(self, listings: Sequence[Listing], reader: ReaderId) -> None:
        """Marks the panels of a reader at these tables dirty, and queues them."""
        await self._mark_at(listings, reader)
        await self._queue_at(listings, reader)

    async def _mark(
        self, find: Callable[[], Awaitable[Sequence[Listing]]], reader: ReaderId, write: Write
    ) -> Sequence[Listing]:
        """Stores a change with ``write`` and marks the panels dirty; returns the tables that ``find`` found.

        A table opened meanwhile is marked too: its panel may have been sent with the old settings.
        """
        listings = await find()
        await self._mark_at(listings, reader, write)
        known = {listing.game for listing in listings}
        new = [listing for listing in await find() if listing.game not in known]
        await self._mark_at(new, reader)
        return (*listings, *new)

    async def _mark_at(
        self, listings: Sequence[Listing], reader: ReaderId, write: Write | None = None
    ) -> None:
        """Marks the panels dirty and, with ``write``, stores a change: a crash loses both or neither."""
        panels = [await self._records.stored(listing.game, listing.place, reader) for listing in listings]
        dirty = [self._records.mark_dirty(panel) for panel in panels if panel]
        # The store writes changes that come in the same step of the event loop in one transaction.
        await asyncio.gather(*dirty, *((write(),) if write else ()))

    async def _queue_at(self, listings: Sequence[Listing], reader: ReaderId) -> None:
        for listing in listings:
            if table := await self._readable(listing.game):
                self._queue(table, reader)

    async def _readable(self, game: GameId) -> Table | None:
        """The table; None if this process does not serve its platform, or its log cannot be read."""
        try:
            table = await self._service.table(game)
        except StoreError:
            raise
        except Exception:
            return None
        return table if table.place.platform in self._platforms else None
