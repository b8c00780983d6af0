"""Panel records in memory: read from the store table by table, stored again at once or a little later."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from bot.errors import origin
from bot.locks import Locks
from bot.model.ids import GameId, PersonId, ProcessId, ReaderId
from bot.model.panels import Draft, Marked, PanelKey, PanelRecord
from bot.model.places import Place
from bot.outbox.records.late_writes import LateWrites
from bot.outbox.records.shown import Shown
from bot.ports import Clock
from bot.recent import Recent
from bot.storage import Store, StoreError
from bot.table_service.leases import Leases
from engines.values import replace

log = logging.getLogger(__name__)
_Read = TypeVar("_Read")
TABLES_KEPT = 20_000
"""The most tables whose panels are kept in memory, about 2 kB each; others are read again when needed."""


@dataclass(slots=True)
class _TablePanels:
    """The panels of one table."""

    fence: int | None
    """The fence of the chat's lease when they were read; if it is another now, they may have changed."""
    may_be_stale: bool
    """Whether they were read while the chat's former keeper might still store what it was posting."""
    may_be_ahead: bool
    """Whether a change was being stored when they were read: their ``wanted`` may include it already."""
    records: dict[ReaderId, PanelRecord]
    shown: dict[ReaderId, Shown] = field(default_factory=dict)
    """The content of each panel's message, if this process has sent it."""


