"""A private panel that later messages have scrolled up is posted again when its player may move."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.outbox.private_chats import BURIED_IN_PRIVATE
from bot.ports import Caller
from engines.values import replace
from tests.support.harness import BotHarness, bot_harness, offers
from tests.support.platform import ROOMY, FakePlatform


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def mover(bot: BotHarness) -> Caller:
    """The player whose turn it is, in the private chat, at a table with another player."""
    people = await bot.begin("casino", "Ana", "Beto")
    return replace(await bot.to_play(people), private=True)


async def first_move(bot: BotHarness) -> str:
    """The first legal move of the player whose turn it is."""
    table = await bot.table()
    return str(next(iter(table.game.moves(table.state, table.active()[0]))))


async def chat(bot: BotHarness, caller: Caller, messages: int) -> None:
    """Writes so many lines in the private chat, each of which the bot answers."""
    for _ in range(messages):
        await bot.type(caller, "hello")


async def round_of_moves(bot: BotHarness, ana: Caller) -> None:
    """A player types a move, and the other presses one."""
    await bot.type(ana, await first_move(bot))
    await press_of_the_other(bot, ana)


async def press_of_the_other(bot: BotHarness, ana: Caller) -> None:
    """The other player presses a move."""
    table = await bot.table()
    other = bot.caller(next(player.name for player in table.players if player.name != ana.name))
    await bot.press(other, f"{table.id}:{table.stamp}:move:{await first_move(bot)}")


async def test_a_buried_panel_is_posted_again_below(bot: BotHarness) -> None:
    ana = await mover(bot)
    await chat(bot, ana, BURIED_IN_PRIVATE)
    bot.platform.requests.clear()
    await round_of_moves(bot, ana)
    sent = [request for request in bot.platform.requests if request == "delete" or ana.user in request]
    assert sent.count(f"whisper alone:{ana.user}") == sent.count("delete") == 1
    assert offers(bot.panel(ana), "move")


async def test_a_panel_in_sight_is_edited(bot: BotHarness) -> None:
    ana = await mover(bot)
    bot.platform.requests.clear()
    await round_of_moves(bot, ana)
    assert f"whisper alone:{ana.user}" not in bot.platform.requests
    assert f"edit alone:{ana.user}" in bot.platform.requests


async def test_a_buried_panel_is_posted_once(bot: BotHarness) -> None:
    ana = await mover(bot)
    await chat(bot, ana, BURIED_IN_PRIVATE)
    for _ in range(2):
        await round_of_moves(bot, ana)
    assert bot.platform.requests.count(f"whisper alone:{ana.user}") == 3, "at the table, at the deal, buried"


async def test_a_panel_that_is_pressed_is_in_sight(bot: BotHarness) -> None:
    ana = await mover(bot)
    await chat(bot, ana, BURIED_IN_PRIVATE)
    table = await bot.table()
    bot.platform.requests.clear()
    await bot.press(ana, f"{table.id}:{table.stamp}:top")
    await bot.press(ana, f"{table.id}:{table.stamp}:move:{await first_move(bot)}")
    await press_of_the_other(bot, ana)
    assert f"whisper alone:{ana.user}" not in bot.platform.requests


async def test_panels_of_other_tables_bury_too(bot: BotHarness) -> None:
    ana = await mover(bot)
    here = bot.caller(ana.name)
    for place in ("park", "plaza", "hill"):
        await bot.say(replace(here, place=bot.platform.place(place)), "new", game="svoi")
    # These messages alone would not bury it: the panels of the other tables do.
    await chat(bot, ana, BURIED_IN_PRIVATE - 4)
    bot.platform.requests.clear()
    await bot.say(here, "play", move=await first_move(bot), table="1")
    await press_of_the_other(bot, ana)
    assert bot.platform.requests.count(f"whisper alone:{ana.user}") == 1


async def test_where_no_message_is_edited_none_is_buried() -> None:
    async with bot_harness(platform=FakePlatform(limits=replace(ROOMY, edits=False))) as bot:
        ana = await mover(bot)
        await bot.type(ana, await first_move(bot))
        # Each page is a new message: what buries it comes before it changes next.
        await chat(bot, ana, BURIED_IN_PRIVATE)
        bot.platform.requests.clear()
        await press_of_the_other(bot, ana)
        assert offers(bot.panel(ana), "move")
        assert bot.platform.requests.count(f"whisper alone:{ana.user}") == 1
        assert "delete" not in bot.platform.requests
