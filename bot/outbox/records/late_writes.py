"""Late writes: edits of panels, which are stored together, and what the store could not save at first."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from bot.errors import origin
from bot.model.ids import GameId, PersonId, ReaderId
from bot.model.panels import PanelKey, PanelRecord
from bot.ports import Clock
from bot.recent import Recent
from bot.seldom_log import SeldomLog
from bot.storage import Store
from bot.table_service.leases import Leases
from engines.values import Value, replace

log = logging.getLogger(__name__)

FLUSH_AFTER = 2.0
"""Seconds after an edit of a message until it is stored, so that many edits make one write."""
_MOST_STRAYS = 1000
"""The most alerts that are remembered until they can be deleted."""


class _Unflushed(Value):
    """A panel that was sent, or cannot be delivered, but is not yet stored as sent."""

    panel: PanelRecord
    free_at: float | None
    """The time until which nothing may be sent to the chat; None leaves the stored one."""
    replaces: str | None = None
    """The stored message that a new one replaces; None if there is no new one."""


class LateWrites:
    """The panels and turn alerts that this process has sent, and has not stored yet."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        leases: Leases,
        learn_message: Callable[[PanelRecord], object],
        learn_alert: Callable[[PanelRecord], object],
    ) -> None:
        self._store = store
        self._clock = clock
        self._leases = leases
        self._learn_message = learn_message
        """Called with the stored panel, if its message is not the one that was written."""
        self._learn_alert = learn_alert
        """Called with the stored panel, if its alert is not the one that was written."""
        self._unflushed: dict[PanelKey, _Unflushed] = {}
        self._unsaved_alerts: dict[PanelKey, tuple[PanelRecord, str]] = {}
        """The panels whose last turn alert is not yet stored, and the alert that it replaced."""
        self._strays: Recent[PanelKey, PanelRecord] = Recent(_MOST_STRAYS)
        """The panels whose sent alert was not stored, since another process had stored one."""
        self._flushing: asyncio.Task[None] | None = None
        """Waits to flush; None while nothing waits, also during a flush."""
        self._writing = asyncio.Lock()
        """Held during a flush, so that no older write of a panel can come after a newer one."""
        self._closed = False
        self._log = SeldomLog(clock, log, logging.WARNING)

    def merged(self, found: PanelRecord) -> PanelRecord:
        """A stored panel with the message that is not stored yet."""
        unflushed = self._unflushed.get((found.game, found.reader))
        if unflushed is None:
            return found
        sent = unflushed.panel
        notified_at = max(found.notified_at, sent.notified_at)
        return replace(found, message=sent.message, sent=sent.sent, told=sent.told, notified_at=notified_at)

    def put(self, panel: PanelRecord, free_at: float | None, replaces: str | None = None) -> None:
        """Stores a little later that a panel was sent; a new message ``replaces`` the stored one."""
        # Many edits make one write; a crash before the write costs one needless edit.
        key = (panel.game, panel.reader)
        if pending := self._unflushed.get(key):
            replaces = pending.replaces if pending.replaces is not None else replaces
            free_at = pending.free_at if free_at is None else free_at
        self._unflushed[key] = _Unflushed(panel, free_at, replaces)
        self._flush_soon_once()

    def pop(self, game: GameId, reader: ReaderId) -> str | None:
        """Drops the pending write of a panel; returns the message that it would have replaced in the store.

        None if there was no pending write, or if it was not that of a new message.
        """
        pending = self._unflushed.pop((game, reader), None)
        return pending.replaces if pending else None

    def leave_message(self, game: GameId, reader: ReaderId) -> None:
        """Takes the message out of a panel's pending write: it stays in a chat that the table has left."""
        if unflushed := self._unflushed.get((game, reader)):
            panel = replace(unflushed.panel, message="")
            self._unflushed[game, reader] = replace(unflushed, panel=panel)
            # A flush under way may be writing the message just now.
            self._flush_soon_once()

    def put_alert(self, panel: PanelRecord, replaces: str) -> None:
        """Stores the turn alert of a panel later, with the alert that it replaced."""
        self._unsaved_alerts[panel.game, panel.reader] = (panel, replaces)
        self._flush_soon_once()

    def pop_alert(self, panel: PanelRecord) -> str | None:
        """Drops the pending write of a panel's turn alert, since a newer one follows.

        Returns the alert that it would have replaced in the store; None if there was no pending write.
        """
        pending = self._unsaved_alerts.pop((panel.game, panel.reader), None)
        return pending[1] if pending else None

    def forget(self, person: PersonId) -> None:
        """Drops all that is still to be written or deleted for a person whom the store has forgotten."""
        for waiting in (self._unflushed, self._unsaved_alerts):
            for key in [key for key in waiting if key[1] == person]:
                del waiting[key]
        self._strays.remove(lambda stray: stray.reader == person)

    async def flush(self) -> None:
        """Stores which panels and turn alerts were sent; a write that fails is tried again later."""
        async with self._writing:
            await self._flush_alerts()
            await asyncio.gather(*map(self._flush_panel, list(self._unflushed)))

    def strays(self, game: GameId) -> Sequence[PanelRecord]:
        """The panels of a table with alerts that the store did not keep, and that are still to be deleted."""
        if not self._strays:
            return ()
        found = [self._strays.get(key) for key in list(self._strays) if key[0] == game]
        return [stray for stray in found if stray]

    def stray(self, game: GameId, reader: ReaderId) -> str:
        """A panel's alert that the store did not keep, to be deleted; empty if there is none."""
        stray = self._strays.get((game, reader))
        return stray.alert if stray else ""

    def drop_stray(self, game: GameId, reader: ReaderId, alert: str) -> None:
        """Forgets a panel's alert that the store did not keep, once it is deleted."""
        if self.stray(game, reader) == alert:
            self._strays.pop((game, reader))

    async def close(self) -> None:
        """Stores what is not stored yet, after a flush under way; what then fails is tried no more."""
        self._closed = True
        if self._flushing:
            self._flushing.cancel()
            await asyncio.gather(self._flushing, return_exceptions=True)
        await self.flush()

    async def _flush_panel(self, key: PanelKey) -> None:
        """Stores that a panel was sent; tries again later if that fails."""
        # `pop` may have dropped the write since `flush` listed it, for a newer message or another process's:
        # this write would undo theirs.
        if (unflushed := self._unflushed.get(key)) is None:
            return
        panel, keeper = unflushed.panel, self._leases.checked_keeper
        try:
            stored = await self._store.sent(
                panel,
                keeper=keeper,
                replaces=unflushed.replaces if keeper else None,
                free_at=unflushed.free_at,
            )
        except Exception as error:
            self._log_failure(error)
            self._flush_soon_once()
            return
        if self._unflushed.get(key) is unflushed:
            del self._unflushed[key]
            if stored.message != panel.message:
                self._learn_message(stored)

    async def _flush_alerts(self) -> None:
        """Stores the turn alerts that could not be stored at first; tries again later if that fails."""
        for key, unsaved in list(self._unsaved_alerts.items()):
            if self._unsaved_alerts.get(key) is not unsaved:
                continue
            panel, replaces = unsaved
            try:
                stored = await self._store.save_alert(panel, replaces=replaces)
            except Exception as error:
                self._log_failure(error)
                self._flush_soon_once()
                continue
            if self._unsaved_alerts.get(key) is unsaved:
                del self._unsaved_alerts[key]
            self._follow_store(panel, stored)

    def _log_failure(self, error: BaseException) -> None:
        self._log.log(f"the store could not save which panels were sent: {origin(error)}")

    def _follow_store(self, written: PanelRecord, stored: PanelRecord) -> None:
        """If the store has another alert than the written one, caches it and has the written one deleted."""
        if stored.alert == written.alert:
            return
        if written.alert:
            self._strays.put((written.game, written.reader), written)
        self._learn_alert(stored)

    def _flush_soon_once(self) -> None:
        if self._flushing is None and not self._closed:
            self._flushing = asyncio.create_task(self._flush_soon())

    async def _flush_soon(self) -> None:
        await self._clock.sleep(FLUSH_AFTER)
        self._flushing = None
        await self.flush()
