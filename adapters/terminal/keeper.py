"""Keeps games in a file while they are played, so that one can go on with them another day.

A game does not fail with the file, and only its first move waits for it: whatever is wrong is told, and
the game goes on.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from bot.errors import origin
from bot.model import HOME, Behind, Clash, GameId, Language, Room
from bot.ports import Clock, Store, StoreError
from bot.store import open_store
from bot.tables.service import TableService, batch
from bot.tables.table import Table
from engines.game import Text

_OPENING = 3.0
"""Seconds for which the first move waits for the file."""
_PATIENCE = 10.0
"""Seconds for which a program that ends waits for the file."""


class Keeper:
    """Writes what happens at tables into a file.

    It works in a thread of its own: importing a database takes longer than dealing, and a face
    stands still while somebody types.
    """

    def __init__(
        self, file: Path, clock: Clock, opening: Callable[[str], Awaitable[Store]] = open_store
    ) -> None:
        self.file = file
        self.on_news: Callable[[], object] = lambda: None
        """Called from the thread, when it is known what the file holds and when there is trouble."""
        self.updated = False
        """Whether a game in the file was of older rules, and is closed."""
        self.language: Language | None = None
        """The language of the file's last game, once it is known what the file holds."""
        self._spoken: Language | None = None
        self._heard = False
        self._clock = clock
        self._opening = opening
        self._thread: threading.Thread | None = None
        self._turn = threading.Condition()
        self._tables: dict[GameId, Table] = {}
        """The tables known, the one changed last last."""
        self._waiting: dict[GameId, Table] = {}
        self._kept: dict[GameId, int] = {}
        """How many entries of each table are in the file."""
        self._forked: set[GameId] = set()
        self._trouble: list[Text] = []
        self._known = threading.Event()
        self._closing = False

    def start(self) -> None:
        """Opens the file, if that was not done before."""
        if self._thread is None:
            self._thread = threading.Thread(target=lambda: asyncio.run(self._work()), daemon=True)
            self._thread.start()

    def speak(self, language: Language) -> None:
        """The game that is played goes on in a language; it is kept with the next move, and at the end."""
        self._spoken = language

    def hear(self, table: Table, before: Table | None) -> None:
        """Something has happened at a table; one where nobody has moved is not worth keeping."""
        if not table.stamp:
            return
        self.start()
        with self._turn:
            self._heard = True
            self._waiting[table.id] = table
            self._tables.pop(table.id, None)
            self._tables[table.id] = table
            self._turn.notify()

    def look(self) -> None:
        """Waits until it is known what the file holds."""
        self.start()
        self._known.wait()

    async def ready(self) -> None:
        """Waits until the file is open, but not for ever: a program that is killed then loses no move."""
        self.start()
        if not self._known.is_set():
            await asyncio.to_thread(self._known.wait, _OPENING)

    def unfinished(self, besides: GameId = "") -> Table | None:
        """The game that was played last and is not over, as far as is known."""
        with self._turn:
            tables = [table for table in self._tables.values() if table.status == "playing"]
        return next((table for table in reversed(tables) if table.id != besides), None)

    def keeps(self, game: GameId) -> bool:
        """Whether a game can be gone on with another day, as far as is known."""
        return game in self._tables and game not in self._forked and not self._trouble

    def trouble(self) -> Text | None:
        """What is wrong with the file; None while nothing is."""
        return self._trouble[-1] if self._trouble else None

    def close(self) -> None:
        """Waits until everything is in the file, but not for ever."""
        with self._turn:
            self._closing = True
            self._turn.notify()
            needed = self._known.is_set() or bool(self._waiting)
        if self._thread and needed:
            self._thread.join(_PATIENCE)

    async def _work(self) -> None:
        try:
            store = await self._opening(str(self.file))
        except Exception as error:
            self._known.set()
            self._fail(error)
            return
        try:
            await self._find(store)
            while (table := self._next()) is not None:
                await self._keep(store, table)
            await self._keep_language(store)
        finally:
            await store.close()

    async def _find(self, store: Store) -> None:
        """Looks for the game in the file that was played last and is not over."""
        service = TableService(store, self._clock)
        try:
            room = await store.room(HOME)
            self.language = room.language if room else None
            listings = await store.tables(HOME)
            for listing in sorted(listings, key=lambda listing: listing.changed, reverse=True):
                table = await _taken_up(service, listing.game)
                if table and table.status == "playing":
                    with self._turn:
                        self._tables = {table.id: table} | self._tables
                        self._kept[table.id] = len(table.entries)
                    break
                self.updated |= table is not None and table.ended == "updated"
        except Exception as error:
            self._fail(error)
        self._known.set()
        self.on_news()

    def _next(self) -> Table | None:
        """The next table to be kept; None at the end."""
        with self._turn:
            while not self._waiting and not self._closing:
                self._turn.wait()
            return self._waiting.pop(next(iter(self._waiting))) if self._waiting else None

    async def _keep(self, store: Store, table: Table) -> None:
        try:
            while table.id not in self._forked and self._kept.get(table.id, 0) < len(table.entries):
                await self._append(store, table)
        except Exception as error:
            self._fail(error)
        await self._keep_language(store)

    async def _keep_language(self, store: Store) -> None:
        if not (self._heard and self._spoken) or self._spoken == self.language:
            return
        try:
            await store.save_room(Room(HOME, language=self._spoken))
            self.language = self._spoken
        except Exception as error:
            self._fail(error)

    async def _append(self, store: Store, table: Table) -> None:
        since = self._kept.get(table.id, 0)
        new = batch(table, since)
        outcome = await store.append(new)
        if isinstance(outcome, Clash):
            taken = {listing.number for listing in await store.tables(HOME)}
            number = next(n for n in range(1, len(taken) + 2) if n not in taken)
            outcome = await store.append(replace(new, listing=replace(new.listing, number=number)))
        if not isinstance(outcome, Behind):
            self._kept[table.id] = len(table.entries)
        elif _same(outcome, table, since):
            # It was written when it seemed to have failed.
            self._kept[table.id] = since + len(outcome.tail)
        else:
            self._forked.add(table.id)
            self._tell(
                Text("This game goes on in another window too: what is played here is kept no longer.")
            )

    def _fail(self, error: Exception) -> None:
        reason = str(error) if isinstance(error, StoreError) else origin(error)
        self._tell(
            Text(
                "Games cannot be kept in {file} ({reason}). This one is played all the same.",
                file=str(self.file),
                reason=reason,
            )
        )

    def _tell(self, trouble: Text) -> None:
        if trouble not in self._trouble:
            self._trouble.append(trouble)
            self.on_news()


async def _taken_up(service: TableService, game: GameId) -> Table | None:
    """A table from the file; None where its log cannot be read."""
    try:
        return await service.resume(game)
    except StoreError:
        raise
    except Exception:
        return None


def _same(behind: Behind, table: Table, since: int) -> bool:
    """Whether the file has what the table has, as far as the file goes."""
    mine = [(entry.kind, entry.seat, entry.at) for entry in table.entries[since:]]
    return [(entry.kind, entry.seat, entry.at) for entry in behind.tail] == mine[: len(behind.tail)]
