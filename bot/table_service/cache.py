"""The tables in memory: those used lately are in use, the others at rest, packed; both have a bound."""

from __future__ import annotations

import asyncio
import pickle
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice, takewhile
from weakref import WeakValueDictionary

from bot.model.ids import GameId, PersonId
from bot.model.places import Place
from bot.ports import Clock
from bot.tables.table import Table
from engines.values import Value

UNUSED = 600.0
"""Seconds after its last use until a table is put to rest: until then it keeps what could be read or computed
again, such as its log and views.
"""
IN_USE = 400_000_000
"""Estimated bytes that tables in use may take; beyond them the least recently used are put to rest."""
AT_REST = 100_000_000
"""Estimated bytes that tables at rest may take; beyond them the least recently used are dropped."""
_MOST_RESTED = 50
"""The most tables that one call of `rest_unused` puts to rest, so that it takes less than 10 ms."""

_EMPTY_SIZE = 1_000
"""Estimated bytes of a slot at rest that holds no table, as when no table has the id asked for."""
_SIZE_BESIDE = 9_000
"""Estimated bytes of a table at rest besides its packed form: its slot, panels, players and menus."""
_UNPACKED_SIZE = 22_000
"""Estimated bytes of a table in use besides its log and news, with all that the bot keeps of it."""
_ENTRY_SIZE = 700
"""Estimated bytes of an entry in the log of a table in use, with its news."""


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

    __slots__ = ("__weakref__", "_change", "_held", "lock", "used")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.used = 0.0
        """The time of the last use, in seconds since 1970."""
        self._held: Table | Packed | None = None
        self._change: asyncio.Event | None = None
        """Set when the table changes; None while no task waits for that."""

    @property
    def table(self) -> Table | None:
        """The table, which is unpacked if it was at rest; None while it is not loaded."""
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

    @property
    def size_in_use(self) -> int:
        """The estimated bytes that the table takes in use; its log is counted only while it is unpacked."""
        if not isinstance(self._held, Table):
            return _UNPACKED_SIZE
        entries = self._held.entries
        return _UNPACKED_SIZE + _ENTRY_SIZE * (len(entries) - entries.first)

    def rest(self, examples: dict[str, bytes]) -> int:
        """Packs the table with `Packed.of`, if it can be pickled; returns its estimated bytes at rest."""
        if self._held is None:
            return _EMPTY_SIZE
        if isinstance(self._held, Table):
            table = self._held
            try:
                table = table.at_rest()
                self._held = Packed.of(table, examples)
            except Exception:
                # If the state of a faulty game cannot be pickled, a press at another table must not fail.
                self._held = table
                return self.size_in_use
        return _SIZE_BESIDE + len(self._held.compressed)

    def update(self, table: Table) -> None:
        """Replaces the table, shortened if it is long, and wakes the tasks that wait for a change."""
        self._held = table.shortened()
        if self._change:
            self._change.set()
            self._change = None

    async def changed(self) -> None:
        """Waits for the next change of the table."""
        if self._change is None:
            self._change = asyncio.Event()
        await self._change.wait()


class _Slots:
    """Slots, the least recently used first, and the sum of their estimated bytes."""

    def __init__(self) -> None:
        self.size = 0
        self._slots: OrderedDict[GameId, tuple[Slot, int]] = OrderedDict()

    def put(self, game: GameId, slot: Slot, size: int) -> None:
        """Adds a slot, or moves it to the end; replaces its size."""
        _, before = self._slots.get(game, (None, 0))
        self._slots[game] = slot, size
        self._slots.move_to_end(game)
        self.size += size - before

    def pop(self, game: GameId) -> None:
        """Removes the slot of a table, if it is here."""
        _, size = self._slots.pop(game, (None, 0))
        self.size -= size

    def pop_first(self) -> tuple[GameId, Slot]:
        """Removes and returns the slot that is least recently used."""
        game, (slot, size) = self._slots.popitem(last=False)
        self.size -= size
        return game, slot

    def __iter__(self) -> Iterator[tuple[GameId, Slot]]:
        return ((game, slot) for game, (slot, _) in self._slots.items())


class TableCache:
    """The slots of tables: those that a task holds, and besides these the ones used most recently."""

    def __init__(self, clock: Clock, in_use: int = IN_USE, at_rest: int = AT_REST) -> None:
        self._clock = clock
        self._most_in_use = in_use
        self._most_at_rest = at_rest
        self._slots: WeakValueDictionary[GameId, Slot] = WeakValueDictionary()
        self._in_use = _Slots()
        """The tables used lately, with the sizes that they had then."""
        self._at_rest = _Slots()
        self._examples: dict[str, bytes] = {}
        """For each game a pickled table, with which the others are packed."""

    def __len__(self) -> int:
        return len(self._slots)

    def items(self) -> list[tuple[GameId, Slot]]:
        """All slots, the empty ones included."""
        return list(self._slots.items())

    def get(self, game: GameId) -> Slot | None:
        """The slot of a table, perhaps empty, which counts as in use from now on; None if there is none."""
        if slot := self._slots.get(game):
            self._use(game, slot)
        return slot

    def rest_unused(self) -> int:
        """Puts to rest the tables unused for `UNUSED` seconds, not all at once if there are many.

        Returns the number of tables put to rest.
        """
        now = self._clock.now()
        # A last use in the future means that the host's clock was set back since.
        unused = list(
            takewhile(lambda one: not 0 <= now - one[1].used < UNUSED, islice(self._in_use, _MOST_RESTED))
        )
        for game, slot in unused:
            self._in_use.pop(game)
            self._rest(game, slot)
        return len(unused)

    def is_locked(self, game: GameId) -> bool:
        """Whether a table in memory is being changed or read."""
        slot = self._slots.get(game)
        return slot is not None and slot.lock.locked()

    def slot(self, game: GameId) -> Slot:
        """The slot of a table, which counts as in use from now on; empty if the table is not in memory."""
        slot = self._slots.get(game)
        if slot is None:
            slot = self._slots[game] = Slot()
        self._use(game, slot)
        return slot

    def forget(self, person: PersonId) -> None:
        """Drops the examples that name a person, and the tables at rest that are packed with them."""
        naming = [example for example in self._examples.values() if person.encode() in example]
        self._examples = {key: example for key, example in self._examples.items() if example not in naming}
        for game, slot in list(self._at_rest):
            if slot.example in naming:
                self._at_rest.pop(game)

    def weigh(self, game: GameId, slot: Slot) -> None:
        """Counts anew the memory that a table in use takes, for example after its whole log was loaded.

        If all tables in use now take too much, the next use of any table puts others to rest.
        """
        self._at_rest.pop(game)
        self._in_use.put(game, slot, slot.size_in_use)

    def _use(self, game: GameId, slot: Slot) -> None:
        """Counts a table among those in use, as the one used last."""
        self.weigh(game, slot)
        slot.used = self._clock.now()
        while self._in_use.size > self._most_in_use:
            self._rest(*self._in_use.pop_first())

    def _rest(self, game: GameId, slot: Slot) -> None:
        """Puts a table to rest, and drops those at rest that take too much memory."""
        self._at_rest.put(game, slot, slot.rest(self._examples))
        while self._at_rest.size > self._most_at_rest:
            self._at_rest.pop_first()
