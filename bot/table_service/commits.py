"""Commits: one change at a time to each table in memory, stored before the listeners are called.

A change that cannot be stored leaves the table as it was.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from bot.errors import origin
from bot.measures import Measures, moment
from bot.model.batches import Batch, BatchVerdict, Behind, Clash, Full, Known, Taken
from bot.model.ids import GameId
from bot.model.leases import Lease
from bot.model.tables import Entry, Refused
from bot.ports import Clock
from bot.storage import Store, Uncertain, Unreadable
from bot.table_service.bounds import Bounds
from bot.table_service.cache import Slot, TableCache
from bot.table_service.leases import Leases
from bot.table_service.loading import Loader, UnknownTable, with_results
from bot.table_service.seat_limit import SeatsFull, name_of, newly_seated
from bot.table_service.stored import batch
from bot.tables.endings import ending_of
from bot.tables.log.history import Dropped
from bot.tables.table import Table
from bot.tables.versions import DamagedTable, check_known
from engines.game import IllegalMove
from engines.values import replace

log = logging.getLogger(__name__)

Transition = Callable[[Table], Table]
"""Returns the table after an action; raises `Refused` or `IllegalMove`.

It may be called several times: on a newer table, and, after it has raised `Dropped`, on the whole table.
"""
Listener = Callable[[Table, Table | None], None]
"""Called as (after, before) once a table in memory has changed, by this process or another.

A new table has None as before, a resumed one itself.
"""


class NotKept(Exception):
    """This process does not keep the table's chat; if another one does, that plays its computers."""


class Repeated(Exception):
    """The delivery was handled before; its change is stored."""


