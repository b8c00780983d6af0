"""The table service: holds all tables, makes one change at a time to each, calls listeners after its commit.

A change is stored before it is shown. If it cannot be stored, the table stays as it was.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from bot.errors import origin
from bot.locks import Locks
from bot.measures import Measures, moment
from bot.model import (
    Batch,
    Behind,
    Clash,
    Entry,
    Full,
    GameId,
    Known,
    Lease,
    Place,
    Refused,
    Taken,
)
from bot.ports import Clock
from bot.storage import Store, Uncertain, Unreadable
from bot.tables.bounds import Bounds, channel_tables
from bot.tables.cache import Slot, TableCache
from bot.tables.endings import ending_of
from bot.tables.history import Dropped
from bot.tables.leases import Leases
from bot.tables.loading import Loader, UnknownTable, with_results
from bot.tables.seats import Seats, SeatsFull, name_of, newly_seated
from bot.tables.stored import batch
from bot.tables.table import Table
from bot.tables.turn_clock import is_correspondence
from bot.tables.versions import DamagedTable, check_known, close_outdated
from engines.game import IllegalMove, Text

log = logging.getLogger(__name__)

Transition = Callable[[Table], Table]
"""Returns the table after an action; raises `Refused` or `IllegalMove`."""
Verdict = Taken | Behind | Known | Clash | Full
Listener = Callable[[Table, Table | None], None]
"""Called as (after, before) after each commit; a new table has None as before, a resumed one itself."""


class NotKept(Exception):
    """Another process keeps the table's chat, and plays its computers."""


class Repeated(Exception):
    """The delivery was handled before; its change is stored."""


