"""Games that hide nothing are played at the public table: all see the buttons, one player may press."""

from __future__ import annotations

import pytest

from engines.values import replace
from tests.support.games import every_game
from tests.support.harness import bot_harness, offers
from tests.support.platform import ROOMY, FakePlatform


@every_game
async def test_the_moves_stand_at_the_table_where_nothing_is_hidden(key: str) -> None:
    async with bot_harness() as bot:
        await bot.begin(key, "Ana", "Beto")
        table = await bot.table()
        shown = [button.data.split(":", 3)[-1] for button in offers(bot.public_panel(), "move")]
        moves = [str(move) for move in table.game.moves(table.state, table.required()[0])]
        assert shown == ([] if table.game.hidden else moves)


async def test_who_is_to_move_presses_at_the_table_and_others_are_told_in_private_why_not() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("cardlebones", "Ana", "Beto")
        mover = await bot.to_play(people)
        (other,) = [caller for caller in people if caller != mover]
        press = offers(bot.public_panel(), "move")[0].data
        posted = len(bot.platform.requests)
        reply = await bot.press(other, press)
        assert (reply.notice, reply.public) == ("It isn't your turn.", False)
        reply = await bot.press(bot.caller("Carla"), press)
        assert reply.notice
        assert ((await bot.table()).stamp, len(bot.platform.requests)) == (0, posted)
        await bot.press(mover, press)
        assert (await bot.table()).stamp == 1
        assert offers(bot.public_panel(), "move")[0].data != press


async def test_nobody_presses_for_a_computer() -> None:
    async with bot_harness() as bot:
        await bot.begin("cardlebones", "Ana")
        for _ in range(20):
            table = await bot.table()
            if not table.is_playing:
                break
            moving = table.players[table.required()[0]]
            assert bool(offers(bot.public_panel(), "move")) != moving.is_computer
            if moving.is_computer:
                await bot.clock.advance(3)
            else:
                await bot.press(bot.caller("Ana"), offers(bot.public_panel(), "move")[0].data)


@pytest.mark.parametrize("is_closed", [False, True])
async def test_who_confirms_moves_is_asked_after_a_press_at_the_table(is_closed: bool) -> None:
    platform = FakePlatform(limits=replace(ROOMY, pages=not is_closed))
    if is_closed:
        platform.closed |= {"ana", "beto"}
    async with bot_harness(platform=platform) as bot:
        mover = await bot.to_play(await bot.begin("cardlebones", "Ana", "Beto"))
        await bot.say(mover, "settings", setting="careful", value="on")
        reply = await bot.press(mover, offers(bot.public_panel(), "move")[0].data)
        assert (await bot.table()).stamp == 0
        if is_closed:
            assert reply.hand_table == (await bot.table()).id
        else:
            await bot.press(mover, offers(reply.page, "sure")[0].data, replaceable=True)
            assert (await bot.table()).stamp == 1