class Commits:
    """The tables in memory, and the store below; a table is locked while it is read or changed."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        bounds: Bounds,
        measures: Measures,
        cache: TableCache,
        leases: Leases,
    ) -> None:
        self._store = store
        self._clock = clock
        self._bounds = bounds
        self._measures = measures
        self._leases = leases
        self.cache = cache
        self.loader = Loader(store)
        self.listeners: list[Listener] = []

    async def change(
        self, slot: Slot, transition: Transition, delivery: str, *, as_keeper: bool = False
    ) -> Table:
        """Commits a transition; repeats it on the newer table if another process has stored entries.

        Raises what the transition raises, `Repeated`, `SeatsFull`, the errors of `refresh` and `append`, and
        with ``as_keeper`` `NotKept`.
        """
        while True:
            if as_keeper and not self._leases.keeps((await self.refresh(slot)).place):
                raise NotKept
            before = self.table_of(slot)
            since, refusal = len(before.entries), None
            verdict: BatchVerdict | None = None
            try:
                after = transition(before.at(self._clock.now(), self._bounds.idle))
            except (Refused, IllegalMove) as refused:
                after, refusal = before, refused
            except Dropped:
                await self._make_whole(slot)
                continue
            if len(after.entries) > since:
                verdict = await self.append(slot, self.batch(after, before, delivery, as_keeper=as_keeper))
            elif (refusal or self._store.shared) and not as_keeper:
                # A keeper has just looked, and has no delivery.
                verdict = await self._store.missed(before.id, since, delivery)
            match verdict:
                case Known():
                    raise Repeated
                case Behind(tail):
                    await self.add_tail(slot, tail)
                case Full(person):
                    raise SeatsFull(person, name_of(after, person))
                case Clash():
                    raise AssertionError("only a new table can clash")
                case Taken(lease):
                    after = await self._with_results(after, before)
                    self.update(slot, after, before, lease)
                    return after
                case None if refusal:
                    raise refusal
                case None:
                    return before

    async def refresh(self, slot: Slot) -> Table:
        """The table with all that other processes have stored; learns who keeps its chat.

        Raises `UnknownTable`, `StoreError`, and the errors of `add_tail`.
        """
        table = self.table_of(slot)
        if not self._store.shared:
            return table
        fence = self._leases.fence(table.place)
        look = await self._store.look(table.id, len(table.entries))
        if look is None:
            raise UnknownTable
        self._leases.see(look.place, look.keeper, fence if look.place == table.place else None)
        if look.tail:
            await self.add_tail(slot, look.tail)
        before = self.table_of(slot)
        if (before.place, before.number) != (look.place, look.number):
            # The platform has told another process that the chat has a new id.
            self.update(slot, replace(before, place=look.place, number=look.number), before)
        return self.table_of(slot)

    def update(self, slot: Slot, table: Table, before: Table | None, lease: Lease | None = None) -> None:
        """Notes the lease if there is one, replaces the table in memory, and calls the listeners."""
        if lease:
            self._leases.note(lease)
        slot.update(table)
        self.call_listeners(table, before)

    def batch(self, table: Table, before: Table | None, delivery: str, *, as_keeper: bool = False) -> Batch:
        """The batch that stores what a change has appended; the batch of a keeper is never `Full`."""
        new = batch(table, len(before.entries) if before else 0, delivery, self._leases.process)
        seated = () if as_keeper else newly_seated(table, before)
        if seated:
            new = replace(new, seated=seated, most_seats=self._bounds.seats)
        if table.status == "over" and (before is None or before.status != "over"):
            new = replace(new, ending=ending_of(table))
        return new

    async def append(self, slot: Slot, new: Batch) -> BatchVerdict:
        """Stores a batch; returns the verdict. Raises `StoreError`; `Uncertain` also unloads the table."""
        began = moment()
        try:
            verdict = await self._store.append(new)
        except Uncertain:
            slot.table = None
            self._leases.doubt(new.listing.place)
            raise
        self._measures.commits.since(began)
        if isinstance(verdict, Taken):
            for entry in new.entries:
                self._measures.entries[entry.kind] += 1
        return verdict

    async def add_tail(self, slot: Slot, tail: Sequence[Entry]) -> None:
        """Appends entries that another process has stored, and calls the listeners.

        Raises `NewerTable`, `DamagedTable` and `StoreError`.
        """
        check_known(tail)
        before = after = self.table_of(slot)
        if before.outdated or any(entry.kind == "forget" for entry in tail):
            # The listing alone tells how a game of older rules ended; forgetting changes earlier entries.
            await self.reload(slot)
            return
        try:
            for entry in tail:
                after = after.after(entry)
        except Dropped:
            await self._make_whole(slot)
            return
        except Exception as error:
            raise self.loader.damage(before.id, error) from None
        self.update(slot, await self._with_results(after, before), before)

    async def _with_results(self, table: Table, before: Table) -> Table:
        """The table, with the results of its people if its game has just ended."""
        has_ended = table.status == "over" and before.status != "over"
        return await with_results(self._store, table) if has_ended else table

    async def reload(self, slot: Slot) -> None:
        """Loads the log of a table whose entries in memory are outdated, and calls the listeners."""
        before = self.table_of(slot)
        self.update(slot, await self.loader.load(before.id), before)

    async def _make_whole(self, slot: Slot) -> None:
        """Loads the whole log of a table, of which too little is in memory.

        Calls the listeners if other processes have stored entries.
        """
        before = self.table_of(slot)
        assert not before.is_whole
        whole = await self.loader.load(before.id)
        if len(whole.entries) > len(before.entries):
            self.update(slot, whole, before)
        # `update` has shortened the table, but the next change needs it whole.
        slot.table = whole
        self.cache.weigh(before.id, slot)

    @asynccontextmanager
    async def locked(self, game: GameId, *, new: bool = False) -> AsyncIterator[Slot]:
        """Locks a table; loads it if it is not in memory, unless it is new.

        Raises `UnknownTable`, `NewerTable`, `DamagedTable` and `StoreError`.
        """
        slot = self.cache.slot(game)
        async with slot.lock:
            try:
                if slot.table is None and not new:
                    slot.table = await self.loader.load(game)
                yield slot
            except (Unreadable, DamagedTable) as error:
                # The next press loads what can be read of the table.
                slot.table = None
                raise self.loader.damage(game, error) from None

    def table_of(self, slot: Slot) -> Table:
        """The table of a locked slot."""
        assert slot.table is not None
        return slot.table

    def call_listeners(self, table: Table, before: Table | None) -> None:
        """Calls all listeners; one that fails is logged."""
        for listener in self.listeners:
            try:
                listener(table, before)
            except Exception as error:
                # The change is stored: a listener that fails must not undo it.
                log.error("a listener failed at table %s: %s", table.id, origin(error))
