"""Messages in a group that one user alone sees, such as a player's hand; and servers that have none."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence

import pytest

from adapters.telegram import platform
from bot.model.places import Place
from engines import games
from engines.values import replace
from tests import luck
from tests.adapters.telegram.emulator import BOT, Emulator, refusing
from tests.adapters.telegram.ephemeral_rules import Version, Whisper
from tests.adapters.telegram.test_private import dealt
from tests.adapters.telegram.world import GROUP, Player, World, mostly_first, opened
from tests.support.records import Button

pytestmark = pytest.mark.real

HARMLESS = "Just a moment …"


def knowing(version: Version = "10.3") -> Emulator:
    emulator = Emulator()
    emulator.ephemeral.version = version
    return emulator


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened(knowing()) as world:
        yield world


async def seated(world: World, game: str = "casino") -> tuple[Player, Player]:
    """Ana, and Bob, who has not opened the private chat, at a dealt table."""
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob, game)
    return ana, bob


async def shown(world: World, bob: Player) -> Whisper:
    """Bob's hand after a press on “My hand”."""
    await bob.presses(world.public_panel(), "My hand")
    (hand,) = bob.whispers
    return hand


def group_texts(world: World) -> list[str]:
    """The text of each request about a message in the group, ephemeral or not; “None” without a text."""
    calls = world.emulator.book.calls
    return [str(call.fields.get("text")) for call in calls if call.chat == GROUP and "essage" in call.method]


async def until_turn(world: World, ana: Player, bob: Player) -> None:
    """Lets Ana play until it is Bob's turn."""
    while bob.seat(await world.table()) not in (await world.table()).active():
        await ana.presses(ana.panel, (ana.can("move", "done") or ana.can("pick", "add"))[0])
        await world.pass_(20)


async def test_my_hand_shows_the_cards_in_the_group_to_their_player_alone(world: World) -> None:
    _, bob = await seated(world)
    before = len(world.shown(GROUP))
    hand = await shown(world, bob)
    table = await world.table()
    held = table.game.view(table.state, 1).hand
    assert all(f"{card.rank}{'♠♥♦♣'['SHDC'.index(card.suit)]}" in hand.plain for card in held)
    assert len(world.shown(GROUP)) == before
    assert bob.told == ""


async def test_nothing_private_is_sent_by_the_method_that_could_post_it_for_all(world: World) -> None:
    _, bob = await seated(world)
    begun = len(world.emulator.book.calls)
    await shown(world, bob)
    sent = world.emulator.book.calls[begun:]
    assert [one.fields["text"] for one in sent if one.method == "sendMessage"] == [HARMLESS]


async def test_the_buttons_of_the_hand_play_moves_and_the_hand_shows_the_result(world: World) -> None:
    ana, bob = await seated(world, "svoi")
    await until_turn(world, ana, bob)
    hand = await shown(world, bob)
    stamp, before = (await world.table()).stamp, hand.plain
    move = next(one for one in (button for row in hand.rows for button in row) if ":move:" in one.data)
    await bob.presses_alone(hand, move.data)
    await world.pass_(20)
    assert (await world.table()).stamp > stamp
    assert [whisper.id for whisper in bob.whispers] == [hand.id]
    assert hand.plain != before


@pytest.mark.timeout(400)
@pytest.mark.parametrize("key", [key for key, game in games().items() if game.hidden])
async def test_a_whole_game_is_played_in_the_ephemeral_hand(world: World, key: str) -> None:
    ana, bob = await seated(world, key)
    hand, rng = await shown(world, bob), luck.rng()
    for _ in range(6000):
        table = await world.table()
        if table.status == "over":
            break
        is_bob = bob.seat(table) in table.active()
        buttons = [one for row in hand.rows for one in row] if is_bob else ana.panel.buttons
        keys = offered(buttons, "move", "done", "sure") or offered(buttons, "pick", "add")
        if keys and is_bob:
            await bob.presses_alone(hand, mostly_first(rng, keys).data)
        elif keys:
            await ana.presses(ana.panel, mostly_first(rng, keys))
        # Without keys, the page is still on its way.
        await world.pass_(20)
    assert (await world.table()).status == "over"
    assert [whisper.id for whisper in bob.whispers] == [hand.id]
    assert all(call.chat != 2 for call in world.emulator.book.calls if call.method == "editMessageText")


