"""The table service: opens, reads and changes all tables; `bot.table_service.commits` stores what changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from bot.locks import Locks
from bot.measures import Measures
from bot.model.batches import Behind, Clash, Full, Known, Taken
from bot.model.ids import GameId, PersonId
from bot.model.places import Place
from bot.model.tables import Entry, Refused
from bot.ports import Clock
from bot.storage import Store, StoreError, Unreadable
from bot.table_service.bounds import Bounds, channel_tables
from bot.table_service.cache import TableCache
from bot.table_service.commits import Commits, Listener, Repeated, Transition
from bot.table_service.leases import Leases
from bot.table_service.seat_limit import Seats, SeatsFull, name_of
from bot.tables.table import FOLLOWED, Table
from bot.tables.turn_clock import is_correspondence
from bot.tables.versions import DamagedTable, close_outdated
from engines.values import replace


class TableService:
    """Opens, reads and changes the tables of a store."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        bounds: Bounds | None = None,
        measures: Measures | None = None,
        cache: TableCache | None = None,
        leases: Leases | None = None,
    ) -> None:
        self._store = store
        self.leases = leases or Leases()
        """The leases that this process holds; every change takes the lease of the table's chat."""
        self.clock = clock
        self.bounds = bounds or Bounds()
        self.seats = Seats(store, self.bounds.seats)
        self.measures = measures or Measures()
        self._commits = Commits(
            store,
            clock,
            self.bounds,
            self.measures,
            TableCache(clock) if cache is None else cache,
            self.leases,
        )
        self._tasks: set[asyncio.Task[Table]] = set()
        self._number_locks: Locks[Place] = Locks()
        """Held while a new table gets its number in a place."""

    @property
    def loaded(self) -> int:
        """The number of tables in memory."""
        return len(self._commits.cache)

    def listen(self, listener: Listener) -> None:
        """Calls a listener after every change from now on, as `Listener` says."""
        self._commits.listeners.append(listener)

    async def resume(self, game: GameId, transition: Transition = close_outdated) -> Table:
        """Commits a transition, and calls the listeners with the table unless it is over or damaged.

        Raises as `keep`.
        """
        table = await self.keep(game, transition)
        if (slot := self._commits.cache.get(game)) and slot.table:
            # Another change may have followed the transition: the listeners know of it, and get its table.
            table = slot.table
        if table.status != "over" and not table.damaged:
            self._commits.call_listeners(table, table)
        return table

    async def table(self, game: GameId) -> Table:
        """The current table; what other processes have stored is read first.

        A table whose rules are outdated is closed. Raises `UnknownTable`, `NewerTable`, `DamagedTable` and
        `StoreError`.
        """
        return _readable(await self.shown(game))

    async def shown(self, game: GameId) -> Table:
        """As `table`, but returns a damaged table too, which holds only what its listing tells."""
        known = None if self._store.shared else self._commits.cache.get(game)
        if known and (table := known.table) and (table.status == "over" or not table.outdated):
            return table
        async with self._commits.locked(game) as slot:
            table = await self._commits.refresh(slot)
            if table.status != "over" and table.outdated:
                return await self._commits.change(slot, close_outdated, "")
            return table

    async def whole(self, game: GameId) -> Table:
        """The current table with its whole log and all its news. Raises as `table`."""
        table = await self.table(game)
        return table if table.is_whole else _readable(await self._commits.loader.load(game))

    def damaged(self) -> Collection[GameId]:
        """The tables that were found to be damaged since the last call."""
        return self._commits.loader.damaged()

    def is_changing(self, game: GameId) -> bool:
        """Whether a table is locked: a change may be under way, or stored and not yet told to listeners."""
        return self._commits.cache.is_locked(game)

    async def change(self, game: GameId, transition: Transition, delivery: str = "") -> Table:
        """The table after a transition, once that is committed.

        Raises what the transition raises, `UnknownTable`, `NewerTable`, `DamagedTable`, `SeatsFull`,
        `Repeated` for a delivery handled before, and `StoreError`; then this call has changed nothing, unless
        the error is `Uncertain`. The transition may be called more than once.
        """
        return await self._finish(self._change_locked(game, transition, delivery))

    async def keep(self, game: GameId, transition: Transition) -> Table:
        """As `change`, for what only the keeper of the table's chat does. Raises `NotKept`."""
        return await self._finish(self._change_locked(game, transition, "", as_keeper=True))

    async def _change_locked(
        self, game: GameId, transition: Transition, delivery: str, *, as_keeper: bool = False
    ) -> Table:
        async with self._commits.locked(game) as slot:
            return await self._commits.change(slot, transition, delivery, as_keeper=as_keeper)

    async def _finish(self, work: Coroutine[Any, Any, Table]) -> Table:
        """Runs work to its end, even if the task that asked for it is cancelled."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def open(self, place: Place, make: Callable[[int], Table], delivery: str = "") -> Table:
        """Opens a table in a place; ``make`` builds it from its number, and may be called more than once.

        Raises `Refused` if too many tables are open, or people sit at too many, `Repeated` and `StoreError`.
        """
        return await self._finish(self._open_at(place, make, delivery))

    async def follow(
        self, game: GameId, make: Callable[[Table, int], tuple[Table, Table]], delivery: str = ""
    ) -> Table:
        """Opens the rematch of a table: ``make`` builds it from the old table and its own number.

        ``make`` returns the old table, with an entry that notes the rematch, and the new one. It may be
        called more than once. Raises as `open` and `table`, what ``make`` raises, and `Refused` if another
        process has just opened a rematch.
        """
        return await self._finish(self._follow_locked(game, make, delivery))

    async def _follow_locked(
        self, game: GameId, make: Callable[[Table, int], tuple[Table, Table]], delivery: str
    ) -> Table:
        # The lock of a place comes before those of tables: `check_clock` reads other tables of the place.
        async with (
            self._number_locks.of((await self.shown(game)).place),
            self._commits.locked(game) as slot,
        ):
            before = self._commits.table_of(slot)
            _, unnumbered = make(before, 0)
            with _about_others():
                await self.bounds.check_owner(self._store, unnumbered.owner)
                await self.check_clock(before.place, unnumbered.clock, but=game)
            while True:
                with _about_others():
                    number = await self.bounds.free_number(self._store, before.place)
                after, new = make(self._commits.table_of(slot), number)
                # The new table is stored first: a crash before the next commit loses only the note of it.
                # A new table with the id of the old one would wait for ever for its own lock.
                if new.id != game and (opened := await self._open(new, delivery)):
                    break
            old = await self._commits.change(slot, partial(_note_rematch, note=after.entries[-1]), "")
        if old.followed == opened.id:
            return opened
        await self._change_locked(opened.id, lambda table: table.add("end", reason="empty"), "")
        raise Refused(FOLLOWED)

    async def check_clock(self, place: Place, seconds: int | None, but: GameId = "") -> None:
        """Raises `Refused` for a clock of days if a channel has as many other tables with one as it may have.

        ``but`` is a table that does not count: the one whose clock is set, or whose rematch is opened.
        """
        if not is_correspondence(seconds or 0):
            return
        others = [listing for listing in await channel_tables(self._store, place) if listing.game != but]
        slow = []
        for listing in others:
            with suppress(Refused):
                table = await self.shown(listing.game)
                if is_correspondence(table.turn_seconds or table.clock or 0):
                    slow.append(listing)
        self.bounds.check_days(slow)

    async def catch_up(self, game: GameId) -> Table:
        """The table with all entries that are stored, after a commit that was uncertain."""
        async with self._commits.locked(game) as slot:
            table = self._commits.table_of(slot)
            stored = await self._store.tail(game, len(table.entries))
            if stored and stored.entries:
                await self._commits.add_tail(slot, stored.entries)
            return self._commits.table_of(slot)

    async def reload(self, game: GameId) -> None:
        """Reads a table in memory again, after its log was rewritten, and calls the listeners."""
        if self._commits.cache.get(game):
            async with self._commits.locked(game) as slot:
                await self._commits.reload(slot)

    def rest_unused(self) -> int:
        """Puts to rest tables in memory that nobody has used lately, as `TableCache.rest_unused` does."""
        return self._commits.cache.rest_unused()

    def forget(self, person: PersonId) -> None:
        """Drops from memory the examples that name a person, and the tables that are packed with them."""
        self._commits.cache.forget(person)

    async def changed(self, game: GameId, since: int) -> Table:
        """Waits until the log has more than ``since`` entries, and returns the table."""
        while True:
            async with self._commits.locked(game) as slot:
                table = self._commits.table_of(slot)
            if len(table.entries) > since:
                return table
            await slot.changed()

    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        """Moves the tables of a chat to the new id that its platform has given it.

        A table in memory that can no longer be read is unloaded, and keeps no other from being moved.
        """
        await self._store.move_chat(platform, chat, new)
        old = Place(platform, chat)
        for game, slot in self._commits.cache.items():
            async with slot.lock:
                if slot.place is None or replace(slot.place, thread="") != old:
                    continue
                before = self._commits.table_of(slot)
                try:
                    stored = await self._store.tail(game, len(before.entries))
                except Unreadable as error:
                    slot.table = None
                    self._commits.loader.damage(game, error)
                    continue
                assert stored is not None
                moved = replace(before, place=stored.listing.place, number=stored.listing.number)
                self._commits.update(slot, moved, before)
                # A table that was at rest was unpacked here; it counts as in use, and rests again later.
                self._commits.cache.get(game)

    async def close(self) -> None:
        """Waits for the changes that have begun."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _open_at(self, place: Place, make: Callable[[int], Table], delivery: str) -> Table:
        async with self._number_locks.of(place):
            unnumbered = make(0)
            await self.bounds.check_owner(self._store, unnumbered.owner)
            await self.check_clock(place, unnumbered.clock)
            while True:
                if opened := await self._open(
                    make(await self.bounds.free_number(self._store, place)), delivery
                ):
                    return opened

    async def _open(self, table: Table, delivery: str) -> Table | None:
        """Stores a new table, and returns it; None if another table has its id, or has just got its number.

        Raises `SeatsFull` and `Repeated`.
        """
        async with self._commits.locked(table.id, new=True) as slot:
            now = self.clock.now()
            dated = table.dated(0, now).at(now, self.bounds.idle)
            match await self._commits.append(slot, self._commits.batch(dated, None, delivery)):
                case Full(person):
                    raise SeatsFull(person, name_of(dated, person))
                case Known():
                    raise Repeated
                case Clash() | Behind():
                    return None
                case Taken(lease):
                    self._commits.update(slot, dated, None, lease)
        return dated


@contextmanager
def _about_others() -> Iterator[None]:
    """Raises `Unreadable` as another `StoreError`, since the locked table is not the one that is damaged."""
    try:
        yield
    except Unreadable as error:
        raise StoreError(str(error)) from None


def _readable(table: Table) -> Table:
    """The table. Raises `DamagedTable`."""
    if table.damaged:
        raise DamagedTable
    return table


def _note_rematch(table: Table, note: Entry) -> Table:
    """The table with an entry for its rematch, unless it has one already."""
    return table if table.followed else table.after(replace(note, n=len(table.entries), at=table.now))
