"""Only a hand's player gets its cards, whether or not the private chat with the bot is open."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from math import ceil

import pytest

from tests.adapters.telegram.emulator import BOT, BOT_ID
from tests.adapters.telegram.world import GROUP, Player, World, opened, played
from tests.support.judging import finish

pytestmark = pytest.mark.real


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


async def dealt(world: World, ana: Player, bob: Player, game: str = "casino", clock: str = "off") -> None:
    """Opens a table as Ana, seats Bob and starts the game.

    Without a clock unless one is named, since most tests let more time pass than a turn has.
    """
    await ana.writes(f"/new {game} {clock}", GROUP)
    await bob.presses(world.public_panel(), "Join")
    await ana.presses(world.public_panel(), "Start")
    await world.pass_(10)


async def test_joining_with_a_closed_chat_opens_it_by_link(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await ana.writes("/new casino", GROUP)
    await bob.presses(world.public_panel(), "Join")
    assert bob.told == f"https://t.me/{BOT}?start=hello"


async def test_the_table_offers_the_link_while_a_player_has_not_opened_the_chat(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob)
    assert world.public_panel().button("Open our private chat").url.startswith(f"https://t.me/{BOT}?start=")


async def test_the_hand_is_an_alert_while_the_chat_is_closed(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob)
    await bob.presses(world.public_panel(), "My hand")
    table = await world.table()
    held = table.game.view(table.state, 1).hand
    shown = world.emulator.book.answers[-1][1]
    assert shown["show_alert"] == "true"
    assert all(f"{card.rank}{'♠♥♦♣'['SHDC'.index(card.suit)]}" in shown["text"] for card in held)


async def test_the_link_brings_the_cards(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob)
    await bob.presses(world.public_panel(), "Open our private chat")
    assert "-- your hand --" in bob.panel.plain


async def test_the_link_disappears_once_all_private_chats_are_open(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob)
    await bob.presses(world.public_panel(), "Open our private chat")
    await world.pass_(10)
    assert not [key for key in world.public_panel().buttons if key.url]


async def test_a_game_goes_to_its_end_with_a_closed_chat(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob, "cardlebones")
    for _ in range(100):
        table = await world.table()
        if table.status == "over":
            break
        if bob.seat(table) in table.active():
            move = str(next(iter(table.game.moves(table.state, bob.seat(table) or 0))))
            await bob.writes(f"/play {move}", GROUP)
            await world.pass_(1)
        else:
            await ana.presses(ana.panel, ana.can("move")[0])
            await world.pass_(1)
    assert (await world.table()).status == "over"


async def test_blocking_the_bot_brings_the_link_to_the_table(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    world.emulator.book.opened.discard(2)
    mover = ana if ana.can("move", "pick") else bob
    await mover.presses(mover.panel, mover.can("move", "pick")[0])
    await world.pass_(20)
    assert [key for key in world.public_panel().buttons if key.url]


async def test_a_player_who_blocks_the_bot_is_unreachable_until_they_let_it_in_again(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    for status in ("kicked", "member"):
        change = {"date": 1, "chat": {"id": 2, "type": "private"}, "from": bob.account}
        await world.happens({"my_chat_member": {**change, **membership(world, status)}})
        account = await world.dispatcher.people.account("telegram", "2")
        assert account
        assert account.reachable is (status == "member")


async def test_who_removes_the_bot_from_a_channel_is_still_reachable(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    change = {"date": 1, "chat": {"id": -1009, "type": "channel", "title": "News"}, "from": bob.account}
    await world.happens({"my_chat_member": {**change, **membership(world, "kicked")}})
    account = await world.dispatcher.people.account("telegram", "2")
    assert account
    assert account.reachable


async def test_the_reason_why_a_move_is_illegal_is_told_in_the_private_chat(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    here = len(world.shown(GROUP))
    await ana.writes("/play throw KS AS QS", GROUP)
    assert len(world.shown(GROUP)) == here
    assert "Casino, table" not in ana.alone()[-1].plain


async def test_the_reason_why_a_move_is_illegal_is_not_told_where_the_chat_is_closed(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob)
    await bob.writes("/play nonsense", GROUP)
    assert world.shown(GROUP)[-1].plain == "I can only show you that in our private chat. Open it first."


async def test_a_chat_that_turns_out_to_be_closed_is_known_to_be(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    world.emulator.book.opened.discard(2)
    await bob.writes("/play nonsense", GROUP)
    account = await world.dispatcher.people.account("telegram", "2")
    assert account
    assert not account.reachable


async def test_a_page_asked_for_in_a_group_comes_to_the_private_chat(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    here = len(world.shown(GROUP))
    await bob.presses(world.public_panel(), "Rules")
    assert bob.told == "Look in our private chat."
    assert "Casino" in bob.alone()[-1].plain
    assert len(world.shown(GROUP)) == here


async def test_a_page_that_all_may_see_comes_in_the_group_where_the_chat_is_closed(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await ana.writes("/new casino", GROUP)
    await bob.presses(world.public_panel(), "Rules")
    assert "Casino" in world.shown(GROUP)[-1].plain
    assert world.shown(GROUP)[-1].answers


@pytest.mark.parametrize("command", ["history", "replay"])
@pytest.mark.parametrize("opened", [True, False])
async def test_the_last_games_of_a_group_are_listed_alone_where_the_chat_is_open(
    world: World, command: str, opened: bool
) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=opened)
    await dealt(world, ana, bob, "cardlebones")
    await finish(world.dispatcher.service, await world.table())
    await world.pass_(10)
    here = len(world.shown(GROUP))
    await bob.writes(f"/{command}", GROUP)
    texts = [message.plain for message in world.shown(GROUP)[here:]]
    assert len(texts) == (not opened)
    page = bob.alone()[-1] if opened else world.shown(GROUP)[-1]
    assert "1. Cardlebones, " in page.plain
    await bob.presses(page, "1. Cardlebones")
    assert any("Step 0 of" in message.plain for message in (*bob.alone(), *world.shown(GROUP)))


async def test_a_page_that_is_no_table_is_replaced_by_the_next_page(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/rules casino")
    before = len(ana.alone())
    await ana.presses(ana.panel, next(key for key in ana.panel.buttons if "›" in key.label))
    assert len(ana.alone()) == before


async def test_no_page_takes_the_place_of_a_table(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new casino")
    panel = ana.panel
    await ana.presses(panel, "Rules")
    assert panel.plain.startswith("Casino, table 1")
    assert len(ana.alone()) == 2


async def test_alone_with_the_bot_a_player_plays_against_computers(world: World) -> None:
    ana = world.player(1, "Ana", "es")
    await ana.writes("/nueva casino")
    await ana.presses(ana.panel, "Empezar")
    await played(world, ana, chat=1)
    assert (await world.table(1)).status == "over"


async def test_words_in_the_private_chat_are_a_move(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    table = await world.table()
    mover = ana if ana.seat(table) in table.active() else bob
    await mover.writes(str(next(iter(table.game.moves(table.state, table.active()[0])))))
    assert (await world.table()).stamp == 1


async def test_the_log_comes_as_a_file(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    await played(world, ana, bob)
    await bob.presses(bob.panel, "Log")
    assert [chat for chat, _, _ in world.emulator.book.documents] == [2]


async def test_a_file_asked_for_in_a_group_comes_to_the_private_chat(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, "cardlebones")
    await ana.closes_the_table()
    await world.pass_(10)
    await bob.presses(world.public_panel(), "Log")
    assert [chat for chat, _, _ in world.emulator.book.documents] == [2]


def membership(world: World, status: str) -> dict[str, object]:
    """The fields of an API object that say how the bot's membership in a chat was, and is now."""
    bot = {"id": BOT_ID, "is_bot": True, "first_name": "Bot", "username": BOT}
    states = {
        "member": {"status": "member", "user": bot},
        "kicked": {"status": "kicked", "user": bot, "until_date": 0},
    }
    other = "member" if status != "member" else "kicked"
    return {"old_chat_member": states[other], "new_chat_member": states[status]}


