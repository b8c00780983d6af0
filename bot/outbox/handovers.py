"""Handovers: chats taken from living processes, whose last edits may still be on their way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.errors import origin
from bot.model.leases import ChatKey
from bot.model.panels import PanelKey, PanelRecord
from bot.model.places import Place
from bot.ports import Clock
from bot.storage import StoreError
from bot.tables.table import Table

log = logging.getLogger(__name__)

SETTLED = 3.0
"""Seconds after a chat was taken from a living process until its last edits have arrived or failed."""
POST_STORED = 1.0
"""Seconds after a chat was taken until the store has the message that the former keeper was posting."""

ShowAgain = Callable[[Table, PanelRecord], Awaitable[int]]
"""Shows a panel once more, unless another process keeps the chat and the panel has changed since.

Returns the panel's ``wanted`` after that.
"""


@dataclass(slots=True)
class _Handover:
    """A chat that was taken less than `SETTLED` seconds ago, or has panels that are to be shown again."""

    taken: float
    """When it was taken last, in seconds since 1970."""
    waiting: dict[PanelKey, tuple[float, Table, PanelRecord]] = field(default_factory=dict)
    """The panels to show again: when each is due, and its table and record as they were shown."""
    repeated: dict[PanelKey, int] = field(default_factory=dict)
    """The ``wanted`` of each panel that was shown again; that version is not shown a third time."""
    task: asyncio.Task[None] | None = None


class Handovers:
    """Shows panels again after a handover, since the former keeper's last edit may have overwritten them."""

    def __init__(self, clock: Clock, show_again: ShowAgain) -> None:
        """``show_again`` is called with each panel to show once more, also in a chat that was lost since."""
        self._clock = clock
        self._show_again = show_again
        self._chats: dict[ChatKey, _Handover] = {}

    def begin(self, chat: ChatKey) -> None:
        """Begins or prolongs the handover of a chat that has been taken from a living process."""
        now = self._clock.now()
        if (handover := self._chats.get(chat)) is None:
            handover = self._chats[chat] = _Handover(now)
            handover.task = asyncio.create_task(self._settle(chat, handover))
        handover.taken = now

    def note(self, table: Table, panel: PanelRecord) -> None:
        """Notes that a panel was shown during a handover, so that it is shown again a little later, once."""
        key = (panel.game, panel.reader)
        handover = self._chats.get((table.place.platform, table.place.chat))
        if handover and handover.repeated.get(key) != panel.wanted:
            handover.waiting[key] = (handover.taken + SETTLED, table, panel)

    def wait_to_post(self, place: Place) -> float:
        """The seconds until it is known whether the former keeper has posted a panel that has no message."""
        handover = self._chats.get((place.platform, place.chat))
        return max(0.0, handover.taken + POST_STORED - self._clock.now()) if handover else 0.0

    async def close(self) -> None:
        """Ends all handovers."""
        tasks = [handover.task for handover in self._chats.values() if handover.task]
        for task in tasks:
            task.cancel()
        self._chats.clear()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _settle(self, chat: ChatKey, handover: _Handover) -> None:
        """Shows the noted panels again when they are due, and ends the handover after the last."""
        while (now := self._clock.now()) < handover.taken + SETTLED or handover.waiting:
            due = [key for key, (time, *_) in handover.waiting.items() if time <= now]
            for key in due:
                _, table, panel = handover.waiting.pop(key)
                # If this fails, the next change of the table shows the panel.
                try:
                    handover.repeated[key] = await self._show_again(table, panel)
                except StoreError:
                    # The store itself logs why it fails, once.
                    continue
                except Exception as error:
                    log.warning("table %s: a panel was not shown again: %s", table.id, origin(error))
            if not due:
                times = [time for time, *_ in handover.waiting.values()] or [handover.taken + SETTLED]
                await self._clock.sleep(min(max(0.0, min(times) - now), SETTLED))
        del self._chats[chat]
