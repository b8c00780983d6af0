"""Sends the panels of many tables again: after a change of settings, or when a player is in reach again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bot.model.ids import PUBLIC, GameId, PersonId, ReaderId
from bot.model.people import Account
from bot.model.places import Place
from bot.model.tables import Listing
from bot.outbox.records import PanelRecords
from bot.people import Write
from bot.ports import Platforms
from bot.storage import StoreError
from bot.tables.service import TableService
from bot.tables.table import Table


class Resending:
    """Marks the panels of a reader at several tables dirty, and queues them."""

    def __init__(
        self,
        service: TableService,
        platforms: Platforms,
        records: PanelRecords,
        queue: Callable[[Table, ReaderId], None],
    ) -> None:
        self._service = service
        self._platforms = platforms
        self._records = records
        self._queue = queue

    async def of_person(self, person: PersonId, write: Write) -> None:
        """Stores a player's preferences with ``write``, and sends all their panels again."""
        await self.at_tables(await self._service.store.tables_of(person), person, write)

    async def in_place(self, place: Place, write: Write) -> None:
        """Stores the settings of a place with ``write``, and sends the public panels in it again."""
        store = self._service.store
        listings = (*await store.tables(place), *await store.tables_inside(place))
        await self.at_tables(listings, PUBLIC, write)

    async def when_reachable(self, account: Account, write: Write) -> None:
        """Stores that a player can be reached again, and sends the panels that could not be delivered."""
        if (platform := self._platforms.get(account.platform)) is None:
            await write()
            return
        listings = await self._service.store.tables_of(account.person)
        here = [listing for listing in listings if listing.place.platform == account.platform]
        # Without edits each page is a new message: players who come back ask for those they want.
        await self.at_tables(here, account.person, write, queued=platform.limits.edits)
        if self._service.store.shared:
            # At a table stored meanwhile, another process may have taken the player for unreachable.
            known = {listing.game for listing in here}
            later = await self._service.store.tables_of(account.person)
            new = [
                listing
                for listing in later
                if listing.game not in known and listing.place.platform == account.platform
            ]
            await self.at_tables(new, account.person, queued=platform.limits.edits)

    async def at_tables(
        self,
        listings: Sequence[Listing],
        reader: ReaderId,
        write: Write | None = None,
        *,
        queued: bool = True,
    ) -> None:
        """Stores a change with ``write`` and marks the panels dirty: a crash loses both or neither."""
        panels = [await self._records.stored(listing.game, listing.place, reader) for listing in listings]
        dirty = [self._records.mark_dirty(panel) for panel in panels if panel]
        await asyncio.gather(*dirty, *((write(),) if write else ()))
        for listing in listings if queued else ():
            if table := await self._readable(listing.game):
                self._queue(table, reader)

    async def _readable(self, game: GameId) -> Table | None:
        """The table; None if it is on no platform of this process or the service cannot read its log."""
        try:
            table = await self._service.table(game)
        except StoreError:
            raise
        except Exception:
            return None
        return table if table.place.platform in self._platforms else None
