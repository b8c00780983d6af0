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

_NOTED_AFTER = 2.0
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
        self._unnoted: dict[Key, PanelRecord] = {}
        """Panels that were sent, but are not yet stored as sent."""
        self._noting: asyncio.Task[None] | None = None

    async def read(self, game: GameId, reader: ReaderId) -> PanelRecord:
        """The panel of a reader; stores a new one if there is none."""
        key = (game, reader)
        if (known := self._panels.get(key)) is not None:
            return known
        found = await self._store.panel(game, reader)
        if found is None:
            found = await self._store.want(PanelRecord(game, reader))
        self._readers.setdefault(game, set()).add(reader)
        return self._panels.setdefault(key, found)

    async def want(self, panel: PanelRecord) -> PanelRecord:
        """Stores a panel's draft and its count of announcements, marks it dirty, and returns it."""
        key = (panel.game, panel.reader)
        if known := self._panels.get(key):
            # The cache changes first: another press may read the draft before it is stored.
            self._panels[key] = replace(known, draft=panel.draft, announced=panel.announced)
        kept = await self._store.want(panel)
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

    async def mark_sent(self, panel: PanelRecord, message: str) -> None:
        """Records that a message shows a panel; a new message is stored at once, an edit a little later."""
        key = (panel.game, panel.reader)
        now = replace(self._panels.get(key, panel), message=message, sent=panel.wanted)
        self._panels[key] = now
        if message != panel.message:
            # A pending write would store the id of the previous message.
            self._unnoted.pop(key, None)
            await self._store.sent(now)
        elif panel.sent != panel.wanted:
            self._note_later(now)

    def mark_undeliverable(self, panel: PanelRecord) -> None:
        """Marks a panel that cannot be delivered as sent."""
        key = (panel.game, panel.reader)
        now = replace(self._panels.get(key, panel), sent=panel.wanted)
        if key in self._panels:
            self._panels[key] = now
        if panel.sent != panel.wanted:
            self._note_later(now)

    def lose_message(self, game: GameId, reader: ReaderId) -> None:
        """Forgets the id of a panel's message, which is deleted or in a chat that the table has left."""
        key = (game, reader)
        if note := self._unnoted.get(key):
            self._unnoted[key] = replace(note, message="")
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

    async def note(self) -> None:
        """Stores which panels were sent; an error of the store is only logged."""
        panels, self._unnoted = list(self._unnoted.values()), {}
        try:
            await asyncio.gather(*map(self._store.sent, panels))
        except StoreError as error:
            log.warning("what was sent could not be noted: %s", origin(error))

    async def close(self) -> None:
        """Stores which panels were sent, and cancels the later write."""
        if self._noting:
            self._noting.cancel()
            await asyncio.gather(self._noting, return_exceptions=True)
        await self.note()

    def _note_later(self, panel: PanelRecord) -> None:
        # Many edits make one write; a crash before it costs one needless edit.
        self._unnoted[panel.game, panel.reader] = panel
        if self._noting is None:
            self._noting = asyncio.create_task(self._note_soon())

    async def _note_soon(self) -> None:
        await self._clock.sleep(_NOTED_AFTER)
        self._noting = None
        await self.note()
