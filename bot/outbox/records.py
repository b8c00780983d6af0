"""Panel records in memory: read from the store once, written through, forgotten when their table is over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from bot.errors import origin
from bot.model import GameId, PanelRecord, ReaderId
from bot.ports import Clock, Store, StoreError

log = logging.getLogger(__name__)

_FLUSH_AFTER = 2.0
"""Seconds after an edit of a message until it is stored, so that many edits make one write."""

Key = tuple[GameId, ReaderId]


class PanelRecords:
    """A cache of stored panels: their drafts, their messages, and whether they are dirty."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._panels: dict[Key, PanelRecord] = {}
        self._readers: dict[GameId, set[ReaderId]] = {}
        """The readers of the cached panels of each table."""
        self._unflushed: dict[Key, PanelRecord] = {}
        """Panels that were sent, but are not yet stored as sent."""
        self._flushing: asyncio.Task[None] | None = None

    async def read(self, game: GameId, reader: ReaderId) -> PanelRecord:
        """The panel of a reader; stores a new one if there is none."""
        key = (game, reader)
        if (known := self._panels.get(key)) is not None:
            return known
        found = await self._store.panel(game, reader)
        if found is None:
            found = (await self._store.mark_dirty(PanelRecord(game, reader))).panel
        self._readers.setdefault(game, set()).add(reader)
        return self._panels.setdefault(key, found)

    async def mark_dirty(self, panel: PanelRecord) -> PanelRecord:
        """Stores a panel's draft and its count of announcements, marks it dirty, and returns it."""
        key = (panel.game, panel.reader)
        if known := self._panels.get(key):
            # The cache changes first: another press may read the draft before it is stored.
            self._panels[key] = replace(known, draft=panel.draft, announced=panel.announced)
        kept = (await self._store.mark_dirty(panel)).panel
        if (now := self._panels.get(key)) is None:
            return kept
        self._panels[key] = replace(now, wanted=max(kept.wanted, now.wanted))
        return self._panels[key]

    def count_change(self, game: GameId) -> Sequence[ReaderId]:
        """Marks the cached panels of a changed table dirty, as the store has done; returns their readers."""
        readers = tuple(self._readers.get(game, ()))
        for reader in readers:
            panel = self._panels[game, reader]
            self._panels[game, reader] = replace(panel, wanted=panel.wanted + 1)
        return readers

    async def mark_sent(self, panel: PanelRecord, message: str, told: int, *, new: bool) -> None:
        """Records that a message shows a panel, with news up to ``told``.

        A ``new`` message is stored at once, an edit a little later.
        """
        key = (panel.game, panel.reader)
        now = replace(self._panels.get(key, panel), message=message, sent=panel.wanted, told=told)
        self._panels[key] = now
        if new:
            # A pending write would store the id of the previous message.
            self._unflushed.pop(key, None)
            await self._store.sent(now)
        elif panel.sent != panel.wanted:
            self._flush_later(now)

    def mark_undeliverable(self, panel: PanelRecord) -> None:
        """Marks a panel that cannot be delivered as sent."""
        key = (panel.game, panel.reader)
        now = replace(self._panels.get(key, panel), sent=panel.wanted)
        if key in self._panels:
            self._panels[key] = now
        if panel.sent != panel.wanted:
            self._flush_later(now)

    def lose_message(self, game: GameId, reader: ReaderId) -> None:
        """Forgets the id of a panel's message, which is deleted or in a chat that the table has left."""
        key = (game, reader)
        if unflushed := self._unflushed.get(key):
            self._unflushed[key] = replace(unflushed, message="")
        if panel := self._panels.get(key):
            self._panels[key] = replace(panel, message="")

    async def stored(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        """The cached or stored panel, which is not added to the cache; None if there is none."""
        return self._panels.get((game, reader)) or await self._store.panel(game, reader)

    def forget(self, game: GameId, reader: ReaderId) -> None:
        """Drops a panel from the cache; it stays in the store."""
        self._panels.pop((game, reader), None)
        readers = self._readers.get(game, set())
        readers.discard(reader)
        if not readers:
            self._readers.pop(game, None)

    async def flush(self) -> None:
        """Stores which panels were sent; an error of the store is only logged."""
        panels, self._unflushed = list(self._unflushed.values()), {}
        try:
            await asyncio.gather(*map(self._store.sent, panels))
        except StoreError as error:
            log.warning("the store could not save which panels were sent: %s", origin(error))

    async def close(self) -> None:
        """Stores which panels were sent, and cancels the later write."""
        if self._flushing:
            self._flushing.cancel()
            await asyncio.gather(self._flushing, return_exceptions=True)
        await self.flush()

    def _flush_later(self, panel: PanelRecord) -> None:
        # Many edits make one write; a crash before it costs one needless edit.
        self._unflushed[panel.game, panel.reader] = panel
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_soon())

    async def _flush_soon(self) -> None:
        await self._clock.sleep(_FLUSH_AFTER)
        self._flushing = None
        await self.flush()