def offered(buttons: Sequence[Button], *actions: str) -> list[Button]:
    """The buttons with one of these actions."""
    return [
        button for button in buttons if button.data.split(":")[2:3] and button.data.split(":")[2] in actions
    ]


async def test_the_hand_changes_when_another_player_moves(world: World) -> None:
    ana, bob = await seated(world, "svoi")
    hand = await shown(world, bob)
    while bob.seat(table := await world.table()) in table.active():
        await bob.presses_alone(
            hand, next(key.data for row in hand.rows for key in row if ":move:" in key.data)
        )
        await world.pass_(20)
    before = hand.plain
    await until_turn(world, ana, bob)
    assert hand.plain != before


async def test_another_press_replaces_the_hand(world: World) -> None:
    _, bob = await seated(world)
    first = await shown(world, bob)
    second = await shown(world, bob)
    assert first.id != second.id
    assert not first.alive


async def test_the_hand_outlives_the_program() -> None:
    async with opened(knowing()) as world:
        ana, bob = await seated(world, "svoi")
        await until_turn(world, ana, bob)
        hand = await shown(world, bob)
    async with opened(world.emulator, world.store, world.clock) as world:
        bob, before = world.player(2, "Bob", opened=False), hand.plain
        move = next(one for row in hand.rows for one in row if ":move:" in one.data)
        await bob.presses_alone(hand, move.data)
        await world.pass_(20)
        assert hand.alive
        assert hand.plain != before


async def test_the_hand_is_deleted_when_the_private_chat_is_opened(world: World) -> None:
    _, bob = await seated(world)
    hand = await shown(world, bob)
    await bob.presses(world.public_panel(), "Open our private chat")
    await world.pass_(10)
    assert "-- your hand --" in bob.panel.plain
    assert not hand.alive


async def test_a_hand_that_has_vanished_comes_again(world: World) -> None:
    ana, bob = await seated(world, "svoi")
    hand = await shown(world, bob)
    hand.alive, begun = False, len(world.emulator.book.calls)
    await until_turn(world, ana, bob)
    calls = [call for call in world.emulator.book.calls[begun:] if call.chat == 2]
    assert calls == [], "the closed chat is not tried for its sake"
    assert (await shown(world, bob)).id != hand.id


async def test_a_hand_left_behind_in_a_group_that_moved_is_given_up(world: World) -> None:
    ana, bob = await seated(world)
    await shown(world, bob)
    moved, begun = -1009, len(world.emulator.book.calls)
    world.emulator.book.moved[GROUP] = moved
    message = ana.message("", GROUP)
    del message["text"]
    await world.happens({"message": {**message, "migrate_to_chat_id": moved}})
    await world.pass_(10)
    person = world.store.who("telegram", str(bob.user))
    await world.dispatcher.panels.requests.resend(await world.table(moved), person)
    await world.pass_(60)
    calls = [call.method for call in world.emulator.book.calls[begun:] if call.chat == GROUP]
    assert calls == ["editEphemeralMessageText", "deleteEphemeralMessage"]


async def test_other_pages_are_ephemeral_too(world: World) -> None:
    _, bob = await seated(world)
    before = len(world.shown(GROUP))
    await bob.presses(world.public_panel(), "Rules")
    (rules,) = bob.whispers
    assert "Casino" in rules.plain
    first, more = rules.plain, next(key for row in rules.rows for key in row if "›" in key.label)
    await bob.presses_alone(rules, more.data)
    assert [whisper.plain == first for whisper in bob.whispers] == [False], "one page is shown at a time"
    assert len(world.shown(GROUP)) == before


