"""Panel records: read from the store table by table, kept in memory, and marked dirty in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from bot.model.ids import GameId, PersonId, ReaderId
from bot.model.panels import Marked, PanelRecord
from bot.model.places import Place
from bot.outbox.records.cache import CachedTable, PanelCache
from bot.outbox.records.sent_records import SentRecords
from bot.outbox.records.stable_reads import StableReads
from bot.ports import Clock
from bot.storage import Store
from bot.table_service.leases import Leases


class PanelRecords:
    """Reads the stored panels and marks them dirty, in memory and in the store.

    Where processes share the store, only panels in chats that this process keeps are cached.
    """

    def __init__(self, store: Store, clock: Clock, leases: Leases | None = None) -> None:
        self._store = store
        self._leases = leases or Leases()
        self.wait_to_post: Callable[[Place], float] = lambda _: 0.0
        """The seconds until the store has what a chat's former keeper was posting; see `Handovers`."""
        self.is_changing: Callable[[GameId], bool] = lambda _: False
        """Whether a change of a table may be stored of which its listeners have not been told yet."""
        self.cache = PanelCache()
        """The panels in memory; the methods below drop those that another process may have changed."""
        self._reads = StableReads()
        self.sent = SentRecords(store, clock, self._leases, self.cache, self._reads)
        """Records what was sent."""
        self.late = self.sent.late
        """What was sent and is not stored yet."""

    async def load(self, game: GameId, place: Place) -> Sequence[ReaderId]:
        """Caches the panels of a table unless they are cached; returns the readers of those found dirty.

        Does nothing for a chat that this process does not keep.
        """
        if self._cached_table(game, place) or not self._leases.keeps(place):
            return ()
        fence = self._fence(place)
        async with self._reads.of(game):
            if game in self.cache:
                # A change that came while this load waited for another one is in the cache already.
                return ()
            may_be_stale = self.wait_to_post(place) > 0
            stored = await self._reads.read(game, partial(self._store.panels, game))
            records = {panel.reader: self.late.merged(panel) for panel in stored}
            may_be_ahead = self.is_changing(game)
            self.cache.put(game, CachedTable(fence, may_be_stale, may_be_ahead, records))
            return [reader for reader, panel in records.items() if panel.wanted != panel.sent]

    async def load_again(self, game: GameId, place: Place) -> Sequence[ReaderId]:
        """Caches the panels of a table; returns the readers of the dirty ones.

        Cached panels are compared with the store: a commit that seemed to fail may have changed them.
        """
        if (table := self._cached_table(game, place)) is None:
            return await self.load(game, place)
        async with self._reads.of(game):
            stored = await self._reads.read(game, partial(self._store.panels, game))
        table.may_be_ahead |= self.is_changing(game)
        for panel in stored:
            known = table.records.setdefault(panel.reader, self.late.merged(panel))
            if known.wanted < panel.wanted:
                table.records[panel.reader] = known.marked(panel, panel.wanted)
        return [reader for reader, panel in table.records.items() if panel.wanted != panel.sent]

    async def read(self, game: GameId, place: Place, reader: ReaderId) -> PanelRecord:
        """The panel of a reader; stores a new one if there is none."""
        if known := await self.stored(game, place, reader):
            return known
        made = (await self._store.mark_dirty(PanelRecord(game, reader))).panel
        # Read again, since the table may have changed meanwhile.
        return await self.stored(game, place, reader) or made

    async def stored(self, game: GameId, place: Place, reader: ReaderId) -> PanelRecord | None:
        """The panel of a reader; None if there is none."""
        if (table := self._cached_table(game, place)) is None:
            await self.load(game, place)
            table = self.cache.table(game)
        if table and (known := table.records.get(reader)):
            return known
        async with self._reads.of(game):
            found = await self._reads.read(game, partial(self._store.panel, game, reader))
            if found is None or (table := self.cache.table(game)) is None:
                return self.late.merged(found) if found else None
            table.may_be_ahead |= self.is_changing(game)
            return table.records.setdefault(reader, self.late.merged(found))

    async def mark_dirty(self, panel: PanelRecord) -> PanelRecord:
        """Stores a panel's draft, count of announcements and watch, marks it dirty, and returns it.

        This process keeps the table's chat from then on.
        """
        marked = await self._store.mark_dirty(panel, keeper=self._leases.checked_keeper)
        return self._learn(marked)

    async def change(self, panel: PanelRecord) -> bool:
        """As `mark_dirty`; but False, and nothing stored, if the panel has changed since it was read."""
        marked = await self._store.mark_dirty(
            panel, expected=panel.wanted, keeper=self._leases.checked_keeper
        )
        self._learn(marked)
        return marked.taken

    def mark_all_dirty(self, game: GameId) -> Sequence[ReaderId]:
        """Marks the cached panels of a changed table dirty, as the store has done; returns their readers."""
        self._reads.outdate(game)
        if (table := self.cache.table(game)) is None:
            return ()
        if table.may_be_ahead:
            # Dropped, since their ``wanted`` may include this change already.
            return self.cache.forget_table(game)
        table.mark_all_dirty()
        return tuple(table.records)

    def drop(self, game: GameId) -> Sequence[ReaderId]:
        """Drops the cached panels of a changed table, so that they are read again; returns their readers.

        For a change with which the store does not mark all panels dirty.
        """
        self._reads.outdate(game)
        return self.cache.forget_table(game)

    def forget_person(self, person: PersonId) -> None:
        """Drops the panels of a person whom the store has forgotten, and what was still to be written."""
        self.cache.forget_reader(person)
        self.late.forget(person)

    def _learn(self, marked: Marked) -> PanelRecord:
        """Caches the stored panel and the lease that was taken with it; returns the panel."""
        if marked.lease:
            self._leases.note(marked.lease)
        stored = marked.panel
        if (known := self.cache.panel(stored.game, stored.reader)) is None:
            return stored
        # If the change was refused, the cached version is wrong; else it may include later changes.
        wanted = max(stored.wanted, known.wanted) if marked.taken else stored.wanted
        return self.cache.update(known.marked(stored, wanted))

    def _fence(self, place: Place) -> int | None:
        """The fence of a chat's lease; None where no other process can take it."""
        return self._leases.fence(place) if self._store.shared else None

    def _cached_table(self, game: GameId, place: Place) -> CachedTable | None:
        """The cached panels of a table, if any; drops what a former keeper of its chat may have changed."""
        table = self.cache.table(game)
        if table and self._store.shared and table.fence != self._leases.fence(place):
            for reader in self.cache.forget_table(game):
                # The other keeper may have posted the panel anew, so this process's message is not stored.
                self.late.pop(game, reader)
            return None
        if table and table.may_be_stale and not self.wait_to_post(place):
            # The former keeper may have stored a message or an alert since they were read.
            self.cache.forget_table(game)
            return None
        return table
