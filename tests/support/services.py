"""A table service with one table in it, and a store that fails when a test says so."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.model import Batch, Behind, Clash, Known, Level, Player, Taken
from bot.ports import Clock, Store, StoreError
from bot.store.memory import MemoryStore
from bot.tables.commitment import ChosenSeed
from bot.tables.service import TableService
from bot.tables.table import Table
from engines.game import Game
from tests.support.clock import VirtualClock
from tests.support.games.throw_in import State
from tests.support.games.throw_in.positions import load, position
from tests.support.games.throw_in.rules import View


async def service_with(table: Table, clock: Clock | None = None, store: Store | None = None) -> TableService:
    """A table service that keeps this table."""
    service = TableService(store or MemoryStore(), clock or VirtualClock())
    await service.open(table.place, lambda number: table)
    return service


def throwing_in(game: Game[State, View], *hands: str, lead: str = "7C", level: Level | None = None) -> Table:
    """A table of Throw-in where seat 0 has led; the players are people, or computers if they have a level."""
    table = Table.open(game.key, seed_source=ChosenSeed("S"))
    for name in ("Ana", "Beto", "Carla", "Dora")[: len(hands)]:
        table = table.sit(Player(name, level, None if level else name.casefold()))
    return replace(table.start(), state=load(position(*hands, table=lead)))


class FaultyStore(MemoryStore):
    """A store whose appends fail, before or after they are stored, or wait for a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = ""
        """``before`` or ``after`` what is to be stored is stored."""
        self.gate = asyncio.Event()
        """Where it is not set, storing waits for it."""
        self.gate.set()
        self.batches: list[Batch] = []

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash:
        await self.gate.wait()
        if self.fails == "before":
            raise StoreError("no space left")
        outcome = await super().append(batch)
        self.batches.append(batch)
        if self.fails == "after":
            raise StoreError("the line is dead")
        return outcome
