"""A table service with one table, and a store that fails when a test wants it to."""

from __future__ import annotations

import asyncio

from bot.model.batches import Batch, Behind, Clash, Full, Known, Taken
from bot.model.tables import Player
from bot.ports import Clock
from bot.storage import Store, StoreError, Uncertain
from bot.store.memory.store import MemoryStore
from bot.table_service.service import TableService
from bot.tables.log.commitment import ChosenSeed
from bot.tables.table import Table
from engines.game import Game, Level
from engines.values import replace
from tests.support.clock import VirtualClock
from tests.support.games.throw_in.positions import load, position
from tests.support.games.throw_in.rules import State, View


async def service_with(table: Table, clock: Clock | None = None, store: Store | None = None) -> TableService:
    """A table service that has opened this table."""
    service = TableService(store or MemoryStore(), clock or VirtualClock())
    await service.open(table.place, lambda number: table)
    return service


def throwing_in(game: Game[State, View], *hands: str, lead: str = "7C", level: Level | None = None) -> Table:
    """A table of Throw-in with these hands and this lead; with a level all players are computers."""
    table = Table.open(game.key, seed_source=ChosenSeed("S"))
    for name in ("Ana", "Beto", "Carla", "Dora")[: len(hands)]:
        table = table.sit(Player(name, level, None if level else name.casefold()))
    return replace(table.start(), state=load(position(*hands, table=lead)))


class FaultyStore(MemoryStore):
    """A store whose `append` fails before or after it stores the batch, or waits for a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = ""
        """``before``: fails without storing the batch; ``after``: stores it, then fails; empty: stores it."""
        self.gate = asyncio.Event()
        """`append` waits until this event is set."""
        self.gate.set()
        self.batches: list[Batch] = []
        """The batches that reached the store."""

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash | Full:
        await self.gate.wait()
        if self.fails == "before":
            raise StoreError("no space left")
        outcome = await super().append(batch)
        self.batches.append(batch)
        if self.fails == "after":
            raise Uncertain("the line is dead")
        return outcome
