"""The panels of tables in memory, with what their messages show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model.ids import PUBLIC, GameId, ReaderId
from bot.model.panels import Draft, PanelKey, PanelRecord
from bot.outbox.records.shown import Shown
from bot.recent import Recent
from engines.values import replace

TABLES_KEPT = 20_000
"""The most tables whose panels are kept in memory, about 2 kB each; others are read again when needed."""


@dataclass(slots=True)
class CachedTable:
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

    def mark_all_dirty(self) -> None:
        """Marks all panels dirty."""
        for reader, panel in self.records.items():
            self.records[reader] = replace(panel, wanted=panel.wanted + 1)


class PanelCache:
    """Panels in memory, what their messages show, and which messages they have lost; reads no store."""

    def __init__(self) -> None:
        self._tables: Recent[GameId, CachedTable] = Recent(TABLES_KEPT)
        self._lost: Recent[PanelKey, str] = Recent(TABLES_KEPT)
        """The message that a panel lost and its next one replaces; kept even if its table is not cached."""

    def __len__(self) -> int:
        """The number of tables."""
        return len(self._tables)

    def __contains__(self, game: GameId) -> bool:
        return game in self._tables

    def table(self, game: GameId) -> CachedTable | None:
        """The panels of a table; None if they are not cached."""
        return self._tables.get(game)

    def put(self, game: GameId, table: CachedTable) -> None:
        """Caches the panels of a table."""
        self._tables.put(game, table)

    def panels(self, game: GameId) -> Sequence[PanelRecord]:
        """The cached panels of a table."""
        return tuple(table.records.values()) if (table := self._tables.get(game)) else ()

    def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        """The panel of a reader; None if it is not cached."""
        return table.records.get(reader) if (table := self._tables.get(game)) else None

    def draft(self, game: GameId, reader: ReaderId) -> Draft | None:
        """The draft of a panel; None if it is not cached."""
        return panel.draft if (panel := self.panel(game, reader)) else None

    def is_watched(self, game: GameId, reader: ReaderId) -> bool:
        """Whether a reader watches the table on a cached panel; False if it is not cached."""
        panel = self.panel(game, reader)
        return panel is not None and panel.is_watched

    def update(self, panel: PanelRecord) -> PanelRecord:
        """Replaces a panel, if it is cached; returns the given one."""
        table = self._tables.get(panel.game)
        if table and panel.reader in table.records:
            table.records[panel.reader] = panel
        return panel

    def shown(self, game: GameId, reader: ReaderId) -> Shown | None:
        """The content of a panel's message; None if this process has not sent it or has forgotten it."""
        return table.shown.get(reader) if (table := self._tables.get(game)) else None

    def note_shown(self, panel: PanelRecord, shown: Shown) -> None:
        """Notes what a panel's message shows; the panel's next message replaces this one, no lost one."""
        if table := self._tables.get(panel.game):
            table.shown[panel.reader] = shown
        self._lost.pop((panel.game, panel.reader))

    def forget_shown(self, game: GameId, reader: ReaderId) -> None:
        """Forgets what a panel's message shows, so that it is sent even if it has not changed."""
        if table := self._tables.get(game):
            table.shown.pop(reader, None)

    def lose_message(self, panel: PanelRecord) -> PanelRecord:
        """Forgets the id of a panel's message, which a new one is to replace; returns the panel without it.

        The store keeps the id until a new message is stored.
        """
        known = self.panel(panel.game, panel.reader) or panel
        if message := known.message or panel.message:
            self._lost.put((panel.game, panel.reader), message)
        self.update(replace(known, message=""))
        return replace(panel, message="")

    def replaced(self, panel: PanelRecord) -> str:
        """The id of the message that a new one of a panel replaces; empty if it replaces none.

        It stays the same until the new message is stored, also in another process.
        """
        key = panel.game, panel.reader
        known = self.panel(*key)
        return panel.message or (known.message if known else "") or self._lost.get(key) or ""

    def leave_chat(self, game: GameId) -> None:
        """Forgets a table's public message and the alerts in its chat, as `SentRecords.leave_chat` does."""
        self.forget_shown(game, PUBLIC)
        self._lost.pop((game, PUBLIC))
        if public := self.panel(game, PUBLIC):
            self.update(replace(public, message=""))
        for panel in self.panels(game):
            if panel.aloud:
                self.update(replace(panel, alert="", aloud=False))

    def forget(self, game: GameId, reader: ReaderId) -> None:
        """Drops a panel from memory; it stays in the store."""
        self._lost.pop((game, reader))
        if table := self._tables.get(game):
            for by_reader in (table.records, table.shown):
                by_reader.pop(reader, None)
            if not table.records:
                self._tables.pop(game)

    def forget_reader(self, reader: ReaderId) -> None:
        """Drops all that is in memory about a reader."""
        for game in list(self._tables):
            self.forget(game, reader)
        for key in [key for key in self._lost if key[1] == reader]:
            self._lost.pop(key)

    def forget_table(self, game: GameId) -> Sequence[ReaderId]:
        """Drops the panels of a table, so that they are read again; returns their readers."""
        table = self._tables.pop(game)
        return tuple(table.records) if table else ()
