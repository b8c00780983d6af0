"""Looking back on Discord: one private message shows its progress, then the analysis."""

from __future__ import annotations

from bot.inbox.handlers.finished_games.analyses import PROGRESS_EVERY
from tests import luck
from tests.adapters.discord.test_play import begun, next_player, press_on
from tests.adapters.discord.world import Player, World, opened
from tests.support.judging import Judge, use


def private_texts(world: World, player: Player) -> list[str]:
    """The texts in a player's private chat."""
    return [
        str(message.content)
        for message in world.env.backend.messages[player.member.user.dm_channel.id].values()
    ]


async def test_one_private_message_shows_the_progress_and_then_the_analysis() -> None:
    async with opened() as world:
        ana, _ = await begun(world, "cardlebones", 2)
        rng = luck.rng()
        while player := await next_player(world):
            await press_on(player, player.panel, rng)
        assert world.client.dispatcher
        judge = use(world.client.dispatcher, Judge(gated=True))
        answer = (await ana.types("analyse")).response
        assert answer
        assert answer.ephemeral
        assert answer.content == "I'm looking back at the game. You'll get it in our private chat."
        messages = private_texts(world, ana)
        assert "I'm looking back at the game: 0%." in messages[-1]
        judge.open()
        await world.clock.advance(PROGRESS_EVERY)
        assert "Your chance: " in private_texts(world, ana)[-1]
        assert len(private_texts(world, ana)) == len(messages)
        pressed = (await ana.presses(world.public_panel, "Look back")).response
        assert pressed
        assert pressed.ephemeral
        assert "Your chance: " in pressed.content
