"""The network to Telegram fails (refused, cut off, silent) and recovers."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator

import pytest

from adapters.telegram.platform import Options, TelegramPlatform
from bot.app import running
from bot.model.places import Place
from bot.ports import Caller, NotAdmitted
from bot.store.memory.store import MemoryStore
from tests.adapters.telegram.emulator import TOKEN, Emulator, refusing
from tests.adapters.telegram.gate import Gate, gated
from tests.adapters.telegram.test_answers import to_play
from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import (
    GROUP,
    NetworkClock,
    World,
    ended,
    opened,
    played,
    served,
    tells_end,
)
from tests.support.clock import VirtualClock
from tests.support.waiting import Waiting

pytestmark = pytest.mark.real


async def stop(seconds: float) -> None:
    """An `on_sleep` of a clock that cancels the task which sleeps."""
    raise asyncio.CancelledError


@pytest.fixture
async def wire() -> AsyncIterator[tuple[World, Gate]]:
    async with gated() as both:
        yield both


async def cut_network(world: World, gate: Gate) -> None:
    """Cuts the network."""
    world.deaf = True
    await gate.shut()
    await world.quiet()


async def restore_network(world: World, gate: Gate) -> None:
    """Restores the network and lets 80 seconds pass."""
    await gate.open()
    await world.pass_(40)
    world.deaf = False
    await world.pass_(40)


async def until_logged(words: str, caplog: pytest.LogCaptureFixture) -> None:
    """Waits in real time until the log contains the words."""
    waiting = Waiting(f"a log of {words!r}")
    while words not in caplog.text:
        waiting.check()
        await asyncio.sleep(0)


async def test_a_press_made_while_the_network_is_down_is_heard_once(wire: tuple[World, Gate]) -> None:
    world, gate = wire
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    mover = await to_play(world, ana, bob)
    await cut_network(world, gate)
    query = mover.query(mover.panel, mover.can("move")[0].data)
    await world.emulator.enqueue_update({"callback_query": query}, token=TOKEN)
    await world.pass_(100)
    assert (await world.table()).stamp == 0
    await restore_network(world, gate)
    assert (await world.table()).stamp == 1
    await played(world, ana, bob)


async def test_a_game_that_went_on_meanwhile_is_shown_once_and_newest(wire: tuple[World, Gate]) -> None:
    world, gate = wire
    await world.deal_to_computers("cardlebones")
    await world.pass_(5)
    await cut_network(world, gate)
    here = len(world.shown(GROUP))
    await world.pass_(200)
    assert (await world.table()).status == "over"
    assert not tells_end(world.public_panel())
    await restore_network(world, gate)
    assert tells_end(world.public_panel())
    assert len(world.shown(GROUP)) == here


async def test_an_edit_whose_answer_is_lost_is_made_once_more(wire: tuple[World, Gate]) -> None:
    world, gate = wire
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP)
    await world.pass_(10)
    gate.losing = b"/editMessageText"
    await bob.presses(world.public_panel(), "Join")
    await world.pass_(20)
    assert gate.losing == b""
    assert "Bob" in world.public_panel().plain
    assert len(world.shown(GROUP)) == 1
    await ana.presses(world.public_panel(), "Start")
    await played(world, ana, bob)


async def test_an_answer_whose_answer_is_lost_is_given_once(wire: tuple[World, Gate]) -> None:
    world, gate = wire
    ana = world.player(1, "Ana")
    gate.losing = b"/sendMessage"
    await ana.writes("/weather@sobremesa_bot", GROUP)
    await world.pass_(60)
    assert gate.losing == b""
    assert (len(world.shown(GROUP)), len(ana.alone())) == (0, 1)


async def test_a_table_posted_again_after_a_lost_answer_goes_on_in_the_second_message(
    wire: tuple[World, Gate],
) -> None:
    world, gate = wire
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    gate.losing = b"/sendMessage"
    await ana.writes("/new casino", GROUP)
    await world.pass_(20)
    await bob.presses(world.public_panel(), "Join")
    await world.pass_(20)
    assert gate.losing == b""
    assert ["Bob" in message.plain for message in world.shown(GROUP)] == [False, True]


async def test_a_press_whose_answer_is_lost_counts(wire: tuple[World, Gate]) -> None:
    world, gate = wire
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP)
    gate.losing = b"/answerCallbackQuery"
    await bob.presses(world.public_panel(), "Join")
    assert gate.losing == b""
    assert len((await world.table()).players) == 2


async def test_an_edit_that_is_never_answered_is_given_up_and_tried_again(
    wire: tuple[World, Gate], monkeypatch: pytest.MonkeyPatch
) -> None:
    world, gate = wire
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    mover = await to_play(world, ana, bob)
    monkeypatch.setattr("adapters.telegram.transport._SLACK", 0.0)
    world.line._timeout = 0.2
    gate.silent = world.deaf = True
    caller = Caller(str(mover.user), mover.name, Place("telegram", str(mover.user)), private=True)
    await world.dispatcher.press(caller, mover.can("move")[0].data, "a delivery of its own")
    await world.pass_(10)
    before = world.public_panel().plain
    gate.silent, world.line._timeout = False, 10.0
    await world.pass_(40)
    world.deaf = False
    assert world.public_panel().plain != before
    assert len(world.shown(GROUP)) == 1


async def test_a_poll_that_is_never_answered_is_given_up_and_tried_again(
    wire: tuple[World, Gate], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world, gate = wire
    await cut_network(world, gate)
    monkeypatch.setattr("adapters.telegram.transport._SLACK", 0.0)
    monkeypatch.setattr("adapters.telegram.polling.POLL", 0)
    polls = world.platform._requests[1]
    polls._timeout, gate.silent = 0.2, True
    await gate.open()
    await world.pass_(1)
    await until_logged("Timed out", caplog)
    monkeypatch.undo()
    polls._timeout, gate.silent = 10.0, False
    await world.pass_(10)
    world.deaf = False
    await world.player(1, "Ana").writes("/new casino", GROUP)
    assert "Casino, table 1" in world.public_panel().plain


async def test_the_log_says_once_that_polling_fails_and_once_that_it_works_again(
    wire: tuple[World, Gate], caplog: pytest.LogCaptureFixture
) -> None:
    world, gate = wire
    caplog.set_level(logging.INFO, "adapters.telegram")
    await cut_network(world, gate)
    await world.pass_(200)
    await restore_network(world, gate)
    await world.player(1, "Ana").writes("/new casino", GROUP)
    logged = [record.getMessage() for record in caplog.records if "updates" in record.getMessage()]
    assert logged == [
        "the bot cannot poll for updates (ServerDisconnectedError); trying again",
        "the bot receives updates again",
    ]


async def test_a_bot_that_starts_without_network_waits_for_it(port: int) -> None:
    async def open_at_last(seconds: float) -> None:
        if len(clock.slept) == 3:
            await gate.open()

    async with served(Emulator()) as url:
        gate, clock = Gate(url, port), VirtualClock(on_sleep=open_at_last)
        await gate.open()
        await gate.shut()
        platform = TelegramPlatform(TOKEN, clock, Options(gate.url))
        await platform.enter()
        assert clock.slept == [5.0, 10.0, 20.0]
        await platform.close()
        await gate.shut()


@pytest.mark.parametrize("by", ["enter", "run"])
async def test_a_bot_that_is_stopped_before_it_has_a_connection_leaves_nothing_open(
    by: str, caplog: pytest.LogCaptureFixture
) -> None:
    platform = TelegramPlatform(TOKEN, VirtualClock(on_sleep=stop), Options("http://127.0.0.1:1"))
    async with running(MemoryStore(), VirtualClock(), {}) as dispatcher:
        with pytest.raises(asyncio.CancelledError):
            await (platform.enter() if by == "enter" else platform.run(dispatcher))
    del platform
    gc.collect()
    assert [record.getMessage() for record in caplog.records if "Unclosed" in record.getMessage()] == []


async def test_without_a_connection_the_log_asks_for_the_network(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(asyncio.CancelledError):
        await TelegramPlatform(TOKEN, VirtualClock(on_sleep=stop), Options("http://127.0.0.1:1")).enter()
    assert "Telegram cannot be reached (no network? ClientConnectorError)" in caplog.text


async def test_another_program_with_the_same_token_is_logged_and_outlived(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "adapters.telegram")
    async with opened() as world:
        world.deaf = True
        other = TelegramPlatform(TOKEN, NetworkClock(), Options(str(world.platform._options.api_url)))
        await other.enter()
        taken = asyncio.create_task(other.bot.get_updates(timeout=30))
        await until_logged("another program polls for this bot's updates", caplog)
        # The bot's next getUpdates now ends the other program's.
        await world.pass_(1)
        with pytest.raises(Exception, match="terminated by other getUpdates request"):
            await taken
        await other.close()
        world.deaf = False
        await world.player(1, "Ana").writes("/new casino", GROUP)
        assert "Casino, table 1" in world.public_panel().plain
        assert "the bot receives updates again" in caplog.text


async def test_a_token_that_is_withdrawn_ends_the_bot_with_the_reason() -> None:
    emulator = Emulator()
    emulator.book.faults.append(refusing("getUpdates", "Unauthorized", 401))
    with pytest.raises(NotAdmitted, match="doesn't accept TELEGRAM_TOKEN"):
        await ended(emulator)


async def test_a_login_is_tried_again_if_telegram_asks_to_wait(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    emulator = Emulator()
    emulator.book.faults.append(refusing("getMe", "Too Many Requests", 429, retry_after=9))
    async with opened(emulator, late=True) as world:
        await world.pass_(60)
        assert world.platform.is_connected
    assert "Flood control exceeded" in caplog.text


async def test_the_bot_counts_as_connected_unless_polls_fail_repeatedly() -> None:
    emulator = Emulator()
    emulator.book.faults += [refusing("getUpdates", "Bad Gateway", 502) for _ in range(2)]
    async with opened(emulator) as world:
        world.deaf = True
        states = [world.platform.is_connected]
        await world.pass_(1)
        states.append(world.platform.is_connected)
        world.deaf = False
        await world.pass_(2)
        states.append(world.platform.is_connected)
    assert [*states, world.platform.is_connected] == [True, False, True, False]


@pytest.mark.parametrize("wrong", ["<html>", {"update_id": 5}, [5], [{}], [{"update_id": "5"}]])
async def test_a_poll_that_returns_no_list_of_updates_is_tried_again(
    wrong: object, caplog: pytest.LogCaptureFixture
) -> None:
    emulator = Emulator()
    emulator.book.wrong.append(wrong)
    async with opened(emulator) as world:
        await world.pass_(2)
        await world.player(1, "Ana").writes("/new casino", GROUP)
        assert "Casino, table 1" in world.public_panel().plain
    assert "what came is no list of updates" in caplog.text


async def test_polls_wait_as_long_as_telegram_asks() -> None:
    emulator = Emulator()
    emulator.book.faults.append(refusing("getUpdates", "Too Many Requests", 429, retry_after=9))
    async with opened(emulator) as world:
        world.deaf = True
        polls = len(emulator.book.polls)
        await world.pass_(8)
        assert len(emulator.book.polls) == polls
        await world.pass_(1)
        assert len(emulator.book.polls) == polls + 1


async def test_stopping_confirms_the_last_update_and_logs_no_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    async with opened() as world:
        number = await world.player(1, "Ana").writes("/new casino", GROUP)
    last = world.emulator.book.polls[-1]
    assert (int(last["offset"]), int(last.get("timeout", 0))) == (number + 1, 0)
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.INFO] == []
    assert "last updates again" not in caplog.text
