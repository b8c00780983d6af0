"""Whole games by presses, with unmodified python-telegram-bot over the loopback."""

from __future__ import annotations

import pytest

from engines import games
from tests.adapters.telegram.world import GROUP, opened, played
from tests.support.games import every_game


@pytest.mark.real
@pytest.mark.timeout(400)
@every_game
async def test_two_people_play_a_whole_game_with_a_computer_where_a_third_fits(key: str) -> None:
    async with opened() as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob <b>", "es")
        await ana.writes(f"/new {key} easy", GROUP)
        await bob.presses(world.public_panel(), "Join")
        if with_computer := 3 in games()[key].seats:
            await ana.presses(world.public_panel(), "+ Computer")
        await ana.presses(world.public_panel(), "Start")
        await played(world, ana, bob)
        table = await world.table()
        assert table.status == "over"
        assert any(player.is_computer for player in table.players) is with_computer
        assert world.scan.read_with_cards > 10
