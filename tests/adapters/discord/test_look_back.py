"""Looking back on Discord: one private message shows its progress, then the analysis."""

from __future__ import annotations

from bot.inbox.analyses import PROGRESS_EVERY
from tests import luck
from tests.adapters.discord.test_play import begun, next_player, press_on
from tests.adapters.discord.world import Player, World, opened
from tests.support.judging import Judge, use


def alone(world: World, player: Player) -> list[str]:
    """The texts in a player's private chat."""
    return [str(one.content) for one in world.env.backend.messages[player.member.user.dm_channel.id].values()]


async def test_a_private_message_is_edited_until_it_has_what_is_found() -> None:
    async with opened() as world:
        ana, _ = await begun(world, "cardlebones", 2)
        while player := await next_player(world):
            await press_on(player, player.panel, luck.rng())
        assert world.client.dispatcher
        judge = use(world.client.dispatcher, Judge(gated=True))
        told = (await ana.types("analyse")).response
        assert told
        assert told.ephemeral
        assert told.content == "I'm looking back at the game. You'll get it in our private chat."
        messages = alone(world, ana)
        assert "I'm looking back at the game: 0%." in messages[-1]
        judge.open()
        await world.clock.advance(PROGRESS_EVERY)
        assert "Your chance: " in alone(world, ana)[-1]
        assert len(alone(world, ana)) == len(messages)
        again = (await ana.presses(world.public_panel, "Look back")).response
        assert again
        assert again.ephemeral
        assert "Your chance: " in again.content
