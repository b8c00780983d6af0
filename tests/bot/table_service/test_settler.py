"""Finished games without results are settled in the background, though a store fails or a log is damaged."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.app import running
from bot.model.ids import GameId
from bot.model.results import Unsettled
from bot.storage import StoreError, Unreadable
from bot.store.memory.store import MemoryStore
from bot.table_service.settler import LOOK_EVERY, PAUSE, Settler
from bot.table_service.stored import batch
from bot.tables.endings import ending_of
from engines.values import replace
from tests.bot.store.tables import played
from tests.support.clock import VirtualClock
from tests.support.waiting import Waiting


class Shaky(MemoryStore):
    """A store that fails the first `times` times that it is asked for unsettled games."""

    def __init__(self, times: int, error: Exception) -> None:
        super().__init__()
        self.times, self.error = times, error

    async def unsettled(self, limit: int) -> Unsettled:
        if self.times:
            self.times -= 1
            raise self.error
        return await super().unsettled(limit)


async def store_unsettled(store: MemoryStore, count: int) -> list[GameId]:
    """Stores finished games without results; returns their ids."""
    games = [played(1000.0 + n, n + 1) for n in range(count)]
    for game in games:
        await store.append(replace(batch(game, 0), ending=ending_of(game)))
    await store.unsettle()
    return [game.id for game in games]


async def numbers(store: MemoryStore, games: list[GameId]) -> list[int]:
    return [(await store.results(game))[0].number for game in games]


async def until_settled(store: MemoryStore, clock: VirtualClock, step: float) -> None:
    """Lets time pass in steps of so many seconds until no game is left to settle."""
    # Logs are replayed in a thread, for which the clock does not wait.
    waiting = Waiting("the results of all games")
    while store._endings.unsettled(1).left:
        waiting.check()
        await clock.sleep(step)


async def settled(store: MemoryStore, clock: VirtualClock) -> None:
    """Settles in the background until no game is left."""
    settler = Settler(store, clock)
    settler.start()
    await until_settled(store, clock, 0.01)
    # The last lines are logged after the last game is settled.
    await clock.sleep(1.0)
    await settler.close()


async def test_games_are_settled_in_the_background_with_progress_in_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table_service.settler.PROGRESS_EVERY", 0.0)
    store = MemoryStore()
    games = await store_unsettled(store, 45)
    with caplog.at_level(logging.INFO):
        await settled(store, VirtualClock())
    assert await numbers(store, games) == list(range(1, 46))
    assert [record.message for record in caplog.records if record.name == "bot.table_service.settler"] == [
        "45 finished games have no results yet: their logs are replayed for them",
        "20 of 45 finished games have results",
        "40 of 45 finished games have results",
        "45 of 45 finished games have results",
        "45 games are settled: all finished games have results",
    ]


@pytest.mark.parametrize("error", [StoreError("away"), ValueError("a fault")])
async def test_a_store_that_fails_is_asked_again_later(error: Exception) -> None:
    store, clock = Shaky(2, error), VirtualClock()
    games = await store_unsettled(store, 2)
    await settled(store, clock)
    assert await numbers(store, games) == [1, 2]
    assert clock.slept.count(PAUSE) == 2


async def test_once_there_are_none_it_looks_now_and_then() -> None:
    store, clock = MemoryStore(), VirtualClock()
    settler = Settler(store, clock)
    settler.start()
    await clock.sleep(3.5 * LOOK_EVERY)
    assert clock.slept.count(LOOK_EVERY) == 4
    games = await store_unsettled(store, 1)
    await until_settled(store, clock, LOOK_EVERY / 2)
    assert await numbers(store, games) == [1]
    await settler.close()


async def test_a_process_goes_on_where_another_has_stopped() -> None:
    store, clock = MemoryStore(), VirtualClock()
    games = await store_unsettled(store, 30)

    def tell(done: int, total: int) -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await Settler(store, clock, idle=0).settle_all(tell)
    assert (await store.unsettled(0)).left == 10
    assert await Settler(store, clock, idle=0).settle_all() == 10
    assert await numbers(store, games) == list(range(1, 31))


@pytest.mark.parametrize("fault", ["cannot be read", "cannot be replayed", "is too short"])
async def test_a_damaged_log_costs_its_own_game_its_rating(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    games = await store_unsettled(store, 3)
    kept = store._tables.by_id[games[1]]
    if fault == "cannot be replayed":
        kept.entries[1] = replace(kept.entries[1], body={})
    elif fault == "is too short":
        del kept.entries[-1]
    else:
        load = store.load

        async def unreadable(game: GameId) -> object:
            if game == games[1]:
                raise Unreadable("garbled")
            return await load(game)

        monkeypatch.setattr(store, "load", unreadable)
    assert await Settler(store, VirtualClock(), idle=0).settle_all() == 3
    assert [[result.unrated for result in await store.results(game)] for game in games] == [
        [None, None], ["log", "log"], [None, None],
    ]  # fmt: skip
    assert (await store.ratings("ana"))["casino"].games == 2


async def test_a_game_whose_listing_cannot_be_read_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    games = await store_unsettled(store, 3)
    load, tail = store.load, store.tail

    async def unreadable(game: GameId, *n: int) -> object:
        if game == games[1]:
            raise Unreadable("a page of the file is damaged")
        return await (tail(game, *n) if n else load(game))

    monkeypatch.setattr(store, "load", unreadable)
    monkeypatch.setattr(store, "tail", unreadable)
    assert await Settler(store, VirtualClock(), idle=0).settle_all() == 3
    assert [len(await store.results(game)) for game in games] == [2, 0, 2]


async def test_the_bot_settles_games_when_it_starts() -> None:
    store, clock = MemoryStore(), VirtualClock()
    games = await store_unsettled(store, 2)
    async with running(store, clock, {}):
        await until_settled(store, clock, 0.5)
    assert await numbers(store, games) == [1, 2]


async def test_tallies_of_months_and_weeks_long_past_are_purged_in_the_background(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.table_service.settler.PURGE_CHUNK", 5)
    monkeypatch.setattr("bot.table_service.settler.LOOK_EVERY", 86_400.0)
    store, clock = MemoryStore(), VirtualClock()
    games = await store_unsettled(store, 2)
    settler = Settler(store, clock)
    settler.start()
    await until_settled(store, clock, 0.01)
    assert {key[1] for key in store._endings.tallies} > {""}
    await clock.sleep(70 * 86_400.0)
    await settler.close()
    assert {key[1] for key in store._endings.tallies} == {""}
    assert await numbers(store, games) == [1, 2]