async def test_a_player_who_does_nothing_is_alerted_by_a_new_message_that_replies_to_their_panel(
    world: World,
) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, clock="60")
    table = await world.table()
    mover = ana if ana.seat(table) in table.active() else bob
    panel, before = mover.panel, len(mover.alone())
    await world.pass_(11)
    assert len(mover.alone()) == before + 1, "an edit would notify nobody"
    alert = mover.alone()[-1]
    at = ceil(table.deadlines[mover.seat(table) or 0])
    words, ends = alert.html.split("\n")
    assert words == "Your turn: Casino, table 1."
    assert ends == f'Turn ends <tg-time unix="{at}" format="r">in 100 s</tg-time>.'
    call = next(one for one in world.emulator.book.calls if one.fields.get("text") == alert.html)
    assert call.method == "sendMessage"
    assert json.loads(call.fields["reply_parameters"])["message_id"] == panel.id
    await mover.presses(panel, mover.can("move", "pick")[0])
    assert not alert.alive


async def test_a_server_that_knows_no_times_shows_a_plain_deadline(world: World) -> None:
    world.emulator.knows_tags = False
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob, clock="60")
    refused = len([call for call in world.emulator.book.calls if "<tg-time" in str(call.fields.get("text"))])
    assert world.public_panel().plain.endswith("\nTurn ends after 120 s.")
    await world.pass_(15)
    alerts = [
        message.plain for player in (ana, bob) for message in player.alone() if "Your turn: " in message.plain
    ]
    assert [alert.split("\n")[1][:13] for alert in alerts] == ["Turn ends in "]
    again = len([call for call in world.emulator.book.calls if "<tg-time" in str(call.fields.get("text"))])
    assert refused == again, "the server is not asked again"
