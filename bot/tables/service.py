"""The house: keeps the tables, one change at a time at each, and tells whoever listens.

A change is stored before anybody hears of it. If the store refuses, nothing has happened.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from bot.errors import origin
from bot.model import (
    Batch,
    Behind,
    Clash,
    Entry,
    GameId,
    Known,
    PersonId,
    Place,
    Refused,
    Status,
    Taken,
)
from bot.ports import Clock, Store, StoreError
from bot.tables.commitment import ChosenSeed, CommittedSeed
from bot.tables.numbers import lowest_free
from bot.tables.table import Table, seed_source_of
from engines.game import IllegalMove, Text, plural

log = logging.getLogger(__name__)

Transition = Callable[[Table], Table]
"""Makes a table of a table, or refuses."""
Listener = Callable[[Table, Table | None], None]
"""Is told a table as it is and as it was before; a new one has no before, one just woken is its own."""

FORGOTTEN: Mapping[Status, float] = {"lobby": 86_400.0, "playing": 14 * 86_400.0, "over": float("inf")}
"""Seconds without any change after which a table gives way to a new one, by how far it is."""

KEPT = 500
"""Tables that are kept in memory though nobody does anything at them."""


class UnknownTable(Refused):
    """There is no such table."""

    def __init__(self) -> None:
        super().__init__(Text("There is no such table."))


class Repeated(Exception):
    """What was sent was heard before, and has been done."""


@dataclass(slots=True, weakref_slot=True)
class _Kept:
    """A table in memory, and what keeps its changes apart."""

    table: Table | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    turned: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the table changes, and then another one takes its place."""

    def become(self, table: Table) -> None:
        """The table has changed; whoever waits for that goes on."""
        self.table = table
        self.turned.set()
        self.turned = asyncio.Event()


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many tables may be open at a time."""

    person: int = 4
    """That one person has opened."""
    place: int = 6
    forgotten: Mapping[Status, float] = field(default_factory=lambda: FORGOTTEN)
    """Seconds without a change after which a table is closed when a new one is opened beside it."""


class TableService:
    """All tables, over a store."""

    def __init__(self, store: Store, clock: Clock, bounds: Bounds | None = None) -> None:
        self.store = store
        self.clock = clock
        self.bounds = bounds or Bounds()
        self._kept: WeakValueDictionary[GameId, _Kept] = WeakValueDictionary()
        self._recent: OrderedDict[GameId, _Kept] = OrderedDict()
        self._listeners: list[Listener] = []
        self._working: set[asyncio.Task[Table]] = set()
        self._opening: WeakValueDictionary[Place, asyncio.Lock] = WeakValueDictionary()

    def listen(self, listener: Listener) -> None:
        """Tells somebody of every change from now on, after it is stored."""
        self._listeners.append(listener)

    async def wake(self) -> None:
        """Takes up the tables that a process before this one has left."""
        for game in await self.store.live():
            try:
                await self.resume(game)
            except StoreError:
                raise
            except Exception as error:
                # One log that cannot be read must not keep all the others from being played.
                log.error("table %s cannot be taken up: %s", game, origin(error))

    async def resume(self, game: GameId) -> Table:
        """Takes up a table that a process before this one has left; one of older rules is closed."""
        table = await self.change(game, _updated)
        if table.status != "over":
            self._tell(table, table)
        return table

    async def table(self, game: GameId) -> Table:
        """A table as it is. Raises `UnknownTable`."""
        if (known := self._kept.get(game)) and known.table:
            self._remember(game, known)
            return known.table
        async with self._alone(game) as kept:
            return self._known(kept)

    async def change(self, game: GameId, transition: Transition, delivery: str = "") -> Table:
        """The table after a deed, which is stored by then.

        Raises whatever the deed raises, `UnknownTable`, and `Repeated` where the delivery was heard
        before; then nothing has changed.
        """
        return await self._whole(self._change_alone(game, transition, delivery))

    async def _change_alone(self, game: GameId, transition: Transition, delivery: str) -> Table:
        async with self._alone(game) as kept:
            return await self._change(kept, transition, delivery)

    async def _whole(self, work: Coroutine[Any, Any, Table]) -> Table:
        """Does something to its end, though whoever asked for it may be gone by then."""
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return await asyncio.shield(task)

    async def open(self, place: Place, make: Callable[[int], Table], delivery: str = "") -> Table:
        """Opens a table in a place, made with the number that people are to call it by.

        Refuses where there are too many, and raises `Repeated`.
        """
        await self._tidy(place)
        return await self._whole(self._open_at(place, make, delivery))

    async def follow(
        self, game: GameId, make: Callable[[Table, int], tuple[Table, Table]], delivery: str = ""
    ) -> Table:
        """Opens a table after another one: what is made of that one and a number for the new one."""
        return await self._whole(self._follow_alone(game, make, delivery))

    async def _follow_alone(
        self, game: GameId, make: Callable[[Table, int], tuple[Table, Table]], delivery: str
    ) -> Table:
        async with self._alone(game) as kept:
            place = self._known(kept).place
            async with self._numbering(place):
                await self._allow(make(self._known(kept), 0)[1].owner)
                while True:
                    after, new = make(self._known(kept), await self._number(place))
                    # The new table comes first: a crash in between may cost a line, not a game.
                    if opened := await self._open(new, delivery):
                        break
                old = await self._change(kept, partial(_followed, by=after.entries[-1]), "")
        if old.followed == opened.id:
            return opened
        await self._change_alone(opened.id, lambda table: table.add("end", reason="empty"), "")
        raise Refused(Text("There is a rematch already."))

    async def changed(self, game: GameId, since: int) -> Table:
        """Waits until the log of a table is longer than it was, and returns the table."""
        while True:
            async with self._alone(game) as kept:
                table, turned = self._known(kept), kept.turned
            if len(table.entries) > since:
                return table
            await turned.wait()

    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        """A chat goes on under another name, and its tables go on there."""
        await self.store.move_chat(platform, chat, new)
        old = Place(platform, chat)
        for game, kept in list(self._kept.items()):
            async with kept.lock:
                before = kept.table
                if before is None or replace(before.place, thread="") != old:
                    continue
                stored = await self.store.tail(game, len(before.entries))
                assert stored is not None
                kept.become(replace(before, place=stored.listing.place, number=stored.listing.number))
            self._tell(self._known(kept), before)

    async def close(self) -> None:
        """Waits until what has begun is done."""
        await asyncio.gather(*self._working, return_exceptions=True)

    async def _tidy(self, place: Place) -> None:
        """Closes the tables of a place that everybody has forgotten."""
        now = self.clock.now()
        for listing in await self.store.tables(place):
            before = now - self.bounds.forgotten[listing.status]
            if listing.changed < before:
                await self.change(listing.game, partial(_forgotten, before=before))

    async def _open_at(self, place: Place, make: Callable[[int], Table], delivery: str) -> Table:
        async with self._numbering(place):
            await self._allow(make(0).owner)
            while True:
                if opened := await self._open(make(await self._number(place)), delivery):
                    return opened

    async def _open(self, table: Table, delivery: str) -> Table | None:
        """The table, stored; None where another process has given its number away in this instant."""
        async with self._alone(table.id, new=True) as kept:
            dated = table.dated(0, self.clock.now())
            match await self.store.append(batch(dated, 0, delivery)):
                case Known():
                    raise Repeated
                case Clash():
                    return None
                case Behind():
                    raise AssertionError("two tables have one name")
                case Taken():
                    kept.become(dated)
                    self._tell(dated, None)
        return dated

    async def _change(self, kept: _Kept, transition: Transition, delivery: str) -> Table:
        while True:
            before = self._known(kept)
            since = len(before.entries)
            try:
                after = transition(before)
            except (Refused, IllegalMove):
                match await self.store.missed(before.id, since, delivery):
                    case Known():
                        raise Repeated from None
                    case Behind(tail):
                        self._go_on(kept, tail)
                        continue
                    case None:
                        raise
            if len(after.entries) == since:
                return before
            after = after.dated(since, self.clock.now())
            match await self.store.append(batch(after, since, delivery)):
                case Known():
                    raise Repeated
                case Behind(tail):
                    self._go_on(kept, tail)
                case Clash():
                    raise AssertionError("only a new table can clash")
                case Taken():
                    kept.become(after)
                    self._tell(after, before)
                    return after

    def _go_on(self, kept: _Kept, tail: Sequence[Entry]) -> None:
        """The table after entries that another process has stored."""
        before = ahead = self._known(kept)
        for entry in tail:
            ahead = ahead.after(entry)
        kept.become(ahead)
        self._tell(ahead, before)

    async def _number(self, place: Place) -> int:
        """The lowest number that no table of the place has."""
        tables = await self.store.tables(place)
        if len(tables) >= self.bounds.place:
            raise Refused(
                plural(
                    "There is {n} table open here already; end one of them first.",
                    "There are {n} tables open here already; end one of them first.",
                    len(tables),
                )
            )
        return lowest_free(table.number for table in tables)

    async def _allow(self, owner: PersonId | None) -> None:
        """Refuses where a person has too many tables."""
        if owner is None:
            return
        own = [table for table in await self.store.tables_of(owner) if table.owner == owner]
        if len(own) >= self.bounds.person:
            raise Refused(
                plural(
                    "You have {n} table open already; end it first.",
                    "You have {n} tables open already; end one of them first.",
                    len(own),
                )
            )

    @asynccontextmanager
    async def _alone(self, game: GameId, *, new: bool = False) -> AsyncIterator[_Kept]:
        """A table that nobody else changes meanwhile."""
        kept = self._kept.get(game)
        if kept is None:
            kept = self._kept[game] = _Kept()
        async with kept.lock:
            if kept.table is None and not new:
                kept.table = await self._load(game)
            self._remember(game, kept)
            yield kept

    @asynccontextmanager
    async def _numbering(self, place: Place) -> AsyncIterator[None]:
        """One table at a time gets a number in a place."""
        lock = self._opening.get(place)
        if lock is None:
            lock = self._opening[place] = asyncio.Lock()
        async with lock:
            yield

    def _remember(self, game: GameId, kept: _Kept) -> None:
        self._recent[game] = kept
        self._recent.move_to_end(game)
        while len(self._recent) > KEPT:
            self._recent.popitem(last=False)

    async def _load(self, game: GameId) -> Table:
        stored = await self.store.load(game)
        if stored is None:
            raise UnknownTable
        table = Table.replay(stored.entries, seed_source_of(stored.server_seed, stored.seed_words))
        # A chat may go on under another name; the log tells where the table was opened.
        return replace(table, place=stored.listing.place, number=stored.listing.number)

    def _known(self, kept: _Kept) -> Table:
        assert kept.table is not None
        return kept.table

    def _tell(self, table: Table, before: Table | None) -> None:
        for listener in self._listeners:
            try:
                listener(table, before)
            except Exception as error:
                # The deed is done and stored; whoever failed to hear of it must not undo it.
                log.error("a listener failed at table %s: %s", table.id, origin(error))


def _updated(table: Table) -> Table:
    """A table of older rules is closed: nobody can play it, nor deal at it as was promised."""
    if table.outdated and table.status != "over":
        return table.add("end", reason="updated")
    return table


def _forgotten(table: Table, before: float) -> Table:
    """A table without a change since a time is closed."""
    return table.add("end", reason="forgotten") if table.entries[-1].at < before else table


def _followed(table: Table, by: Entry) -> Table:
    """The table with a note of its rematch, unless there is another one."""
    return table if table.followed else table.after(replace(by, n=len(table.entries)))


def batch(table: Table, since: int, delivery: str = "") -> Batch:
    """What is to be stored of a table whose first entries are stored already."""
    seed_source = table.seed_source
    return Batch(
        table.entries[since:],
        table.listing,
        delivery,
        seed_source.server_seed if not since and isinstance(seed_source, CommittedSeed) else None,
        seed_source.words if not since and isinstance(seed_source, ChosenSeed) else None,
    )
