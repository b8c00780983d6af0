"""Order at a table in a Telegram group: invitations, sitting in, leaving, ending by a vote, barring."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.adapters.telegram.world import GROUP, Player, World, opened

pytestmark = pytest.mark.real


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


async def names(world: World) -> list[str]:
    return [player.name for player in (await world.table()).players]


async def in_game(world: World) -> tuple[Player, Player]:
    """Starts a game of Ana, who reads Spanish, Bob, who reads English, and a computer."""
    ana, bob = world.player(1, "Ana", "es"), world.player(2, "Bob")
    await ana.writes("/new casino 3", GROUP)
    await bob.presses(world.public_panel(), "Unirse")
    await ana.presses(world.public_panel(), "Empezar")
    await world.pass_(5)
    return ana, bob


async def test_a_member_without_a_username_is_invited_by_a_mention(world: World) -> None:
    ana, bob, eve = world.player(1, "Ana"), world.player(2, "Bob 😀 Q"), world.player(3, "Eve")
    message = ana.message("/new casino Bob 😀 Q multi_capture=on", GROUP)
    mention = {"type": "text_mention", "offset": 12, "length": len("Bob 😀 Q") + 1, "user": bob.account}
    message["entities"].append(mention)
    await world.happens({"message": message})
    assert (await world.table()).options == {"multi_capture": "on"}
    await eve.presses(world.public_panel(), "Join")
    assert eve.told == "This table is only for the players who were invited."
    await bob.presses(world.public_panel(), "Join")
    assert len(await names(world)) == 2


async def test_a_person_sits_in_by_buttons_in_two_languages(world: World) -> None:
    ana, bob = await in_game(world)
    rita = world.player(3, "Rita")
    await rita.presses(world.public_panel(), "Ocupar asiento")
    await world.pass_(5)
    assert "Rita quiere jugar en lugar de" in ana.panel.plain
    assert "Rita would like to play in place of" in bob.panel.plain
    await rita.presses(world.public_panel(), "De acuerdo")
    assert rita.told == "You have no seat at this table."
    await bob.presses(bob.panel, "Agree")
    await world.pass_(5)
    assert "Falta la respuesta de Ana." in ana.panel.plain
    await ana.presses(ana.panel, "De acuerdo")
    await world.pass_(5)
    assert await names(world) == ["Ana", "Bob", "Rita"]
    assert "Casino, table 1" in rita.panel.plain


async def test_leaving_asks_once_and_only_its_sender_can_say_yes(world: World) -> None:
    ana, bob = await in_game(world)
    await bob.writes("/leave", GROUP)
    await world.pass_(5)
    [asked] = [message for message in (*world.shown(GROUP), *bob.alone()) if "mid-game" in message.plain]
    await ana.presses(asked, "Yes, leave")
    assert not any(player.is_held for player in (await world.table()).players)
    await bob.presses(asked, "Yes, leave")
    assert (await world.table()).players[1].is_held


async def test_the_players_agree_to_end_by_typed_commands(world: World) -> None:
    ana, bob = await in_game(world)
    await bob.writes("/end", GROUP)
    await ana.writes("/votar sí", GROUP)
    assert (await world.table()).ended == "agreed"


async def test_an_invitation_names_its_group(world: World) -> None:
    ana, rita = world.player(1, "Ana"), world.player(3, "Rita")
    await rita.writes("/start")
    await rita.writes("/notify", GROUP)
    await ana.writes("/new casino", GROUP)
    await world.pass_(5)
    assert any("A table has opened in Friends: Casino, table 1." in message.plain for message in rita.alone())


async def test_a_moderator_bars_the_sender_of_a_message_by_a_reply(world: World) -> None:
    mia = world.player(9, "Mia")
    world.emulator.book.admins[GROUP] = [9]
    _, bob = await in_game(world)
    answered = bob.message("this is my game now", GROUP)
    for command in ("bar", "unbar", "bar"):
        await world.happens({"message": {**mia.message(f"/{command}", GROUP), "reply_to_message": answered}})
    assert (await world.table()).players[1].kicked
    assert not (await world.table()).players[0].kicked
