"""Colours, buttons that copy and folded texts, and what a server that does not know them is sent instead."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from tests.adapters.telegram.emulator import Emulator
from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import GROUP, Player, World, opened

pytestmark = pytest.mark.real


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


async def over(world: World) -> tuple[Player, Player]:
    """Ana and Bob at a table that is over."""
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", "es")
    await dealt(world, ana, bob, "cardlebones")
    await ana.closes_the_table()
    await world.pass_(10)
    return ana, bob


def styles(world: World) -> dict[str, str]:
    """The styles of the buttons in all requests, by label; without the buttons that have none."""
    markups = [json.loads(call.fields.get("reply_markup", "{}")) for call in world.emulator.book.calls]
    rows = [row for markup in markups for row in markup.get("inline_keyboard", ())]
    return {button["text"]: button["style"] for row in rows for button in row if "style" in button}


async def test_the_seed_can_be_copied(world: World) -> None:
    _, bob = await over(world)
    await bob.writes("/comprobar", GROUP)
    page = bob.alone()[-1]
    (copied,) = [key for key in page.buttons if key.copy]
    seed = (await world.table()).seed_source.opened()
    assert (copied.label, copied.copy) == ("Copiar la semilla", seed)
    assert seed in page.plain


async def test_the_log_is_folded_beside_its_file(world: World) -> None:
    _, bob = await over(world)
    await bob.writes("/registro", GROUP)
    assert bob.alone()[-1].html.startswith("<blockquote expandable>")
    assert [chat for chat, _, _ in world.emulator.book.documents] == [2]


async def test_the_main_buttons_alone_stand_out(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino", GROUP)
    assert styles(world) == {"Join": "primary", "Start": "primary"}


async def test_a_server_that_knows_no_styles_and_folds_is_sent_plain_buttons_and_texts() -> None:
    emulator = Emulator()
    emulator.knows_buttons = emulator.knows_tags = False
    async with opened(emulator) as world:
        await world.player(1, "Ana").writes("/new casino", GROUP)
        await world.pass_(10)
        begun = len(world.emulator.book.calls)
        _, bob = await over(world)
        await bob.writes("/comprobar", GROUP)
        assert bob.alone()[-1].buttons == []
        await bob.writes("/registro", GROUP)
        assert "<blockquote" not in bob.alone()[-1].html
        markups = [str(call.fields.get("reply_markup")) for call in world.emulator.book.calls]
        styled = ["style" in markup or "copy_text" in markup for markup in markups]
        # A server that has refused them once is sent none again.
        assert (any(styled[:begun]), any(styled[begun:])) == (True, False)
