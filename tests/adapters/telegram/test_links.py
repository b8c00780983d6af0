"""Links between the private chat and the table in the group."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.telegram.platform import TelegramPlatform
from tests.adapters.telegram.emulator import TOKEN
from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import GROUP, World, opened
from tests.support.clock import VirtualClock


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


@pytest.mark.real
async def test_opening_the_private_chat_leads_back_to_the_table(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", "es", opened=False)
    await dealt(world, ana, bob)
    public_panel = world.public_panel()
    await bob.presses(public_panel, "Open our private chat")
    button = bob.alone()[-1].button("Volver a Casino")
    assert button.url == f"https://t.me/c/1/{public_panel.id}"
    assert "No tengo" not in bob.alone()[-1].plain


@pytest.mark.real
async def test_where_a_group_has_no_links_that_is_said(world: World) -> None:
    small = -77
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", "es", opened=False)
    await ana.writes("/new casino", small)
    await bob.presses(world.public_panel(small), "Join")
    await bob.follows("https://t.me/sobremesa_bot?start=hello")
    assert "No tengo ningún enlace a tu grupo." in bob.alone()[-1].plain
    assert bob.alone()[-1].buttons == []


@pytest.mark.real
async def test_a_table_of_the_private_chat_needs_no_way_back(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino")
    await ana.follows("https://t.me/sobremesa_bot?start=hello")
    assert ana.alone()[-1].plain == "Here are your tables. Good luck!"


@pytest.mark.real
async def test_the_title_of_a_private_page_leads_to_the_table(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    assert ana.panel.html.startswith(
        f'<a href="https://t.me/c/1/{world.public_panel().id}"><b>Casino, table 1</b></a>'
    )
    assert world.public_panel(GROUP).links == []


@pytest.mark.parametrize(
    ("message", "link"),
    [
        ("-1001234567890/55", "https://t.me/c/1234567890/55"),
        ("-1012345678901/55", "https://t.me/c/12345678901/55"),
        ("-100234567/55", ""),
        ("-4234567890/55", ""),
        ("1234567890/55", ""),
    ],
)
async def test_only_messages_of_supergroups_have_addresses(message: str, link: str) -> None:
    assert TelegramPlatform(TOKEN, VirtualClock()).message_link(message) == link
