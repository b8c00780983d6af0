"""The tables in memory: a bounded number in use, and as many at rest, packed, as a bounded size allows."""

from __future__ import annotations

import asyncio
import pickle
import zlib
from collections import OrderedDict
from weakref import WeakValueDictionary

from bot.model.ids import GameId, PersonId
from bot.model.places import Place
from bot.tables.table import Table
from engines.values import Value

IN_USE = 1_000
"""The most tables that keep what they could compute again, such as views; the others are at rest."""
MEMORY = 200_000_000
"""Estimated bytes that tables at rest may take; beyond them the least recently used tables are dropped."""

_EMPTY_SIZE = 1_000
"""Estimated bytes of a slot whose table is still being loaded, or does not exist."""
_SIZE_BESIDE = 9_000
"""Estimated bytes of a table besides its packed form: its slot, panels, players and menus."""
_UNPACKED_SIZE = 10_000
"""Estimated bytes of a table at rest that cannot be packed."""


class Packed(Value):
    """A table at rest in an eighth of its memory; packing and unpacking take less than 0.1 ms each."""

    place: Place
    compressed: bytes
    """The pickled table, compressed with the example as the dictionary of zlib."""
    example: bytes
    """A pickled table of the same game: most of what a table holds is in another one too."""

    @classmethod
    def of(cls, table: Table, examples: dict[str, bytes]) -> Packed:
        """A packed table; the first one of each game becomes the example for the others."""
        pickled = pickle.dumps(table, pickle.HIGHEST_PROTOCOL)
        example = examples.setdefault(table.key, pickled)
        packer = zlib.compressobj(zlib.Z_BEST_SPEED, zdict=example)
        return cls(table.place, packer.compress(pickled) + packer.flush(), example)

    def table(self) -> Table:
        """The table at rest."""
        table: Table = pickle.loads(zlib.decompressobj(zdict=self.example).decompress(self.compressed))
        return table


class Slot:
    """A table in memory, and the lock for its changes."""

    __slots__ = ("__weakref__", "_change", "_held", "lock")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self._held: Table | Packed | None = None
        self._change: asyncio.Event | None = None
        """Set when the table changes; None while no task waits for that."""

    @property
    def table(self) -> Table | None:
        """The table, which is unpacked now; None while it is not loaded."""
        if isinstance(self._held, Packed):
            self._held = self._held.table()
        return self._held

    @table.setter
    def table(self, table: Table | None) -> None:
        self._held = table

    @property
    def place(self) -> Place | None:
        """The table's place, without unpacking it; None while it is not loaded."""
        return self._held.place if self._held else None

    @property
    def example(self) -> bytes:
        """The example with which the table is packed; empty while it is not."""
        return self._held.example if isinstance(self._held, Packed) else b""

    def rest(self, examples: dict[str, bytes]) -> int:
        """Packs the table, as `Packed.of` does; returns the estimated bytes that it takes then."""
        if self._held is None:
            return _EMPTY_SIZE
        if isinstance(self._held, Table):
            table = self._held.at_rest()
            try:
                self._held = Packed.of(table, examples)
            except Exception:
                # The state of a faulty game must not cost the press at another table.
                self._held = table
                return _SIZE_BESIDE + _UNPACKED_SIZE
        return _SIZE_BESIDE + len(self._held.compressed)

    def update(self, table: Table) -> None:
        """Replaces the table, by a shortened one, and wakes the tasks that wait for a change."""
        self._held = table.shortened()
        if self._change:
            self._change.set()
            self._change = None

    async def changed(self) -> None:
        """Waits for the next change of the table."""
        if self._change is None:
            self._change = asyncio.Event()
        await self._change.wait()


class TableCache:
    """The slots of tables: each while a task holds it, and beyond that those used most recently."""

    def __init__(self, in_use: int = IN_USE, memory: int = MEMORY) -> None:
        self._most_in_use = in_use
        self._memory = memory
        self._slots: WeakValueDictionary[GameId, Slot] = WeakValueDictionary()
        self._in_use: OrderedDict[GameId, Slot] = OrderedDict()
        self._at_rest: OrderedDict[GameId, tuple[Slot, int]] = OrderedDict()
        """Slots of tables at rest, with the estimated sizes of the tables."""
        self._examples: dict[str, bytes] = {}
        """For each game a pickled table, with which the others are packed."""
        self._size = 0
        """The sum of the sizes of the tables at rest."""

    def __len__(self) -> int:
        return len(self._slots)

    def items(self) -> list[tuple[GameId, Slot]]:
        """The slots of all tables in memory."""
        return list(self._slots.items())

    def get(self, game: GameId) -> Slot | None:
        """The slot of a table in memory, which is in use now; None if the table is not in memory."""
        if slot := self._slots.get(game):
            self._use(game, slot)
        return slot

    def is_locked(self, game: GameId) -> bool:
        """Whether a table in memory is being changed or read."""
        slot = self._slots.get(game)
        return slot is not None and slot.lock.locked()

    def slot(self, game: GameId) -> Slot:
        """The slot of a table, which is in use now; empty if the table is not in memory."""
        slot = self._slots.get(game)
        if slot is None:
            slot = self._slots[game] = Slot()
        self._use(game, slot)
        return slot

    def forget(self, person: PersonId) -> None:
        """Drops the examples that name a person, and the tables at rest that are packed with them."""
        naming = [example for example in self._examples.values() if person.encode() in example]
        self._examples = {key: example for key, example in self._examples.items() if example not in naming}
        for game, (slot, size) in list(self._at_rest.items()):
            if slot.example in naming:
                del self._at_rest[game]
                self._size -= size

    def _use(self, game: GameId, slot: Slot) -> None:
        _, size = self._at_rest.pop(game, (None, 0))
        self._size -= size
        self._in_use[game] = slot
        self._in_use.move_to_end(game)
        while len(self._in_use) > self._most_in_use:
            self._rest(*self._in_use.popitem(last=False))
        while self._size > self._memory:
            _, (_, size) = self._at_rest.popitem(last=False)
            self._size -= size

    def _rest(self, game: GameId, slot: Slot) -> None:
        """Counts a table among those at rest."""
        size = slot.rest(self._examples)
        self._at_rest[game] = slot, size
        self._size += size
