"""Panel records in memory: read from the store table by table, written through, bounded in number."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakValueDictionary

from bot.errors import origin
from bot.model import GameId, PanelRecord, ReaderId
from bot.outbox.shown import Shown
from bot.ports import Clock, Page, Store, StoreError
from bot.recent import Recent

log = logging.getLogger(__name__)

FLUSH_AFTER = 2.0
"""Seconds after an edit of a message until it is stored, so that many edits make one write."""
TABLES_KEPT = 20_000
"""The most tables whose panels are kept in memory, about 2 kB each; others are read again when needed."""

Key = tuple[GameId, ReaderId]


@dataclass(slots=True)
class _Panels:
    """The panels of one table."""

    records: dict[ReaderId, PanelRecord]
    shown: dict[ReaderId, Shown] = field(default_factory=dict)
    """What each panel's message shows, if this process has sent it."""
    lost: dict[ReaderId, str] = field(default_factory=dict)
    """For each panel whose message was taken away and not yet replaced, the id of that message."""


class PanelRecords:
    """A cache of stored panels: their drafts, their messages, what these show, and whether they are dirty."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._tables: Recent[GameId, _Panels] = Recent(TABLES_KEPT)
        self._locks: WeakValueDictionary[GameId, asyncio.Lock] = WeakValueDictionary()
        """Held while a table's panels are loaded."""
        self._outdated: set[GameId] = set()
        """Tables that have changed while their panels were being loaded."""
        self._unflushed: dict[Key, PanelRecord] = {}
        """Panels that were sent, but are not yet stored as sent."""
        self._flushing: asyncio.Task[None] | None = None
        self._closed = False

    def __len__(self) -> int:
        return len(self._tables)

    async def load(self, game: GameId) -> Sequence[ReaderId]:
        """Loads the panels of a table unless they are cached; returns the readers of those found dirty."""
        if game in self._tables:
            return ()
        lock = self._locks.get(game)
        if lock is None:
            lock = self._locks[game] = asyncio.Lock()
        async with lock:
            if game in self._tables:
                return ()
            while True:
                self._outdated.discard(game)
                found = await self._store.panels(game)
                if game not in self._outdated:
                    break
            records = {panel.reader: self._merged(panel) for panel in found}
            self._tables.put(game, _Panels(records))
            return [reader for reader, panel in records.items() if panel.wanted != panel.sent]

    async def read(self, game: GameId, reader: ReaderId) -> PanelRecord:
        """The panel of a reader; stores a new one if there is none."""
        if known := await self.stored(game, reader):
            return known
        made = (await self._store.mark_dirty(PanelRecord(game, reader))).panel
        table = self._tables.get(game)
        return table.records.setdefault(reader, made) if table else made

    async def stored(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        """The panel of a reader; None if there is none."""
        await self.load(game)
        table = self._tables.get(game)
        if table and (known := table.records.get(reader)):
            return known
        if (found := await self._store.panel(game, reader)) is None:
            return None
        found = self._merged(found)
        return table.records.setdefault(reader, found) if table else found

    async def mark_dirty(self, panel: PanelRecord) -> PanelRecord:
        """Stores a panel's draft and its count of announcements, marks it dirty, and returns it."""
        if known := self._known(panel.game, panel.reader):
            # The cache changes first: another press may read the draft before it is stored.
            self._keep(replace(known, draft=panel.draft, announced=panel.announced))
        kept = (await self._store.mark_dirty(panel)).panel
        if (now := self._known(panel.game, panel.reader)) is None:
            return kept
        return self._keep(replace(now, wanted=max(kept.wanted, now.wanted)))

    def count_change(self, game: GameId) -> Sequence[ReaderId]:
        """Marks the cached panels of a changed table dirty, as the store has done; returns their readers."""
        if game in self._locks:
            self._outdated.add(game)
        if (table := self._tables.get(game)) is None:
            return ()
        for reader, panel in table.records.items():
            table.records[reader] = replace(panel, wanted=panel.wanted + 1)
        return tuple(table.records)

    async def mark_sent(self, panel: PanelRecord, message: str, told: int, page: Page, *, new: bool) -> None:
        """Records that a message shows a page of a panel, with news up to ``told``.

        A ``new`` message is stored at once, an edit a little later.
        """
        known = self._known(panel.game, panel.reader) or panel
        now = self._keep(replace(known, message=message, sent=panel.wanted, told=told))
        if table := self._tables.get(panel.game):
            table.shown[panel.reader] = Shown.of(page)
            table.lost.pop(panel.reader, None)
        if new:
            # A pending write would store the id of the previous message.
            self._unflushed[panel.game, panel.reader] = now
            await self.flush()
        elif panel.sent != panel.wanted:
            self._flush_later(now)

    def mark_undeliverable(self, panel: PanelRecord) -> None:
        """Marks a panel that cannot be delivered as sent."""
        known = self._known(panel.game, panel.reader) or panel
        now = self._keep(replace(known, sent=panel.wanted))
        if panel.sent != panel.wanted:
            self._flush_later(now)

    def drop(self, game: GameId, reader: ReaderId) -> None:
        """Marks a cached panel as sent that could not be sent often enough."""
        if known := self._known(game, reader):
            self.mark_undeliverable(known)

    def shown(self, game: GameId, reader: ReaderId) -> Shown | None:
        """What a panel's message shows; None if this process has not sent it or has forgotten it."""
        table = self._tables.get(game)
        return table.shown.get(reader) if table else None

    def forget_shown(self, game: GameId, reader: ReaderId) -> None:
        """Forgets what a panel's message shows, so that it is sent even if it has not changed."""
        if table := self._tables.get(game):
            table.shown.pop(reader, None)

    def lose_message(self, game: GameId, reader: ReaderId) -> None:
        """Forgets the id of a panel's message, which is deleted or in a chat that the table has left."""
        key = (game, reader)
        if unflushed := self._unflushed.get(key):
            self._unflushed[key] = replace(unflushed, message="")
        if (table := self._tables.get(game)) and (panel := table.records.get(reader)):
            if panel.message:
                table.lost[reader] = panel.message
            table.records[reader] = replace(panel, message="")

    def replaced(self, panel: PanelRecord) -> str:
        """The id of the message that a new one of a panel replaces; empty for its first message.

        It stays the same until the new message is stored, also in another process.
        """
        table = self._tables.get(panel.game)
        return panel.message or (table.lost.get(panel.reader, "") if table else "")

    def forget(self, game: GameId, reader: ReaderId) -> None:
        """Drops a panel from the cache; it stays in the store."""
        if table := self._tables.get(game):
            for kept in (table.records, table.shown, table.lost):
                kept.pop(reader, None)
            if not table.records:
                self._tables.pop(game)

    async def flush(self) -> None:
        """Stores which panels were sent; what the store cannot save is logged and saved later."""
        panels, self._unflushed = self._unflushed, {}
        verdicts = await asyncio.gather(*map(self._store.sent, panels.values()), return_exceptions=True)
        failed = [error for error in verdicts if isinstance(error, BaseException)]
        if not failed:
            return
        if not isinstance(failed[0], StoreError):
            raise failed[0]
        log.warning("the store could not save which panels were sent: %s", origin(failed[0]))
        for panel in panels.values():
            if (panel.game, panel.reader) not in self._unflushed:
                self._flush_later(panel)

    async def close(self) -> None:
        """Stores which panels were sent, and cancels the later write."""
        self._closed = True
        if self._flushing:
            self._flushing.cancel()
            await asyncio.gather(self._flushing, return_exceptions=True)
        await self.flush()

    def _known(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        """The cached panel; None if it is not cached."""
        table = self._tables.get(game)
        return table.records.get(reader) if table else None

    def _keep(self, panel: PanelRecord) -> PanelRecord:
        """Replaces a panel in the cache, unless it is not cached; returns it."""
        table = self._tables.get(panel.game)
        if table and panel.reader in table.records:
            table.records[panel.reader] = panel
        return panel

    def _merged(self, found: PanelRecord) -> PanelRecord:
        """A stored panel with what is not yet stored of it."""
        unflushed = self._unflushed.get((found.game, found.reader))
        if unflushed is None:
            return found
        return replace(found, message=unflushed.message, sent=unflushed.sent, told=unflushed.told)

    def _flush_later(self, panel: PanelRecord) -> None:
        # Many edits make one write; a crash before it costs one needless edit.
        self._unflushed[panel.game, panel.reader] = panel
        if self._flushing is None and not self._closed:
            self._flushing = asyncio.create_task(self._flush_soon())

    async def _flush_soon(self) -> None:
        await self._clock.sleep(FLUSH_AFTER)
        self._flushing = None
        await self.flush()
