"""What a sender is told when the store fails: whether the change was made, as far as that is known."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from bot.model.places import Place
from bot.ports import Caller
from bot.storage import StoreError, Uncertain, Unreadable
from bot.table_service.cache import TableCache
from bot.times import delivery_deadline
from tests.support.clock import settle
from tests.support.harness import PLACE, BotHarness, bot_harness, text
from tests.support.loop_time import idle_time_skipped
from tests.support.services import FaultyStore

NOT_DONE = "That wasn't done: I can't save anything at the moment. Try again in a little while."
DONE = "That was done, but I couldn't finish my answer. Look at the table."
UNSURE = "I'm not sure whether that was done. Look at the table before you try again."


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
async def bot(store: FaultyStore) -> AsyncIterator[BotHarness]:
    async with bot_harness(store) as opened:
        yield opened


@pytest.fixture
async def ana(bot: BotHarness) -> Caller:
    """The owner of an open table."""
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    return ana


def failing(error: Exception) -> Callable[..., object]:
    async def broken(*_: object, **__: object) -> None:
        raise error

    return broken


async def test_a_change_that_was_not_stored_is_told_as_not_done(
    bot: BotHarness, store: FaultyStore, ana: Caller
) -> None:
    store.fails = "before"
    assert (await bot.say(ana, "cut", words="seven")).notice == NOT_DONE
    store.fails = ""
    assert (await bot.say(ana, "cut", words="seven")).notice == "You cut the deck."


@pytest.mark.parametrize("known", [True, False])
async def test_a_failure_is_told_in_the_senders_language(
    bot: BotHarness, store: FaultyStore, known: bool
) -> None:
    ana = bot.caller("Ana", locale="es-MX")
    if known:
        await bot.say(ana, "help")
    store.account = failing(StoreError("the line is dead"))  # type: ignore[method-assign, assignment]
    store.tables = failing(StoreError("the line is dead"))  # type: ignore[method-assign, assignment]
    reply = await bot.dispatcher.command(ana, "join", {}, "1")
    assert reply.notice.startswith("Eso no se ha hecho: ahora mismo no puedo guardar nada.")
    # Public, so that the platform need not ask the store how to reach the sender alone.
    assert reply.public


async def test_an_uncertain_commit_that_is_found_is_a_success(
    bot: BotHarness, store: FaultyStore, ana: Caller
) -> None:
    store.fails = "after"
    assert (await bot.say(ana, "cut", words="seven")).notice == "You cut the deck."
    store.fails = ""
    await bot.clock.advance(5)
    assert (await bot.table()).cuts == ((0, "seven"),)
    assert "Ana cut the deck: seven" in text(bot.public_panel())


async def test_an_uncertain_commit_that_cannot_be_looked_up_is_told_so(
    bot: BotHarness, store: FaultyStore, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.fails = "after"
    with monkeypatch.context() as down:
        down.setattr(store, "has_delivery", failing(StoreError("the line is dead")))
        assert (await bot.say(ana, "cut", words="seven")).notice == UNSURE
    store.fails = ""
    # The next change finds what was stored.
    assert (await bot.say(ana, "cut", words="eight")).notice == "You cut the deck."
    assert [entry.kind for entry in (await bot.table()).entries].count("cut") == 2


async def test_an_uncertain_commit_that_is_not_found_may_still_come(
    bot: BotHarness, store: FaultyStore, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "append", failing(Uncertain("the line is dead")))
    assert (await bot.say(ana, "cut", words="seven")).notice == UNSURE


@pytest.mark.parametrize("command", ["cut", "end"])
async def test_an_uncertain_commit_is_looked_up_once_and_answered_in_time(
    bot: BotHarness, store: FaultyStore, ana: Caller, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    lookups: list[str] = []

    async def lost(delivery: str) -> bool:
        lookups.append(delivery)
        return await asyncio.Future[bool]()

    monkeypatch.setattr(store, "append", failing(Uncertain("the line is dead")))
    monkeypatch.setattr(store, "has_delivery", lost)
    with idle_time_skipped():
        began = asyncio.get_running_loop().time()
        assert (await bot.say(ana, command, words="seven")).notice == UNSURE
        passed = asyncio.get_running_loop().time() - began
    assert len(lookups) == 1
    assert passed == pytest.approx(delivery_deadline.REPLY_TIMEOUT, abs=0.1)


async def test_an_uncertain_commit_that_is_found_but_cannot_be_read_was_done(
    bot: BotHarness, store: FaultyStore, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.fails = "after"
    monkeypatch.setattr(store, "load", failing(StoreError("the line is dead")))
    assert (await bot.say(ana, "cut", words="seven")).notice == DONE


async def test_a_new_table_that_was_stored_is_told_of(bot: BotHarness, store: FaultyStore) -> None:
    store.fails = "after"
    assert (await bot.say(bot.caller("Ana"), "new", game="casino")).notice == DONE
    store.fails = ""
    assert len(await store.tables(PLACE)) == 1


async def test_a_rematch_that_was_stored_in_part_is_told_of(
    bot: BotHarness, store: FaultyStore, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bot.say(ana, "start")
    await bot.end(ana)
    append, batches = store.append, len(store.batches)

    async def once(batch: object) -> object:
        if len(store.batches) > batches:
            raise StoreError("no space left")
        return await append(batch)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "append", once)
    assert (await bot.say(ana, "rematch")).notice == DONE


async def test_a_failure_after_the_commit_does_not_deny_it(
    bot: BotHarness, store: FaultyStore, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    beto = bot.caller("Beto")
    await bot.say(beto, "help")
    monkeypatch.setattr(bot.dispatcher.panels.requests, "reach", failing(StoreError("the line is dead")))
    assert (await bot.say(beto, "join")).notice == DONE
    assert len((await bot.table()).players) == 2


async def test_who_acts_at_a_table_that_cannot_be_read_is_told_that_it_cannot_go_on(
    bot: BotHarness, store: FaultyStore, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.dispatcher.service._commits, "cache", TableCache(bot.clock))
    monkeypatch.setattr(store, "load", failing(Unreadable("row 3")))
    reply = await bot.say(ana, "cut", words="seven")
    assert reply.notice == "Something is wrong with that table, so it can't go on. Open a new one."


async def test_a_departure_can_be_tried_again(bot: BotHarness, store: FaultyStore, ana: Caller) -> None:
    store.fails = "before"
    with pytest.raises(StoreError):
        await bot.dispatcher.depart(ana)
    store.fails = ""
    await bot.dispatcher.depart(ana)
    await settle()
    assert not await store.tables_of(await bot.person(ana))


async def test_a_stranger_who_departs_is_not_stored(bot: BotHarness, store: FaultyStore) -> None:
    await bot.dispatcher.depart(Caller("zoe", "Zoe", Place("wall", "square")))
    assert await store.account("wall", "zoe") is None
