"""Whole games on a simulated Discord."""

from __future__ import annotations

import random

import pytest

from engines import games
from tests.adapters.discord.world import deeds, opened


@pytest.mark.parametrize("key", games())
async def test_a_whole_game_by_private_message(key: str) -> None:
    luck = random.Random(key)
    async with opened() as world:
        ana, bob = world.player("Ana"), world.player("Bob")
        await ana.types("new", game=key, level="easy")
        await bob.presses(world.board, "Join")
        await ana.presses(world.board, "Start")
        for _ in range(1500):
            player = await world.awaited((ana, bob))
            if player is None:
                await world.env.advance_time(5)
                if (await world.table()).status == "over":
                    break
                continue
            moves = deeds(player.panel, "move", "done") or deeds(player.panel, "pick", "add")
            await player.clicks(player.panel, luck.choice(moves))
        assert (await world.table()).status == "over"
