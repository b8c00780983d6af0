"""Whole games with the real library, over loopback."""

from __future__ import annotations

import pytest

from engines import games
from tests.adapters.telegram.world import GROUP, opened, played


@pytest.mark.real
@pytest.mark.timeout(400)
@pytest.mark.parametrize("key", games())
async def test_a_whole_game_with_people_and_computers(key: str) -> None:
    async with opened() as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob <b>", "es")
        await ana.writes(f"/new {key} easy", GROUP)
        await bob.presses(world.public_panel(), "Join")
        await ana.presses(world.public_panel(), "Start")
        await played(world, ana, bob)
        assert (await world.table()).status == "over"
        assert world.scan.read_with_cards
