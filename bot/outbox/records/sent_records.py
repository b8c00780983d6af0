"""Records what was sent: the messages of panels and the turn alerts, stored at once or a little later."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from bot.errors import origin
from bot.model.ids import PUBLIC, GameId, ReaderId
from bot.model.panels import PanelRecord
from bot.outbox.records.cache import PanelCache
from bot.outbox.records.late_writes import LateWrites
from bot.outbox.records.shown import Shown
from bot.outbox.records.stable_reads import StableReads
from bot.ports import Clock
from bot.storage import Store, StoreError
from bot.table_service.leases import Leases
from engines.values import replace

log = logging.getLogger(__name__)


class SentRecords:
    """Records which panels are sent or cannot be, with their messages and alerts, in memory and the store."""

    def __init__(
        self, store: Store, clock: Clock, leases: Leases, cache: PanelCache, reads: StableReads
    ) -> None:
        self._store = store
        self._leases = leases
        self._cache = cache
        self._reads = reads
        self._staying_dirty = Counter[ReaderId]()
        """The readers whose panels stay dirty even when sent, with the number of `left_dirty` blocks."""
        self.late = LateWrites(
            store,
            clock,
            leases,
            lambda stored: cache.forget_table(stored.game),
            self._learn_alert,
        )

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

    async def record_message(
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
        known = self._cache.panel(panel.game, panel.reader) or panel
        notified_at = max(known.notified_at, notified_at)
        marked = self._cache.update(
            replace(
                known, message=message, sent=self._sent_version(panel), told=told, notified_at=notified_at
            )
        )
        self._cache.note_shown(panel, shown)
        if replaces is not None:
            return await self._store_new(marked, free_at, replaces)
        if panel.sent != panel.wanted:
            self.late.put(marked, free_at)
            if free_at is not None and self._store.shared:
                await self.late.flush()
        return message

    async def record_alert(self, panel: PanelRecord, alert: str, at: float, *, aloud: bool = False) -> str:
        """Records the turn alert sent to a reader at a time; empty if it was deleted or could not be sent.

        Returns the panel's alert, which is another one if another process has sent one meanwhile. If the
        store fails, the alert is saved later.
        """
        known = self._cache.panel(panel.game, panel.reader) or panel
        notified_at = max(known.notified_at, at)
        alerted = self._cache.update(
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
        known = self._cache.panel(panel.game, panel.reader) or panel
        marked = self._cache.update(replace(known, sent=self._sent_version(panel)))
        if panel.sent != panel.wanted:
            # The id of a lost message is stored too: the name of the next one (see `once`) follows from it,
            # also after a restart.
            self.late.put(replace(marked, message=self._cache.replaced(marked)), None)

    def give_up(self, game: GameId, reader: ReaderId) -> None:
        """Marks a cached panel, whose sending has failed too often, as sent."""
        if known := self._cache.panel(game, reader):
            self.mark_undeliverable(known)

    def leave_chat(self, game: GameId) -> None:
        """Forgets a table's public message and the alerts that name players in its chat.

        They stay behind in a chat that the table has left; no new message replaces them.
        """
        self.late.leave_message(game, PUBLIC)
        self._cache.leave_chat(game)

    async def _store_new(self, panel: PanelRecord, free_at: float | None, replaces: str) -> str:
        """Stores a new message, later if the store fails; returns the message that the panel then has."""
        # A pending write would store the id of the previous message; if that was new, the store lacks it.
        unstored = self.late.pop(panel.game, panel.reader)
        replaces = replaces if unstored is None else unstored
        try:
            # Where no other process can have posted the panel, nothing is compared.
            stored = await self._store.sent(
                panel,
                keeper=self._leases.checked_keeper,
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
            self._cache.forget_table(panel.game)
        return stored.message

    def _sent_version(self, panel: PanelRecord) -> int:
        """The ``sent`` of a panel once it is sent: as it was if the panel is left dirty, else ``wanted``."""
        return panel.sent if panel.reader in self._staying_dirty else panel.wanted

    def _learn_message(self, panel: PanelRecord) -> None:
        """Caches a new message, and has panels read again that were read while it was being stored."""
        self._reads.outdate(panel.game)
        if known := self._cache.panel(panel.game, panel.reader):
            self._cache.update(replace(known, message=panel.message, sent=panel.sent, told=panel.told))

    def _learn_alert(self, stored: PanelRecord) -> None:
        """Caches the stored turn alert of a panel, and has panels read again that were read meanwhile."""
        self._reads.outdate(stored.game)
        if known := self._cache.panel(stored.game, stored.reader):
            notified_at = max(known.notified_at, stored.notified_at)
            self._cache.update(
                replace(known, notified_at=notified_at, alert=stored.alert, aloud=stored.aloud)
            )
