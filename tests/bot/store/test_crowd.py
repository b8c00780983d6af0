"""Many concurrent writers, some late, repeated or cancelled: logs stay gapless and listings match them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from bot.model.batches import Batch, Behind, Known, Taken
from bot.model.ids import PUBLIC, GameId
from bot.model.panels import PanelRecord
from bot.model.places import Place
from bot.model.tables import Entry
from bot.storage import Store
from tests import luck
from tests.bot.store.tables import Tale, folded

GAMES = {f"g{i}": Place("telegram", f"chat{i % 3}") for i in range(8)}


class Writer:
    """A writer that appends to random tables, sometimes sends a batch twice, and sometimes cancels one."""

    def __init__(self, store: Store, name: str, rng: random.Random) -> None:
        self.store, self.name, self.rng = store, name, rng
        self.tales = {game: Tale(game, place, int(game[1:]), owner=name) for game, place in GAMES.items()}
        self.acknowledged: list[tuple[GameId, Entry]] = []
        self.count = 0

    async def work(self, times: int) -> None:
        for _ in range(times):
            tale = self.tales[self.rng.choice(sorted(self.tales))]
            batch = self._next_batch(tale)
            twice = [asyncio.create_task(self._send(tale, batch)) for _ in range(self.rng.choice((1, 1, 2)))]
            if self.rng.random() < 0.2:
                await asyncio.sleep(0)
                self.rng.choice(twice).cancel()
            await asyncio.gather(*twice, return_exceptions=True)
            if self.rng.random() < 0.3:
                await self.store.mark_dirty(PanelRecord(tale.game, self.rng.choice((PUBLIC, self.name))))

    def _next_batch(self, tale: Tale) -> Batch:
        self.count += 1
        delivery = self.rng.choice(("", f"{self.name}{self.count}"))
        if not tale.entries:
            return tale.opened(delivery)
        kinds = self.rng.choice((("join",), ("computer", "join"), ("move", "move", "move"), ("leave",)))
        taken = len(tale.listing.seats)
        if kinds == ("leave",) and not taken:
            kinds = ("move",)
        return tale.next(*kinds, person=self.name, delivery=delivery, at=self.rng.random())

    async def _send(self, tale: Tale, batch: Batch) -> None:
        match await self.store.append(batch):
            case Taken():
                tale.follow([batch])
                self.acknowledged += [(tale.game, entry) for entry in batch.entries]
            case Behind(tail):
                tale.entries = (*tale.entries[: batch.entries[0].n], *tail)
            case Known():
                pass


async def crowded(stores: list[Store], seed: int, times: int = 25) -> list[Writer]:
    """Six writers after their work, each over one of the stores."""
    writers = [Writer(stores[i % len(stores)], f"w{i}", luck.rng(f"{seed}:{i}")) for i in range(6)]
    await asyncio.gather(*(writer.work(times) for writer in writers))
    # A batch whose sender was cancelled may still be stored, but not after what its store saves later.
    await asyncio.gather(*(store.mark_dirty(PanelRecord("g0", PUBLIC)) for store in stores))
    return writers


async def check(store: Store, writers: list[Writer]) -> None:
    """Asserts that logs have no gaps, hold each acknowledged entry once, and match their listings."""
    acknowledged = [pair for writer in writers for pair in writer.acknowledged]
    assert acknowledged
    logs = {game: stored for game in GAMES if (stored := await store.load(game))}
    assert logs
    for game, stored in logs.items():
        assert [entry.n for entry in stored.entries] == list(range(len(stored.entries)))
        assert stored.listing == folded(game, stored.entries, GAMES[game], int(game[1:]))
    assert Counter((game, entry.n) for game, entry in acknowledged).most_common(1)[0][1] == 1
    assert [pair for pair in acknowledged if pair[1] not in logs[pair[0]].entries] == []
    for place in set(GAMES.values()):
        here = [stored.listing for game, stored in logs.items() if GAMES[game] == place]
        assert list(await store.tables(place)) == sorted(here, key=lambda listing: listing.number)


@pytest.mark.parametrize("seed", range(3))
async def test_a_crowd_leaves_logs_without_gaps(store: Store, seed: int) -> None:
    await check(store, await crowded([store], seed))
