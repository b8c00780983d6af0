"""Panels that cannot be delivered are not owed, until their reader or their place can be reached."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from bot.errors import PlatformError
from bot.model.ids import PUBLIC
from bot.model.people import Account
from bot.ports import Caller, Departed, Forbidden, Later, Rejected, Unreachable
from bot.storage import StoreError
from bot.store.memory.store import MemoryStore
from tests.bot.outbox.test_panels import move
from tests.support.clock import VirtualClock
from tests.support.harness import ALONE, PLACE, BotHarness, bot_harness, text
from tests.support.platform import FakePlatform
from tests.support.stores import BeforeSent, unsent_panels

STORED = 10.0
"""Seconds after which it is stored which panels were sent."""
DROPPED = 400.0
"""Seconds after which a message that fails every time is dropped."""


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def owed(bot: BotHarness) -> list[str]:
    """The readers of the panels that are still dirty in the store `STORED` seconds later."""
    await bot.clock.advance(STORED)
    return [panel.reader for panel in await unsent_panels(bot.store)]


async def account(bot: BotHarness, caller: Caller) -> Account:
    found = await bot.store.account("wall", caller.user)
    assert found
    return found


async def test_the_panel_of_a_player_without_a_private_chat_is_not_owed() -> None:
    async with bot_harness(platform=FakePlatform(closed={"ana", "beto"})) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        assert await owed(bot) == []
        await move(bot, people)
        assert await owed(bot) == []


async def test_a_panel_is_not_owed_once_its_private_chat_is_closed(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.closed = {"ana"}
    await move(bot, people)
    await move(bot, people)
    assert await owed(bot) == []


async def test_a_table_in_a_private_chat_owes_no_panel(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana", private=True), "new", game="casino")
    assert await owed(bot) == []


async def test_a_panel_is_not_owed_where_the_bot_may_not_post(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.forbidden = {PLACE.chat}
    await move(bot, people)
    assert await owed(bot) == []


async def test_a_panel_that_was_forbidden_is_sent_when_the_bot_is_used_in_its_place(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.forbidden = {PLACE.chat}
    await move(bot, people)
    outdated = bot.public_panel()
    bot.platform.forbidden = set()
    bot.platform.requests.clear()
    await bot.say(bot.caller("Carla"), "help")
    assert bot.platform.requests == ["edit square"]
    assert bot.public_panel() != outdated
    assert await owed(bot) == []


async def test_a_panel_that_is_refused_again_and_again_is_not_owed(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.errors = [Rejected("HTTP 400")] * 100
    await move(bot, people)
    await bot.clock.advance(DROPPED)
    assert await owed(bot) == []


async def test_a_panel_is_owed_as_long_as_the_platform_asks_to_wait(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    bot.platform.errors = [Later(20.0)] * 1000
    await move(bot, people)
    await bot.clock.advance(DROPPED)
    assert len(await owed(bot)) == 3


class Failing(BeforeSent):
    """A store that cannot note for a while which panels were sent."""

    fails = False

    async def before_sent(self) -> None:
        if self.fails:
            raise StoreError("no space left")


async def test_a_panel_that_the_store_failed_to_note_is_noted_later() -> None:
    store = Failing()
    async with bot_harness(store) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        bot.platform.lose_all(PLACE.chat)
        store.fails = True
        await move(bot, people)
        await bot.clock.advance(DROPPED)
        store.fails = False
        await bot.clock.advance(DROPPED)
        assert await owed(bot) == []


async def test_a_player_who_can_be_reached_again_gets_the_panels_of_all_tables(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    bot.platform.closed = {"ana"}
    await bot.say(ana, "new", game="casino")
    await bot.clock.advance(1)
    await bot.say(ana, "new", game="svoi")
    assert await owed(bot) == []
    bot.platform.closed = set()
    await bot.dispatcher.people.set_reachable(await account(bot, ana), True)
    await bot.clock.advance(1)
    titles = {page.above[0] for page in bot.platform.pages(ALONE + "ana")}
    assert titles == {"Svoi Kozyri, table 2", "Casino, table 1"}
    assert await owed(bot) == []


async def test_a_player_reached_again_just_before_a_crash_gets_the_panel_from_the_next_process() -> None:
    platform = FakePlatform(closed={"ana"})
    async with bot_harness(platform=platform) as bot:
        ana = bot.caller("Ana")
        await bot.say(ana, "new", game="casino")
        assert await owed(bot) == []
        platform.errors = [Later(1000.0)] * 100
        await bot.dispatcher.people.set_reachable(await account(bot, ana), True)
    platform.closed, platform.errors = set(), []
    async with bot_harness(bot.store, platform, bot.clock) as again:
        await again.clock.advance(1)
        assert "Casino, table 1" in text(again.panel(ana))
        assert await owed(again) == []


class Slow(BeforeSent):
    """A store that yields to other tasks before it saves an account, or which panel was sent."""

    async def save_account(self, account: Account) -> None:
        await asyncio.sleep(0)
        await super().save_account(account)

    async def before_sent(self) -> None:
        await asyncio.sleep(0)


@pytest.mark.parametrize("steps", range(8))
async def test_a_player_reached_while_their_panel_is_given_up_gets_it(steps: int) -> None:
    async with bot_harness(Slow(), FakePlatform(closed={"ana"})) as bot:
        ana = bot.caller("Ana")
        await bot.say(ana, "new", game="casino")
        table, person = await bot.table(), await bot.person(ana)
        bot.platform.closed = set()
        bot.dispatcher.panels.queue(table, person)
        for _ in range(steps):
            await asyncio.sleep(0)
        assert await bot.dispatcher.panels.requests.reach(table, person)
        assert "Casino, table 1" in text(bot.panel(ana))
        assert await owed(bot) == []


@pytest.mark.parametrize("error", [Forbidden, Unreachable, Departed, Rejected])
async def test_it_is_logged_why_a_panel_was_not_sent(
    bot: BotHarness, caplog: pytest.LogCaptureFixture, error: type[PlatformError]
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    caplog.clear()
    caplog.set_level(logging.INFO)
    bot.platform.errors = [error("HTTP 403")] * 3
    await move(bot, people)
    logged = [record.getMessage() for record in caplog.records if "was not sent" in record.getMessage()]
    assert logged
    assert all(f"table {table.id}: " in line and f"{error.__name__} (HTTP 403)" in line for line in logged)
    assert not any(
        name in line for line in logged for name in ("Ana", "Beto", "ana", "beto", "♠", "♥", "♦", "♣")
    )


async def test_it_is_logged_that_a_panel_waits_for_long(
    bot: BotHarness, caplog: pytest.LogCaptureFixture
) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    panel = await bot.store.panel((await bot.table()).id, PUBLIC)
    assert panel
    bot.platform.errors = [Later(5.0, "ServerDisconnectedError")] * 100
    await move(bot, people)
    await bot.clock.advance(60)
    assert "the public panel waits: Later (again in 5 s: ServerDisconnectedError)" in caplog.text


async def test_a_panel_whose_message_is_deleted_has_a_new_name_after_a_restart() -> None:
    store, platform, clock = MemoryStore(), FakePlatform(), VirtualClock(stopped=True)
    platform.remembers = 300.0
    async with bot_harness(store, platform, clock) as bot:
        [ana, _] = await bot.begin("casino", "Ana", "Beto")
        platform.errors = [Forbidden()]
        await bot.say(ana, "table")
        assert platform.pages(PLACE.chat) == []
    async with bot_harness(store, platform, clock) as bot:
        await bot.say(ana, "table")
        assert len(platform.pages(PLACE.chat)) == 1
