"""Hints on Discord: a command and a button are answered with a message that only their sender sees."""

from __future__ import annotations

from tests.adapters.discord.test_play import begun, next_player
from tests.adapters.discord.world import actions, opened


async def test_a_hint_is_for_its_sender_alone_and_its_button_plays_it() -> None:
    async with opened() as world:
        await begun(world, "cardlebones", 2)
        player = await next_player(world)
        assert player
        public_panel = world.public_panel.content
        page = (await player.types("hint")).response
        assert page
        assert page.ephemeral
        assert page.content.startswith(("Hint: ", "Pista: "))
        pressed = (await player.clicks(player.panel, actions(player.panel, "hint")[0])).response
        assert pressed
        assert pressed.content == page.content
        assert world.public_panel.content == public_panel
        stamp = (await world.table()).stamp
        await player.clicks(page, actions(page, "move")[0])
        assert (await world.table()).stamp == stamp + 1