class TableService:
    """Holds all tables over a store; tables are changed only through it."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        bounds: Bounds | None = None,
        measures: Measures | None = None,
        cache: TableCache | None = None,
        leases: Leases | None = None,
    ) -> None:
        self.store = store
        self._loader = Loader(store)
        self.leases = leases or Leases()
        """The leases that this process holds; every change takes the lease of the table's chat."""
        self.clock = clock
        self.bounds = bounds or Bounds()
        self.seats = Seats(store, self.bounds.seats)
        self.measures = measures or Measures()
        self._cache = TableCache() if cache is None else cache
        self._listeners: list[Listener] = []
        self._tasks: set[asyncio.Task[Table]] = set()
        self._number_locks: Locks[Place] = Locks()

    @property
    def loaded(self) -> int:
        """The number of tables in memory."""
        return len(self._cache)

    def listen(self, listener: Listener) -> None:
        """Calls a listener after the commit of every change from now on."""
        self._listeners.append(listener)

    async def resume(self, game: GameId, transition: Transition = close_outdated) -> Table:
        """Loads a stored table and calls the listeners with it, after a transition.

        Raises `NotKept` if this process does not keep the table's chat.
        """
        table = await self.keep(game, transition)
        if (slot := self._cache.get(game)) and slot.table:
            # Another change may have come between, of which the listeners know already.
            table = slot.table
        if table.status != "over" and not table.damaged:
            self._call_listeners(table, table)
        return table

    async def table(self, game: GameId) -> Table:
        """The current table; what other processes have stored is read first.

        A table whose rules are outdated is closed. Raises `UnknownTable`, `NewerTable` and `DamagedTable`.
        """
        return _readable(await self.shown(game))

    async def shown(self, game: GameId) -> Table:
        """As `table`, for pages that say that a table is damaged; then it holds what its listing tells."""
        known = None if self.store.shared else self._cache.get(game)
        if known and (table := known.table) and (table.status == "over" or not table.outdated):
            return table
        async with self._locked(game) as slot:
            table = await self._refresh(slot)
            if table.status != "over" and table.outdated:
                return await self._change(slot, close_outdated, "")
            return table

    async def whole(self, game: GameId) -> Table:
        """The current table with its whole log and all its news. Raises as `table`."""
        table = await self.table(game)
        return table if table.is_whole else _readable(await self._loader.load(game))

    def damaged(self) -> Collection[GameId]:
        """The tables that were found to be damaged since the last call."""
        return self._loader.damaged()

    async def change(self, game: GameId, transition: Transition, delivery: str = "") -> Table:
        """The table after a transition, once that is committed.

        Raises what the transition raises, `UnknownTable`, `NewerTable`, and `Repeated` for a delivery
        handled before; then nothing has changed. The transition may be called more than once.
        """
        return await self._finish(self._change_locked(game, transition, delivery))

    async def keep(self, game: GameId, transition: Transition) -> Table:
        """As `change`, for what only the keeper of the table's chat does. Raises `NotKept`."""
        return await self._finish(self._change_locked(game, transition, "", as_keeper=True))

    async def _change_locked(
        self, game: GameId, transition: Transition, delivery: str, *, as_keeper: bool = False
    ) -> Table:
        async with self._locked(game) as slot:
            return await self._change(slot, transition, delivery, as_keeper=as_keeper)

    async def _finish(self, work: Coroutine[Any, Any, Table]) -> Table:
        """Runs work to its end, even if the task that asked for it is cancelled."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def open(self, place: Place, make: Callable[[int], Table], delivery: str = "") -> Table:
        """Opens a table in a place; ``make`` builds it from its number, and may be called more than once.

        Raises `Refused` if too many tables are open, and `Repeated`.
        """
        return await self._finish(self._open_at(place, make, delivery))

    async def follow(
        self, game: GameId, make: Callable[[Table, int], tuple[Table, Table]], delivery: str = ""
    ) -> Table:
        """Opens the rematch of a table: ``make`` gets the table and a number, and returns both tables."""
        return await self._finish(self._follow_locked(game, make, delivery))

    async def _follow_locked(
        self, game: GameId, make: Callable[[Table, int], tuple[Table, Table]], delivery: str
    ) -> Table:
        async with self._locked(game) as slot:
            place = self._table_of(slot).place
            async with self._number_locks.of(place):
                _, first = make(self._table_of(slot), 0)
                await self.bounds.check_owner(self.store, first.owner)
                await self.check_clock(place, first.clock, but=game)
                while True:
                    after, new = make(self._table_of(slot), await self.bounds.free_number(self.store, place))
                    # The new table is stored first: a crash before the next commit loses only the note of it.
                    # Its own id would be waited for, since the old table is locked.
                    if new.id != game and (opened := await self._open(new, delivery)):
                        break
                old = await self._change(slot, partial(_note_rematch, by=after.entries[-1]), "")
        if old.followed == opened.id:
            return opened
        await self._change_locked(opened.id, lambda table: table.add("end", reason="empty"), "")
        raise Refused(Text("There's already a table for the rematch."))

    async def check_clock(self, place: Place, seconds: int | None, but: GameId = "") -> None:
        """Raises `Refused` if a channel has enough other tables whose clocks count days, as one more would.

        ``but`` is a table that does not count: that whose clock is set, or whose rematch it is.
        """
        if not is_correspondence(seconds or 0):
            return
        others = [one for one in await channel_tables(self.store, place) if one.game != but]
        slow = []
        for one in others:
            with suppress(Refused):
                table = await self.shown(one.game)
                if is_correspondence(table.turn_seconds or table.clock or 0):
                    slow.append(one)
        self.bounds.check_days(slow)

    async def catch_up(self, game: GameId) -> Table:
        """The table with all entries that are stored, after a commit that was uncertain."""
        async with self._locked(game) as slot:
            table = self._table_of(slot)
            stored = await self.store.tail(game, len(table.entries))
            if stored and stored.entries:
                await self._add_tail(slot, stored.entries)
            return self._table_of(slot)

    async def reload(self, game: GameId) -> None:
        """Reads a table in memory again, after its log was rewritten, and calls the listeners."""
        if self._cache.get(game):
            async with self._locked(game) as slot:
                await self._reload(slot)

    async def changed(self, game: GameId, since: int) -> Table:
        """Waits until the log has more than ``since`` entries, and returns the table."""
        while True:
            async with self._locked(game) as slot:
                table = self._table_of(slot)
            if len(table.entries) > since:
                return table
            await slot.changed()

    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        """Moves the tables of a chat whose platform has given it another id."""
        await self.store.move_chat(platform, chat, new)
        old = Place(platform, chat)
        for game, slot in self._cache.items():
            async with slot.lock:
                if slot.place is None or replace(slot.place, thread="") != old:
                    continue
                before = self._table_of(slot)
                stored = await self.store.tail(game, len(before.entries))
                assert stored is not None
                now = replace(before, place=stored.listing.place, number=stored.listing.number)
                self._update(slot, now, before)

    async def close(self) -> None:
        """Waits for the changes that have begun."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _open_at(self, place: Place, make: Callable[[int], Table], delivery: str) -> Table:
        async with self._number_locks.of(place):
            first = make(0)
            await self.bounds.check_owner(self.store, first.owner)
            await self.check_clock(place, first.clock)
            while True:
                if opened := await self._open(
                    make(await self.bounds.free_number(self.store, place)), delivery
                ):
                    return opened

    async def _open(self, table: Table, delivery: str) -> Table | None:
        """The table, once stored; None if another table has its id, or has just got its number."""
        async with self._locked(table.id, new=True) as slot:
            now = self.clock.now()
            dated = table.dated(0, now).at(now, self.bounds.idle)
            match await self._append(slot, self._batch(dated, None, delivery)):
                case Full(person):
                    raise SeatsFull(person, name_of(dated, person))
                case Known():
                    raise Repeated
                case Clash() | Behind():
                    return None
                case Taken(lease):
                    self._update(slot, dated, None, lease)
        return dated

    async def _change(
        self, slot: Slot, transition: Transition, delivery: str, *, as_keeper: bool = False
    ) -> Table:
        """Commits a transition; repeats it on the newer table if another process has stored entries."""
        while True:
            if as_keeper and not self.leases.keeps((await self._refresh(slot)).place):
                raise NotKept
            before = self._table_of(slot)
            since, refusal = len(before.entries), None
            verdict: Verdict | None = None
            try:
                after = transition(before.at(self.clock.now(), self.bounds.idle))
            except (Refused, IllegalMove) as refused:
                after, refusal = before, refused
            except Dropped:
                await self._make_whole(slot)
                continue
            if len(after.entries) > since:
                verdict = await self._append(slot, self._batch(after, before, delivery, as_keeper=as_keeper))
            elif (refusal or self.store.shared) and not as_keeper:
                # A keeper has just looked, and has no delivery.
                verdict = await self.store.missed(before.id, since, delivery)
            match verdict:
                case Known():
                    raise Repeated
                case Behind(tail):
                    await self._add_tail(slot, tail)
                case Full(person):
                    raise SeatsFull(person, name_of(after, person))
                case Clash():
                    raise AssertionError("only a new table can clash")
                case Taken(lease):
                    after = await self._settled(after, before)
                    self._update(slot, after, before, lease)
                    return after
                case None if refusal:
                    raise refusal
                case None:
                    return before

    async def _refresh(self, slot: Slot) -> Table:
        """The table after what other processes have stored; learns who keeps its chat."""
        table = self._table_of(slot)
        if not self.store.shared:
            return table
        fence = self.leases.fence(table.place)
        look = await self.store.look(table.id, len(table.entries))
        if look is None:
            raise UnknownTable
        self.leases.see(look.place, look.keeper, fence if look.place == table.place else None)
        if look.tail:
            await self._add_tail(slot, look.tail)
        before = self._table_of(slot)
        if (before.place, before.number) != (look.place, look.number):
            # The chat has got another id, which a process in another place was told.
            self._update(slot, replace(before, place=look.place, number=look.number), before)
        return self._table_of(slot)

    def _update(self, slot: Slot, table: Table, before: Table | None, lease: Lease | None = None) -> None:
        """Replaces a table in memory, and calls the listeners; they find the lease noted."""
        if lease:
            self.leases.note(lease)
        slot.update(table)
        self._call_listeners(table, before)

    def _batch(self, table: Table, before: Table | None, delivery: str, *, as_keeper: bool = False) -> Batch:
        """The batch that stores what a change has appended; a keeper's is never refused for its seats."""
        new = batch(table, len(before.entries) if before else 0, delivery, self.leases.process)
        seated = () if as_keeper else newly_seated(table, before)
        if seated:
            new = replace(new, seated=seated, most_seats=self.bounds.seats)
        if table.status == "over" and (before is None or before.status != "over"):
            new = replace(new, ending=ending_of(table))
        return new

    async def _append(self, slot: Slot, new: Batch) -> Verdict:
        """The verdict on a batch; if only the store can tell it later, the table is loaded again."""
        began = moment()
        try:
            verdict = await self.store.append(new)
        except Uncertain:
            slot.table = None
            self.leases.doubt(new.listing.place)
            raise
        self.measures.commits.since(began)
        if isinstance(verdict, Taken):
            for entry in new.entries:
                self.measures.entries[entry.kind] += 1
        return verdict

    async def _add_tail(self, slot: Slot, tail: Sequence[Entry]) -> None:
        """Appends entries that another process has stored, and calls the listeners. Raises `NewerTable`."""
        check_known(tail)
        if any(entry.kind == "forget" for entry in tail):
            # Entries before these have changed too.
            await self._reload(slot)
            return
        before = ahead = self._table_of(slot)
        try:
            for entry in tail:
                ahead = ahead.after(entry)
        except Dropped:
            await self._make_whole(slot)
            return
        except Exception as error:
            raise self._loader.damage(before.id, error) from None
        self._update(slot, await self._settled(ahead, before), before)

    async def _settled(self, table: Table, before: Table) -> Table:
        """The table, with the results of its people if its game has just ended."""
        has_ended = table.status == "over" and before.status != "over"
        return await with_results(self.store, table) if has_ended else table

    async def _reload(self, slot: Slot) -> None:
        """Loads the log of a table whose entries in memory are outdated, and calls the listeners."""
        before = self._table_of(slot)
        self._update(slot, await self._loader.load(before.id), before)

    async def _make_whole(self, slot: Slot) -> None:
        """Loads the whole log of a table whose part in memory does not tell enough.

        Calls the listeners if other processes have stored entries.
        """
        before = self._table_of(slot)
        assert not before.is_whole
        whole = await self._loader.load(before.id)
        if len(whole.entries) > len(before.entries):
            self._update(slot, whole, before)
        # It is not shortened before the next change, which needs it whole.
        slot.table = whole

    @asynccontextmanager
    async def _locked(self, game: GameId, *, new: bool = False) -> AsyncIterator[Slot]:
        """Locks a table; loads it unless it is new. Raises `UnknownTable` and `DamagedTable`."""
        slot = self._cache.slot(game)
        async with slot.lock:
            try:
                if slot.table is None and not new:
                    slot.table = await self._loader.load(game)
                yield slot
            except (Unreadable, DamagedTable) as error:
                # The next press loads what can be read of the table.
                slot.table = None
                raise self._loader.damage(game, error) from None

    def _table_of(self, slot: Slot) -> Table:
        assert slot.table is not None
        return slot.table

    def _call_listeners(self, table: Table, before: Table | None) -> None:
        for listener in self._listeners:
            try:
                listener(table, before)
            except Exception as error:
                # The change is stored: a listener that fails must not undo it.
                log.error("a listener failed at table %s: %s", table.id, origin(error))


def _readable(table: Table) -> Table:
    """The table. Raises `DamagedTable`."""
    if table.damaged:
        raise DamagedTable
    return table


def _note_rematch(table: Table, by: Entry) -> Table:
    """The table with an entry for its rematch, unless it has one already."""
    return table if table.followed else table.after(replace(by, n=len(table.entries)))
