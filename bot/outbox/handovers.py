"""Handovers: chats taken from living processes, whose last edits may still be on their way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.model.ids import ReaderId
from bot.model.leases import ChatKey
from bot.model.places import Place
from bot.ports import Clock
from bot.tables.table import Table

SETTLED = 3.0
"""Seconds after a chat was taken from a living process until its last edits have arrived or failed."""
NOTED = 1.0
"""Seconds after which the store has the message that the former keeper was posting."""


@dataclass(slots=True)
class _Handover:
    """A chat that was taken less than `SETTLED` seconds ago."""

    taken: float
    """When it was taken last, in seconds since 1970."""
    shown: dict[tuple[str, ReaderId], Table] = field(default_factory=dict)
    """The panels shown since then, by table and reader."""
    task: asyncio.Task[None] | None = None


class Handovers:
    """Shows panels again after a handover, since the former keeper's last edit may have arrived later."""

    def __init__(self, clock: Clock, show_again: Callable[[Table, ReaderId], None]) -> None:
        """``show_again`` is called with each panel to show once more."""
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

    def note(self, table: Table, reader: ReaderId) -> None:
        """Notes that a panel was shown, so that it is shown again at the end of a handover."""
        if handover := self._chats.get((table.place.platform, table.place.chat)):
            handover.shown[table.id, reader] = table

    def wait_to_post(self, place: Place) -> float:
        """The seconds until it is known whether the former keeper has posted a panel that has no message."""
        handover = self._chats.get((place.platform, place.chat))
        return max(0.0, handover.taken + NOTED - self._clock.now()) if handover else 0.0

    def end(self, chat: ChatKey) -> None:
        """Ends the handover of a chat that another process has taken."""
        if (handover := self._chats.pop(chat, None)) and handover.task:
            handover.task.cancel()

    async def close(self) -> None:
        """Ends all handovers."""
        tasks = [handover.task for handover in self._chats.values() if handover.task]
        for chat in list(self._chats):
            self.end(chat)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _settle(self, chat: ChatKey, handover: _Handover) -> None:
        while (wait := handover.taken + SETTLED - self._clock.now()) > 0:
            await self._clock.sleep(min(wait, SETTLED))
        del self._chats[chat]
        for (_, reader), table in handover.shown.items():
            self._show_again(table, reader)
