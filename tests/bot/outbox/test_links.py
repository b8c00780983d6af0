"""Links between a table and its players' private panels, on a platform whose messages have addresses."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.model.ids import PUBLIC
from tests.support.harness import PLACE, BotHarness, bot_harness, keys, text
from tests.support.platform import FakePlatform

HERE = "https://wall.example"


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    platform = FakePlatform()
    platform.links = HERE
    async with bot_harness(platform=platform) as opened:
        yield opened


def last_at(bot: BotHarness, chat: str) -> str:
    """The id of the last message of a chat."""
    return [
        message.id
        for message in bot.platform.messages
        if message.alive and bot.platform.chat(message) == chat
    ][-1]


async def test_the_answer_to_join_links_to_the_panel(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    reply = await bot.say(bot.caller("Beto"), "join")
    assert [button.url for button in keys(reply.page)] == [f"{HERE}//{last_at(bot, 'alone:beto')}"]


async def test_the_answer_to_new_links_to_the_panel(bot: BotHarness) -> None:
    reply = await bot.say(bot.caller("Ana"), "new", game="casino")
    assert [button.url for button in keys(reply.page)] == [f"{HERE}//{last_at(bot, 'alone:ana')}"]


async def test_a_player_whose_private_messages_are_closed_gets_no_link(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    bot.platform.closed.add("beto")
    beto = bot.caller("Beto")
    reply = await bot.say(beto, "join")
    assert "I can't send you private messages." in text(reply.page)
    assert keys(reply.page) == []
    table, links = await bot.table(), bot.dispatcher.panels.links
    assert await links.link(table, await bot.person(beto)) == ""


async def test_a_private_panel_links_to_the_table(bot: BotHarness) -> None:
    [ana, beto] = await bot.begin("casino", "Ana", "Beto")
    to_public_panel = f"{HERE}/town/{last_at(bot, PLACE.chat)}"
    assert [bot.panel(one).link for one in (ana, beto)] == [("Casino, table 1", to_public_panel)] * 2


async def test_the_link_follows_a_table_that_is_posted_again(bot: BotHarness) -> None:
    [ana, _] = await bot.begin("casino", "Ana", "Beto")
    before = bot.panel(ana).link
    await bot.say(ana, "table")
    assert bot.panel(ana).link == ("Casino, table 1", f"{HERE}/town/{last_at(bot, PLACE.chat)}")
    assert bot.panel(ana).link != before


async def test_without_addresses_there_is_no_link() -> None:
    async with bot_harness() as bot:
        [ana, _] = await bot.begin("casino", "Ana", "Beto")
        assert bot.panel(ana).link is None
        table = await bot.table()
        assert await bot.dispatcher.panels.links.link(table, PUBLIC) == ""