async def test_the_hand_stays_in_its_topic(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await ana.writes("/new casino off", GROUP, thread=77)
    await bob.presses(world.public_panel(), "Join")
    await ana.presses(world.public_panel(), "Start")
    await world.pass_(10)
    assert (await shown(world, bob)).thread == "77"


async def test_an_open_chat_gets_the_cards_there(world: World) -> None:
    ana, _ = await seated(world)
    await ana.presses(world.public_panel(), "My hand")
    assert ana.whispers == []


async def test_a_page_that_is_too_long_for_an_ephemeral_message_is_cut(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob = await seated(world, "trio_escalera")
    whole = (await shown(world, bob)).plain
    short = replace(platform._EPHEMERAL_LIMITS, text=220)
    monkeypatch.setattr(platform, "_EPHEMERAL_LIMITS", short)
    world.emulator.ephemeral.longest = 220
    cut = (await shown(world, bob)).plain
    assert len(cut) <= 220 < len(whole)
    assert "-- your hand --" in cut
    assert cut.split("\n")[-1] == whole.split("\n")[-1]


@pytest.mark.parametrize("version", ["", "10.2"])
async def test_a_server_without_ephemeral_messages_never_shows_a_card_to_the_group(version: Version) -> None:
    async with opened(knowing(version)) as world:
        _, bob = await seated(world)
        before = len(world.shown(GROUP))
        for _ in range(2):
            await bob.presses(world.public_panel(), "My hand")
            await world.pass_(10)
        table = await world.table()
        held = [f"{c.rank}{'♠♥♦♣'['SHDC'.index(c.suit)]}" for c in table.game.view(table.state, 1).hand]
        assert all(card in bob.told for card in held), "the alert stays"
        harmless = [text for text in group_texts(world) if text == HARMLESS]
        assert len(harmless) == (version == "10.2"), "posted for all once, by a server with other parameters"
        assert len(world.shown(GROUP)) == before
        assert world.emulator.ephemeral.asked == 1, "the server is asked once"
        assert bob.whispers == []


async def test_a_server_that_cannot_be_asked_is_asked_again() -> None:
    emulator = knowing()
    emulator.book.faults += [refusing("deleteEphemeralMessage", "Bad Gateway", 502) for _ in range(2)]
    async with opened(emulator) as world:
        _, bob = await seated(world)
        await bob.presses(world.public_panel(), "My hand")
        assert world.emulator.book.answers[-1][1]["show_alert"] == "true"
        assert bob.whispers == []
        await shown(world, bob)


@pytest.mark.parametrize("method", ["sendMessage", "editEphemeralMessageText"])
async def test_a_refusal_leaves_the_alert_and_the_link(world: World, method: str) -> None:
    _, bob = await seated(world)
    world.emulator.book.faults.append(refusing(method, "Bad Request: EPHEMERAL_INVALID"))
    await bob.presses(world.public_panel(), "My hand")
    assert world.emulator.book.answers[-1][1]["show_alert"] == "true"
    assert bob.whispers == []
    assert world.public_panel().button("Open our private chat").url.startswith(f"https://t.me/{BOT}?start=")


async def test_a_typed_hand_is_ephemeral_where_the_bot_is_an_administrator(world: World) -> None:
    _, bob = await seated(world)
    world.emulator.ephemeral.admin.add(GROUP)
    before = len(world.shown(GROUP))
    await bob.writes("/hand", GROUP)
    assert "-- your hand --" in bob.whispers[0].plain
    assert len(world.shown(GROUP)) == before


async def test_an_administrator_lets_a_person_back_in_by_a_button(world: World) -> None:
    ana, eve = world.player(1, "Ana"), world.player(3, "Eve")
    world.emulator.book.admins[GROUP] = [1]
    world.emulator.ephemeral.admin.add(GROUP)
    await eve.writes("/new casino", GROUP)
    await ana.writes("/bar Eve", GROUP)
    before = len(world.shown(GROUP))
    await ana.writes("/unbar", GROUP)
    (page,) = ana.whispers
    await ana.presses_alone(page, next(key.data for row in page.rows for key in row))
    assert (await world.dispatcher.people.settings(Place("telegram", str(GROUP)))).barred == frozenset()
    assert len(world.shown(GROUP)) == before


async def test_presses_at_a_server_without_ephemeral_messages_log_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with opened(knowing("")) as world:
        _, bob = await seated(world)
        caplog.clear()
        with caplog.at_level(logging.INFO):
            for _ in range(3):
                await bob.presses(world.public_panel(), "My hand")
        assert [record.getMessage() for record in caplog.records if record.name.startswith("adapters")] == []


async def test_no_page_has_a_preview_of_its_link(world: World) -> None:
    _, bob = await seated(world)
    await shown(world, bob)
    sent = [call.fields for call in world.emulator.book.calls if call.chat == GROUP and "text" in call.fields]
    assert {one["link_preview_options"] for one in sent} == {'{"is_disabled": true}'}


async def test_a_typed_hand_is_a_link_where_the_bot_is_no_administrator(world: World) -> None:
    _, bob = await seated(world)
    for _ in range(2):
        await bob.writes("/hand", GROUP)
        await world.pass_(10)
        assert world.shown(GROUP)[-1].buttons[0].url.startswith(f"https://t.me/{BOT}?start=")
    tried = [call for call in world.emulator.book.calls if "ephemeral_message_parameters" in call.fields]
    assert len(tried) == 1, "the group is not asked again so soon"


async def test_a_reason_is_told_to_the_sender_alone_in_the_group(world: World) -> None:
    _, bob = await seated(world)
    world.emulator.ephemeral.admin.add(GROUP)
    await bob.writes("/play nonsense", GROUP)
    (reason,) = bob.whispers
    assert reason.plain != HARMLESS
    assert "private chat" not in reason.plain


async def test_a_command_that_only_its_sender_sees_is_answered_to_them_alone(world: World) -> None:
    _, bob = await seated(world)
    before = len(world.shown(GROUP))
    await bob.writes_alone("/hand", GROUP)
    (hand,) = bob.whispers
    assert "-- your hand --" in hand.plain
    assert len(world.shown(GROUP)) == before


async def test_a_move_that_only_its_sender_sees_is_played(world: World) -> None:
    ana, bob = await seated(world, "svoi")
    await until_turn(world, ana, bob)
    table = await world.table()
    await bob.writes_alone(f"/play {next(iter(table.game.moves(table.state, 1)))}", GROUP)
    assert (await world.table()).stamp > table.stamp
    assert [whisper.plain.startswith("You played: ") for whisper in bob.whispers] == [True]


async def test_commands_for_personal_pages_are_ephemeral_where_the_server_knows_that(world: World) -> None:
    menus = world.emulator.book.menus
    unseen = {command["command"] for command in menus["all_group_chats", ""] if command.get("is_ephemeral")}
    assert unseen == {"hand", "play", "hint", "settings", "privacy", "forget"}
    assert not any(command.get("is_ephemeral") for command in menus["all_private_chats", ""])


async def test_an_older_server_is_offered_no_ephemeral_commands() -> None:
    async with opened(knowing("")) as world:
        assert not any(
            command.get("is_ephemeral") for menu in world.emulator.book.menus.values() for command in menu
        )


async def test_a_log_is_an_ephemeral_message_and_its_file_is_for_all(world: World) -> None:
    ana, bob = await seated(world, "cardlebones")
    await ana.closes_the_table()
    await world.pass_(10)
    await bob.presses(
        world.public_panel(), next(key for key in world.public_panel().buttons if key.data.endswith(":log"))
    )
    assert [whisper.html.startswith("<blockquote expandable>") for whisper in bob.whispers] == [True]
    assert [chat for chat, _, _ in world.emulator.book.documents] == [GROUP]


async def test_a_press_on_another_players_message_shows_and_changes_none_of_theirs(world: World) -> None:
    ana, bob = await seated(world)
    hand, table, eve = await shown(world, bob), await world.table(), world.player(3, "Eve", opened=False)
    before = len(world.shown(GROUP))
    for data in (f"{table.id}:0:hand", f"{table.id}:0:top", "0000000000:0:command:settings"):
        for other in (eve, ana):
            await other.presses_alone(hand, data)
    assert [(whisper.id, whisper.plain) for whisper in bob.whispers] == [(hand.id, hand.plain)]
    assert len(world.shown(GROUP)) == before
    texts = [whisper.plain for whisper in eve.whispers] + [message.plain for message in world.shown(GROUP)]
    assert not any("-- your hand" in text for text in texts)