class PanelRecords:
    """A cache of stored panels: their drafts, their messages, what these show, and whether they are dirty.

    Where processes share the store, only panels in chats that this process keeps are cached.
    """

    def __init__(self, store: Store, clock: Clock, leases: Leases | None = None) -> None:
        self._store = store
        self._leases = leases or Leases()
        self.wait_to_post: Callable[[Place], float] = lambda _: 0.0
        """The seconds until the store has what a chat's former keeper was posting; see `Handovers`."""
        self.is_changing: Callable[[GameId], bool] = lambda _: False
        """Whether a change of a table may be stored of which its listeners have not been told yet."""
        self._tables: Recent[GameId, _TablePanels] = Recent(TABLES_KEPT)
        self._lost: Recent[PanelKey, str] = Recent(TABLES_KEPT)
        """The message that a panel lost and its next one replaces; kept even if its table is not cached."""
        self._locks: Locks[GameId] = Locks()
        """Held while panels of a table are read."""
        self._outdated: set[GameId] = set()
        """Tables that have changed while panels of theirs were being read."""
        self._staying_dirty = Counter[ReaderId]()
        """The readers whose panels stay dirty even when sent, with the number of `left_dirty` blocks."""
        self.late = LateWrites(
            store,
            clock,
            lambda: self._keeper,
            lambda stored: self.forget_table(stored.game),
            self._learn_alert,
        )

    def __len__(self) -> int:
        return len(self._tables)

    async def load(self, game: GameId, place: Place) -> Sequence[ReaderId]:
        """Caches the panels of a table unless they are cached; returns the readers of those found dirty.

        Does nothing for a chat that this process does not keep.
        """
        if self._cached_table(game, place) or not self._leases.keeps(place):
            return ()
        fence = self._fence(place)
        async with self._locks.of(game):
            if game in self._tables:
                # A change that came while this load waited for another one is in the cache already.
                self._outdated.discard(game)
                return ()
            may_be_stale = self.wait_to_post(place) > 0
            stored = await self._read_stable(game, partial(self._store.panels, game))
            records = {panel.reader: self.late.merged(panel) for panel in stored}
            may_be_ahead = self.is_changing(game)
            self._tables.put(game, _TablePanels(fence, may_be_stale, may_be_ahead, records))
            return [reader for reader, panel in records.items() if panel.wanted != panel.sent]

    async def load_again(self, game: GameId, place: Place) -> Sequence[ReaderId]:
        """Caches the panels of a table; returns the readers of the dirty ones.

        Cached panels are compared with the store: a commit that seemed to fail may have changed them.
        """
        if (table := self._cached_table(game, place)) is None:
            return await self.load(game, place)
        async with self._locks.of(game):
            stored = await self._read_stable(game, partial(self._store.panels, game))
        table.may_be_ahead |= self.is_changing(game)
        for panel in stored:
            known = table.records.setdefault(panel.reader, self.late.merged(panel))
            if known.wanted < panel.wanted:
                table.records[panel.reader] = known.marked(panel, panel.wanted)
        return [reader for reader, panel in table.records.items() if panel.wanted != panel.sent]

    def known(self, game: GameId) -> Sequence[PanelRecord]:
        """The cached panels of a table."""
        return tuple(table.records.values()) if (table := self._tables.get(game)) else ()

    def draft(self, game: GameId, reader: ReaderId) -> Draft | None:
        """The draft of a cached panel; None if it is not cached."""
        return panel.draft if (panel := self._cached_panel(game, reader)) else None

    def is_watched(self, game: GameId, reader: ReaderId) -> bool:
        """Whether a reader watches the table on a cached panel; False if it is not cached."""
        panel = self._cached_panel(game, reader)
        return panel is not None and panel.is_watched

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
            table = self._tables.get(game)
        if table and (known := table.records.get(reader)):
            return known
        async with self._locks.of(game):
            found = await self._read_stable(game, partial(self._store.panel, game, reader))
            if found is None or (table := self._tables.get(game)) is None:
                return self.late.merged(found) if found else None
            table.may_be_ahead |= self.is_changing(game)
            return table.records.setdefault(reader, self.late.merged(found))

    @contextmanager
    def left_dirty(self, reader: ReaderId) -> Iterator[None]:
        """Keeps the panels of a reader dirty that are sent while settings are being stored.

        They may show the old settings: after a crash they must be sent again.
        """
        self._staying_dirty[reader] += 1
        try:
            yield
        finally:
            # Drops a reader whose number becomes 0.
            self._staying_dirty -= Counter((reader,))

    async def mark_dirty(self, panel: PanelRecord) -> PanelRecord:
        """Stores a panel's draft, count of announcements and watch, marks it dirty, and returns it.

        This process keeps the table's chat from then on.
        """
        marked = await self._store.mark_dirty(panel, keeper=self._keeper)
        return self._learn(marked)

    async def change(self, panel: PanelRecord) -> bool:
        """As `mark_dirty`; but False, and nothing stored, if the panel has changed since it was read."""
        marked = await self._store.mark_dirty(panel, expected=panel.wanted, keeper=self._keeper)
        self._learn(marked)
        return marked.taken

    def mark_all_dirty(self, game: GameId) -> Sequence[ReaderId]:
        """Marks the cached panels of a changed table dirty, as the store has done; returns their readers."""
        self._outdate_reads(game)
        if (table := self._tables.get(game)) is None:
            return ()
        if table.may_be_ahead:
            # Dropped, since their ``wanted`` may include this change already.
            self._tables.pop(game)
            return tuple(table.records)
        for reader, panel in table.records.items():
            table.records[reader] = replace(panel, wanted=panel.wanted + 1)
        return tuple(table.records)

    def drop(self, game: GameId) -> Sequence[ReaderId]:
        """Drops the cached panels of a changed table, so that they are read again; returns their readers.

        For a change with which the store does not mark all panels dirty.
        """
        self._outdate_reads(game)
        table = self._tables.pop(game)
        return tuple(table.records) if table else ()

    async def mark_sent(
        self,
        panel: PanelRecord,
        message: str,
        told: int,
        shown: Shown,
        *,
        replaces: str | None = None,
        free_at: float | None = None,
        notified_at: float = 0.0,
    ) -> str:
        """Records what a panel's message shows, with news up to ``told``.

        A new message names the one that it ``replaces``, and is stored at once. The edit of a dirty panel is
        stored a little later, or at once if other processes must know ``free_at``, the time until which
        nothing may be sent to the chat. ``notified_at`` is when the message has notified its reader, 0 if it
        has not. Returns the message of the panel: another one if another process has posted the panel
        meanwhile.
        """
        table = self._tables.get(panel.game)
        cached = table.records.get(panel.reader) if table else None
        known = cached or panel
        notified_at = max(known.notified_at, notified_at)
        marked = replace(known, message=message, sent=self._sent(panel), told=told, notified_at=notified_at)
        if table:
            table.shown[panel.reader] = shown
            if cached:
                table.records[panel.reader] = marked
        self._lost.pop((panel.game, panel.reader))
        if replaces is not None:
            return await self._store_new(marked, free_at, replaces)
        if panel.sent != panel.wanted:
            self.late.put(marked, free_at)
            if free_at is not None and self._store.shared:
                await self.late.flush()
        return message

    async def _store_new(self, panel: PanelRecord, free_at: float | None, replaces: str) -> str:
        """Stores a new message, later if the store fails; returns the message that the panel then has."""
        # A pending write would store the id of the previous message; if that was new, the store lacks it.
        unstored = self.late.pop(panel.game, panel.reader)
        replaces = replaces if unstored is None else unstored
        try:
            # Where no other process can have posted the panel, nothing is compared.
            stored = await self._store.sent(
                panel,
                keeper=self._keeper,
                replaces=replaces if self._store.shared else None,
                free_at=free_at,
            )
        except StoreError as error:
            log.warning("the store could not save a new message: %s", origin(error))
            self.late.put(panel, free_at, replaces)
            self._learn_message(panel)
            return panel.message
        if stored.message == panel.message:
            self._learn_message(panel)
        else:
            # Read again: the record in memory is not what the store has.
            self._tables.pop(panel.game)
        return stored.message

    def _learn_message(self, panel: PanelRecord) -> None:
        """Caches a new message, and has panels read again that were read while it was being stored."""
        self._outdate_reads(panel.game)
        if known := self._cached_panel(panel.game, panel.reader):
            self._cache(replace(known, message=panel.message, sent=panel.sent, told=panel.told))

    async def record_alert(self, panel: PanelRecord, alert: str, at: float, *, aloud: bool = False) -> str:
        """Records the turn alert sent to a reader at a time; empty if it was deleted or could not be sent.

        Returns the panel's alert, which is another one if another process has sent one meanwhile. If the
        store fails, the alert is saved later.
        """
        known = self._cached_panel(panel.game, panel.reader) or panel
        notified_at = max(known.notified_at, at)
        alerted = self._cache(
            replace(known, notified_at=notified_at, alert=alert, aloud=aloud and bool(alert))
        )
        # The store lacks the panel's alert, or still has one that is deleted, if that could not be saved.
        unsaved = self.late.pop_alert(panel)
        replaces = panel.alert if unsaved is None else unsaved
        try:
            stored = await self._store.save_alert(alerted, replaces=replaces)
            if stored.alert == panel.alert and panel.alert not in (alert, replaces):
                # The store has saved that write, though it reported an error.
                stored = await self._store.save_alert(alerted, replaces=panel.alert)
        except StoreError as error:
            log.warning("the store could not save a turn alert: %s", origin(error))
            self.late.put_alert(alerted, replaces)
            return alert
        self._learn_alert(stored)
        return stored.alert

    def mark_undeliverable(self, panel: PanelRecord) -> None:
        """Marks a panel that cannot be delivered as sent."""
        known = self._cached_panel(panel.game, panel.reader) or panel
        marked = self._cache(replace(known, sent=self._sent(panel)))
        if panel.sent != panel.wanted:
            # The id of a lost message is stored too: the name of the next one (see `once`) follows from it,
            # also after a restart.
            self.late.put(replace(marked, message=self.replaced(marked)), None)

    def give_up(self, game: GameId, reader: ReaderId) -> None:
        """Marks a cached panel, whose sending has failed too often, as sent."""
        if known := self._cached_panel(game, reader):
            self.mark_undeliverable(known)

    def shown(self, game: GameId, reader: ReaderId) -> Shown | None:
        """The content of a panel's message; None if this process has not sent it or has forgotten it."""
        return table.shown.get(reader) if (table := self._tables.get(game)) else None

    def forget_shown(self, game: GameId, reader: ReaderId) -> None:
        """Forgets what a panel's message shows, so that it is sent even if it has not changed."""
        if table := self._tables.get(game):
            table.shown.pop(reader, None)

    def lose_message(self, panel: PanelRecord) -> PanelRecord:
        """Forgets the id of a panel's message, which a new one is to replace; returns the panel without it.

        The store keeps the id until a new message is stored.
        """
        known = self._cached_panel(panel.game, panel.reader) or panel
        if message := known.message or panel.message:
            self._lost.put((panel.game, panel.reader), message)
        self._cache(replace(known, message=""))
        return replace(panel, message="")

    def leave_message(self, game: GameId, reader: ReaderId) -> None:
        """Forgets the id of a panel's message, which stays behind in a chat that the table has left."""
        if known := self._cached_panel(game, reader):
            self._cache(replace(known, message=""))
        self.late.leave_message(game, reader)
        self._lost.pop((game, reader))

    def leave_alerts(self, game: GameId) -> None:
        """Forgets a table's alerts that name players in its chat; they stay in a chat that it has left."""
        for panel in self.known(game):
            if panel.aloud:
                self._cache(replace(panel, alert="", aloud=False))

    def replaced(self, panel: PanelRecord) -> str:
        """The id of the message that a new one of a panel replaces; empty if it replaces none.

        It stays the same until the new message is stored, also in another process.
        """
        key = panel.game, panel.reader
        known = self._cached_panel(*key)
        return panel.message or (known.message if known else "") or self._lost.get(key) or ""

    def forget(self, game: GameId, reader: ReaderId) -> None:
        """Drops a panel from the cache; it stays in the store."""
        self._lost.pop((game, reader))
        if table := self._tables.get(game):
            for by_reader in (table.records, table.shown):
                by_reader.pop(reader, None)
            if not table.records:
                self._tables.pop(game)

    def forget_person(self, person: PersonId) -> None:
        """Drops the panels of a person whom the store has forgotten, and what was still to be written."""
        for game in list(self._tables):
            self.forget(game, person)
        self.late.forget(person)

    def forget_table(self, game: GameId) -> None:
        """Drops the panels of a table from the cache, so that they are read again."""
        self._tables.pop(game)

    @property
    def _keeper(self) -> ProcessId:
        """This process's id, for the store to check who keeps a chat; empty if the store is not shared."""
        return self._leases.process if self._store.shared else ""

    def _sent(self, panel: PanelRecord) -> int:
        """The ``sent`` of a panel once it is sent: as it was if the panel is left dirty, else ``wanted``."""
        return panel.sent if panel.reader in self._staying_dirty else panel.wanted

    def _learn(self, marked: Marked) -> PanelRecord:
        """Caches the stored panel and the lease that was taken with it; returns the panel."""
        if marked.lease:
            self._leases.note(marked.lease)
        stored = marked.panel
        if (known := self._cached_panel(stored.game, stored.reader)) is None:
            return stored
        # If the change was refused, the cached version is wrong; else it may include later changes.
        wanted = max(stored.wanted, known.wanted) if marked.taken else stored.wanted
        return self._cache(known.marked(stored, wanted))

    def _learn_alert(self, stored: PanelRecord) -> None:
        """Caches the stored turn alert of a panel, and has panels read again that were read meanwhile."""
        self._outdate_reads(stored.game)
        if known := self._cached_panel(stored.game, stored.reader):
            notified_at = max(known.notified_at, stored.notified_at)
            self._cache(replace(known, notified_at=notified_at, alert=stored.alert, aloud=stored.aloud))

    async def _read_stable(self, game: GameId, read: Callable[[], Awaitable[_Read]]) -> _Read:
        """Reads panels of a table, and reads them again if they change meanwhile; its lock must be held."""
        try:
            while True:
                self._outdated.discard(game)
                found = await read()
                if game not in self._outdated:
                    return found
        finally:
            self._outdated.discard(game)

    def _outdate_reads(self, game: GameId) -> None:
        """Notes that panels of a table have changed, so that a read that is under way is repeated."""
        if game in self._locks:
            self._outdated.add(game)

    def _fence(self, place: Place) -> int | None:
        """The fence of a chat's lease; None where no other process can take it."""
        return self._leases.fence(place) if self._store.shared else None

    def _cached_table(self, game: GameId, place: Place) -> _TablePanels | None:
        """The cached panels of a table, if any; drops what a former keeper of its chat may have changed."""
        table = self._tables.get(game)
        if table and self._store.shared and table.fence != self._leases.fence(place):
            self._tables.pop(game)
            for reader in table.records:
                # The other keeper may have posted the panel anew, so this process's message is not stored.
                self.late.pop(game, reader)
            return None
        if table and table.may_be_stale and not self.wait_to_post(place):
            # The former keeper may have stored a message or an alert since they were read.
            self._tables.pop(game)
            return None
        return table

    def _cached_panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        """The panel of a reader in the cache; None if it is not there."""
        return table.records.get(reader) if (table := self._tables.get(game)) else None

    def _cache(self, panel: PanelRecord) -> PanelRecord:
        """Replaces a panel in the cache, if it is there; returns it."""
        table = self._tables.get(panel.game)
        if table and panel.reader in table.records:
            table.records[panel.reader] = panel
        return panel
