"""The tables in memory: those in use whole, those at rest small, both bounded by their estimated size."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from bot.model import GameId
from bot.tables.table import Table

IN_USE = 256
"""The most tables that keep what they could compute again, such as views; the others are at rest."""
MEMORY = 200_000_000
"""Bytes that tables at rest may take; beyond them the least recently used tables are dropped."""

_EMPTY = 1_000
"""About the bytes of a slot whose table is still being loaded, or does not exist."""


@dataclass(slots=True, weakref_slot=True)
class Slot:
    """A table in memory, and the lock for its changes."""

    table: Table | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    change: asyncio.Event | None = None
    """Set when the table changes; None while no task waits for that."""

    def update(self, table: Table) -> None:
        """Replaces the table, and wakes the tasks that wait for a change."""
        self.table = table.shortened()
        if self.change:
            self.change.set()
            self.change = None

    async def changed(self) -> None:
        """Waits for the next change of the table."""
        if self.change is None:
            self.change = asyncio.Event()
        await self.change.wait()


class TableCache:
    """The slots of tables: each while a task holds it, and beyond that those used most recently."""

    def __init__(self, in_use: int = IN_USE, memory: int = MEMORY) -> None:
        self._bounds = in_use, memory
        self._slots: WeakValueDictionary[GameId, Slot] = WeakValueDictionary()
        self._in_use: OrderedDict[GameId, Slot] = OrderedDict()
        self._at_rest: OrderedDict[GameId, tuple[Slot, int]] = OrderedDict()
        """Slots of tables at rest, with the estimated sizes of the tables."""
        self._size = 0
        """The sum of the sizes of the tables at rest."""

    def __len__(self) -> int:
        return len(self._slots)

    def items(self) -> list[tuple[GameId, Slot]]:
        """The slots of all tables in memory."""
        return list(self._slots.items())

    def get(self, game: GameId) -> Slot | None:
        """The slot of a table in memory, which is in use now."""
        if slot := self._slots.get(game):
            self._use(game, slot)
        return slot

    def slot(self, game: GameId) -> Slot:
        """The slot of a table, which is in use now; empty if the table is not in memory."""
        slot = self._slots.get(game)
        if slot is None:
            slot = self._slots[game] = Slot()
        self._use(game, slot)
        return slot

    def _use(self, game: GameId, slot: Slot) -> None:
        _, size = self._at_rest.pop(game, (None, 0))
        self._size -= size
        self._in_use[game] = slot
        self._in_use.move_to_end(game)
        in_use, memory = self._bounds
        while len(self._in_use) > in_use:
            self._rest(*self._in_use.popitem(last=False))
        while self._size > memory:
            _, (_, size) = self._at_rest.popitem(last=False)
            self._size -= size

    def _rest(self, game: GameId, slot: Slot) -> None:
        """Counts a table among those at rest."""
        size = _EMPTY
        if slot.table is not None:
            slot.table = slot.table.at_rest()
            size = slot.table.size
        self._at_rest[game] = slot, size
        self._size += size
