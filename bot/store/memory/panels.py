"""The panels of the store in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bot.model.batches import Batch
from bot.model.ids import GameId, PersonId, ReaderId
from bot.model.panels import Marked, PanelRecord
from bot.store.common import may_store_sent, new_readers
from engines.values import replace


class MemoryPanels:
    """The panels of each table by reader, and which of them are dirty."""

    def __init__(self) -> None:
        self._panels: defaultdict[GameId, dict[ReaderId, PanelRecord]] = defaultdict(dict)
        self._dirty: set[tuple[GameId, ReaderId]] = set()

    def of_table(self, game: GameId) -> Sequence[PanelRecord]:
        """The panels of a table, by reader."""
        return [panel for _, panel in sorted(self._panels.get(game, {}).items())]

    def get(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        """The panel of a reader; None if there is none."""
        return self._panels.get(game, {}).get(reader)

    def dirty(self) -> Sequence[PanelRecord]:
        """The dirty panels of all tables, by table and reader."""
        return [self._panels[game][reader] for game, reader in sorted(self._dirty)]

    def mark_all_dirty(self, batch: Batch) -> None:
        """Marks the panels of a changed table dirty, and adds those of its new readers."""
        game = batch.listing.game
        for panel in list(self._panels[game].values()):
            self.put(replace(panel, wanted=panel.wanted + 1))
        for reader in new_readers(batch):
            if reader not in self._panels[game]:
                self.put(PanelRecord(game, reader, wanted=1))

    def mark_dirty(self, panel: PanelRecord, expected: int | None) -> Marked:
        """Stores a panel's draft, count of announcements and watch, and marks the panel dirty.

        With ``expected``, does nothing unless that is the ``wanted`` of the stored panel.
        """
        stored = self.get(panel.game, panel.reader) or PanelRecord(panel.game, panel.reader)
        if expected not in (None, stored.wanted):
            return Marked(stored, taken=False)
        return Marked(self.put(stored.marked(panel, stored.wanted + 1)))

    def sent(self, panel: PanelRecord, replaces: str | None, *, compares: bool, holds: bool) -> PanelRecord:
        """Stores a panel's message and what it shows, if `may_store_sent`; returns the panel as stored then.

        A panel that is not stored is created as given, but not by an edit: it was deleted, since its reader
        was forgotten.
        """
        stored = self.get(panel.game, panel.reader)
        if stored is None and replaces is None:
            return panel
        if stored and not may_store_sent(stored, panel, replaces, compares=compares, holds=holds):
            return stored
        notified_at = max(stored.notified_at, panel.notified_at) if stored else panel.notified_at
        return self.put(
            replace(
                stored or panel,
                message=panel.message,
                sent=panel.sent,
                told=panel.told,
                notified_at=notified_at,
            )
        )

    def save_alert(self, panel: PanelRecord, replaces: str) -> PanelRecord:
        """Stores a panel's alert if it ``replaces`` the one that is stored; returns the panel as stored then.

        A panel that is not stored is returned with the alert ``replaces``: the sender then deletes its own.
        """
        stored = self.get(panel.game, panel.reader)
        if stored is None or stored.alert != replaces:
            return stored or replace(panel, alert=replaces)
        return self.put(
            replace(
                stored,
                notified_at=max(stored.notified_at, panel.notified_at),
                alert=panel.alert,
                aloud=panel.aloud,
            )
        )

    def put(self, panel: PanelRecord) -> PanelRecord:
        """Replaces a panel, and notes whether it is dirty; returns it."""
        self._panels[panel.game][panel.reader] = panel
        if panel.wanted != panel.sent:
            self._dirty.add((panel.game, panel.reader))
        else:
            self._dirty.discard((panel.game, panel.reader))
        return panel

    def delete(self, game: GameId, reader: ReaderId) -> None:
        """Deletes the panel of a reader at a table."""
        self._panels[game].pop(reader, None)
        self._dirty.discard((game, reader))

    def delete_all_of(self, person: PersonId) -> None:
        """Deletes the panels of a person at all tables."""
        for game in self._panels:
            self.delete(game, person)
