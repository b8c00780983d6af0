"""What a process counts: deliveries, refusals, entries, commits and sends."""

from __future__ import annotations

import asyncio
import timeit
from collections.abc import Callable
from typing import TypeVar

import pytest
from sqlalchemy import Connection

from bot.measures import BUCKETS, Durations, Measures, moment
from bot.model.ids import PUBLIC
from bot.model.people import Person
from bot.outbox.lanes import LaneKey, Lanes, Outgoing
from bot.ports import Later
from bot.storage import StoreError
from bot.store.connections.connection import Then, nothing
from bot.store.writing import upserts
from bot.store.writing.writer import Writer
from tests.support.clock import VirtualClock
from tests.support.harness import BotHarness, bot_harness

T = TypeVar("T")

ANA = "Ana"


async def opened(bot: BotHarness) -> Measures:
    """Opens a table as Ana; returns the bot's measures, which go on counting."""
    await bot.say(bot.caller(ANA), "new", game="casino")
    return bot.dispatcher.service.measures


async def test_a_delivery_is_counted_by_platform_and_kind() -> None:
    async with bot_harness() as bot:
        measures = await opened(bot)
        assert measures.deliveries == {("wall", "command"): 1}


async def test_each_delivery_is_timed() -> None:
    async with bot_harness() as bot:
        measures = await opened(bot)
        assert sum(measures.answers.counts) == 1
        assert measures.answers.total > 0.0


async def test_a_refusal_is_counted() -> None:
    async with bot_harness() as bot:
        measures = await opened(bot)
        assert measures.outcomes == {}
        await bot.say(bot.caller("Eva"), "play", move="throw 7S")
        assert measures.outcomes == {("wall", "refused"): 1}


async def test_stored_entries_are_counted_by_kind() -> None:
    async with bot_harness() as bot:
        measures = await opened(bot)
        assert measures.entries == {"open": 1, "join": 1}
        assert sum(measures.commits.counts) == 1


async def test_what_is_sent_is_counted_by_platform() -> None:
    async with bot_harness() as bot:
        measures = await opened(bot)
        await bot.dispatcher.panels.lanes.idle()
        assert set(measures.sends) == {("wall", "sent")}
        assert sum(measures.sending.counts) == measures.sends["wall", "sent"]
        assert bot.dispatcher.panels.lanes.waiting == 0


async def test_a_wait_that_a_platform_asks_for_is_counted() -> None:
    answers: list[Exception | None] = [None, ValueError(), Later(7.0)]

    async def send(_: Outgoing) -> int:
        if error := answers.pop():
            raise error
        return 1

    lanes = Lanes(VirtualClock(), send, measures := Measures())
    lanes.put(LaneKey("wall", "public", "square"), ("g", PUBLIC))
    assert lanes.waiting == 1
    await lanes.idle()
    assert measures.sends == {("wall", "later"): 1, ("wall", "failed"): 1, ("wall", "sent"): 1}
    assert measures.waits == 7.0


class DeadConnection:
    """A connection to a database that does not respond."""

    in_doubt = False

    def transact(self, work: Callable[[Connection], T], then: Then[T] = nothing) -> asyncio.Future[T]:
        failed = asyncio.get_running_loop().create_future()
        failed.set_exception(ConnectionError())
        return failed

    async def close(self) -> None: ...


async def test_changes_that_the_database_does_not_take_are_counted() -> None:
    writer = Writer(DeadConnection(), (0.0, 0.0), measures := Measures())
    with pytest.raises(StoreError):
        await writer.save(upserts.save_person(Person("p", "Ana", None)))
    assert (measures.store_retries, measures.store_lost) == (2, 1)


def test_a_duration_is_counted_in_its_range() -> None:
    durations = Durations()
    for seconds in (0.0, BUCKETS[0], BUCKETS[0] * 1.01, BUCKETS[-1] + 1):
        durations.add(seconds)
    assert (durations.counts[0], durations.counts[1], durations.counts[-1]) == (2, 1, 1)


@pytest.mark.real
def test_a_measurement_costs_next_to_nothing() -> None:
    measures = Measures()

    def measured() -> None:
        began = moment()
        measures.deliveries["wall", "press"] += 1
        measures.answers.since(began)

    rounds = 20_000
    assert min(timeit.repeat(measured, number=rounds, repeat=3)) / rounds < 20e-6
