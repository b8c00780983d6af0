"""Hints on Telegram come to the private chat, by a command in the group and by a button of the panel."""

from __future__ import annotations

import pytest

from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import GROUP, opened

pytestmark = pytest.mark.real


async def test_a_hint_comes_to_the_private_chat_and_its_button_plays_it() -> None:
    async with opened() as world:
        ana, bob = world.player(1, "Ana"), world.player(2, "Bob", language="es")
        await dealt(world, ana, bob, "cardlebones")
        mover = ana if ana.can("hint") else bob
        panel, group = mover.panel, [message.plain for message in world.shown(GROUP)]
        await mover.writes("/hint", GROUP)
        word = "Hint: " if mover is ana else "Pista: "
        assert mover.alone()[-1].plain.startswith(word)
        hint = mover.alone()[-1].plain
        await mover.presses(panel, next(button for button in panel.buttons if button.data.endswith(":hint")))
        assert [message.plain for message in mover.alone()].count(hint) == 2
        assert [message.plain for message in world.shown(GROUP)] == group
        stamp = (await world.table()).stamp
        await mover.presses(mover.alone()[-1], mover.alone()[-1].buttons[0])
        assert (await world.table()).stamp == stamp + 1
