"""Looking back on Telegram: one message of the private chat shows its progress, then the analysis."""

from __future__ import annotations

import pytest

from bot.inbox.handlers.finished_games.analyses import PROGRESS_EVERY
from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import GROUP, opened
from tests.support.judging import Judge, finish, use

pytestmark = pytest.mark.real


async def test_a_message_of_the_private_chat_is_edited_until_it_has_what_is_found() -> None:
    async with opened() as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob", language="es")
        await dealt(world, ana, bob, "cardlebones")
        await finish(world.dispatcher.service, await world.table())
        await world.pass_(30)
        judge = use(world.dispatcher, Judge(gated=True))
        group = [one.plain for one in world.shown(GROUP)]
        await bob.writes("/analizar", GROUP)
        message = bob.alone()[-1]
        assert "Estoy repasando la partida: 0 %." in message.plain
        judge.open()
        await world.pass_(PROGRESS_EVERY)
        assert bob.alone()[-1].id == message.id
        assert "Tu probabilidad: " in bob.alone()[-1].plain
        assert [one.plain for one in world.shown(GROUP)] == group
        await ana.presses(ana.panel, "Look back")
        assert "Your chance: " in ana.alone()[-1].plain
