"""A bot that is killed without warning loses no confirmed action, repeats none, and tells no secret."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import luck
from tests.bot.crash.child import CHATS, PEOPLE
from tests.bot.crash.processes import World, check, remember, send_again, settled
from tests.support.long import LONG

KILLS = 300 if LONG else 6


@pytest.mark.real
@pytest.mark.timeout(3600)
async def test_a_killed_bot_goes_on_where_it_was(new_world: Callable[..., World], tmp_path: Path) -> None:
    # When it is killed follows from the seed; how far the bot is by then depends on the machine's speed,
    # so all that was sent and answered is printed if the test fails.
    rng = luck.rng("kills")
    world = new_world(str(tmp_path / "bot.db"))
    bot, commits = await world.process(), 0
    # Random deliveries alone may deal no cards before the last kill.
    for delivery in (
        world.command("ana", "square", "new", game="casino", players="2"),
        world.command("ana", "square", "start"),
    ):
        await bot.ask(delivery)
    for round_ in range(KILLS):
        for _ in range(rng.randrange(3, 12)):
            bot.send(world.anything(PEOPLE, CHATS))
            await asyncio.sleep(rng.uniform(0, 0.02))
        tables = await settled(bot)
        check(world, tables)
        match round_ % 3:
            case 0:
                bot.kill_at = ("commit", bot.heard["commit"] + rng.randrange(1, 6))
            case 1:
                # Answered, but perhaps not yet shown to all readers, nor answered by a computer's move.
                bot.kill_at = ("answer", bot.heard["answer"] + rng.randrange(1, 4))
            case 2:
                remember(world, tables)
        if bot.kill_at:
            for _ in range(12):
                bot.send(world.anything(PEOPLE, CHATS))
            await asyncio.sleep(rng.uniform(0, 0.5))
        await bot.kill()
        commits += bot.heard["commit"]
        bot = await world.process()
        tables = await settled(bot)
        check(world, tables)
        print(f"restarted after kill {round_ + 1}: {len(world.logs)} tables, {commits} commits")
        world.drafts.clear()
        await send_again(world, tables, bot)
    assert commits > KILLS
    assert world.scanned > 0
    assert await bot.stop() == 0
