"""Telegram groups: commands in two languages, topics, privacy mode, moderators, members who leave."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from math import ceil
from typing import Any

import pytest
from lo_bot_api_emulator import ApiRefusal
from telegram import ChatMemberRestricted

from adapters.telegram.commands import Readers, menu
from adapters.telegram.pages import LIMITS
from bot.inbox.arguments.commands import COMMANDS
from bot.model.places import Place
from bot.settings.choices import Language
from tests.adapters.telegram.emulator import refusing
from tests.adapters.telegram.test_examination import rights
from tests.adapters.telegram.test_private import dealt, membership
from tests.adapters.telegram.world import GROUP, World, opened, played

pytestmark = pytest.mark.real


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


async def test_commands_are_offered_by_chat_and_language(world: World) -> None:
    scopes = ("all_private_chats", "all_group_chats", "all_chat_administrators")
    assert set(world.emulator.book.menus) == {(scope, tag) for scope in scopes for tag in ("", "es")}


def test_the_menu_of_groups_has_all_public_commands() -> None:
    assert [command.command for command in menu("es", "members")] == [
        command.spanish for command in COMMANDS if not command.moderators
    ]


def test_only_administrators_are_offered_what_moderators_may() -> None:
    members = {command.command for command in menu("en", "members")}
    assert {command.command for command in menu("en", "moderators")} - members == {
        command.name for command in COMMANDS if command.moderators
    }


def test_the_private_menu_leaves_start_to_telegram() -> None:
    assert "start" not in [command.command for command in menu("en", "private")]


@pytest.mark.parametrize(
    ("language", "command", "described"),
    [
        ("en", "cut", "Cut the deck with words of your own · words"),
        ("es", "reloj", "Mira cuánto dura un turno, o elígelo · [reloj] [ausencia]"),
        ("en", "hand", "See your cards (only you see them)"),
    ],
)
def test_a_description_names_the_parameters(language: Language, command: str, described: str) -> None:
    descriptions = {entry.command: entry.description for entry in menu(language, "members")}
    assert descriptions[command] == described


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("readers", ["private", "members", "moderators"])
def test_no_description_calls_a_group_a_channel(language: Language, readers: Readers) -> None:
    text = " ".join(command.description for command in menu(language, readers))
    assert re.findall(r"channels?|canal(?:es)?", text, re.IGNORECASE) == []


@pytest.mark.parametrize("readers", ["private", "members", "moderators"])
def test_only_commands_for_personal_pages_are_ephemeral(readers: Readers) -> None:
    unseen = [command.command for command in menu("en", readers, ephemeral=True) if command.api_kwargs]
    assert unseen == (
        [] if readers == "private" else [command.name for command in COMMANDS if command.personal]
    )


async def test_a_command_for_another_bot_is_ignored(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new@other_bot casino", GROUP)
    assert world.emulator.book.messages == {}


async def test_a_command_addressed_to_the_bot_is_carried_out(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new@Sobremesa_Bot casino", GROUP)
    assert "Casino, table 1" in world.public_panel().plain


async def test_a_command_in_the_middle_of_a_sentence_is_none(world: World) -> None:
    ana = world.player(1, "Ana")
    message = ana.message("we could /new casino", GROUP)
    message["entities"] = [{"type": "bot_command", "offset": 9, "length": 4}]
    await world.happens({"message": message})
    assert world.emulator.book.messages == {}


async def test_an_unknown_command_for_us_by_name_is_answered(world: World) -> None:
    ana = world.player(1, "Ana", opened=False)
    await ana.writes("/weather@sobremesa_bot", GROUP)
    assert "There is no command “weather”" in world.shown(GROUP)[-1].plain


async def test_a_table_that_is_buried_comes_up_again(world: World) -> None:
    ana, bob, eve = world.player(1, "Ana"), world.player(2, "Bob"), world.player(3, "Eve")
    await ana.writes("/new casino", GROUP)
    old = world.public_panel()
    await world.pass_(10)
    for _ in range(12):
        await eve.writes("well…", GROUP)
    await bob.presses(old, "Join")
    await world.pass_(10)
    assert not old.alive
    assert "Bob" in world.public_panel().plain


async def test_a_bare_new_in_a_group_opens_the_table_there(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new", GROUP)
    question = world.shown(GROUP)[-1]
    assert "Which game?" in question.plain
    await ana.presses(question, "Casino")
    assert "Ana" in world.public_panel().plain


async def test_a_log_file_is_sent_to_the_topic_of_its_table(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await ana.writes("/new cardlebones", GROUP, thread=77)
    await ana.presses(world.public_panel(), "Start")
    await ana.closes_the_table(thread=77)
    await world.pass_(10)
    key = next(key for key in world.public_panel().buttons if key.data.endswith(":log"))
    await bob.presses(world.public_panel(), key)
    sent = [call for call in world.emulator.book.calls if call.method == "sendDocument"]
    assert [(call.chat, call.fields["message_thread_id"]) for call in sent] == [(GROUP, "77")]


async def test_a_public_file_comes_to_the_group_if_the_private_chat_was_closed_unnoticed(
    world: World,
) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/new cardlebones", GROUP)
    await ana.presses(world.public_panel(), "Start")
    await ana.closes_the_table()
    await world.pass_(70)
    world.emulator.book.opened.discard(1)
    await ana.presses(
        world.public_panel(), next(k for k in world.public_panel().buttons if k.data.endswith(":log"))
    )
    sent = [call.chat for call in world.emulator.book.calls if call.method == "sendDocument"]
    assert sent == [1, GROUP]
    account = await world.store.account("telegram", "1")
    assert account
    assert not account.reachable


async def test_an_answer_in_a_topic_stays_there(world: World) -> None:
    await world.player(1, "Ana", opened=False).writes("/new nonsense", GROUP, thread=77)
    assert world.shown(GROUP)[-1].thread == "77"


async def test_an_unknown_command_in_a_group_is_ignored(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/weather", GROUP)
    assert world.emulator.book.messages == {}


async def test_an_unknown_command_in_the_private_chat_is_answered(world: World) -> None:
    ana = world.player(1, "Ana")
    await ana.writes("/weather")
    assert "There is no command “weather”" in ana.alone()[-1].plain


async def test_free_text_in_a_group_is_ignored(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    calls = len(world.emulator.book.calls)
    await ana.writes("throw 7S", GROUP)
    assert len(world.emulator.book.calls) == calls


async def test_an_answer_goes_to_the_message_it_answers(world: World) -> None:
    ana = world.player(1, "Ana", opened=False)
    message = ana.message("/new nonsense", GROUP)
    await world.happens({"message": message})
    assert world.shown(GROUP)[-1].answers == message["message_id"]


async def test_a_member_who_writes_as_the_group_is_asked_to_write_as_themselves(world: World) -> None:
    ana = world.player(1, "Ana")
    message = ana.message("/new casino", GROUP)
    message["sender_chat"] = message["chat"]
    message["from"] = {
        "id": 1087968824,
        "is_bot": True,
        "first_name": "Group",
        "username": "GroupAnonymousBot",
    }
    await world.happens({"message": message})
    assert "Write as yourself" in world.shown(GROUP)[-1].plain


async def test_a_table_in_a_topic_stays_there(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new cardlebones", GROUP, thread=77)
    await bob.presses(world.public_panel(), "Join")
    await ana.presses(world.public_panel(), "Start")
    await played(world, ana, bob, thread="77")
    assert {message.thread for message in world.shown(GROUP)} == {"77"}


async def test_a_thread_of_replies_is_no_topic(world: World) -> None:
    ana = world.player(1, "Ana")
    message = ana.message("/new casino", GROUP)
    message["message_thread_id"] = 5
    await world.happens({"message": message})
    assert world.public_panel().thread == ""


async def test_a_table_in_one_topic_is_not_joined_from_another(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP, thread=77)
    await bob.writes("/join", GROUP, thread=78)
    assert len((await world.table(thread="77")).players) == 1


async def test_an_administrator_may_close_a_table_of_others(world: World) -> None:
    ana, eve = world.player(1, "Ana"), world.player(3, "Eve")
    world.emulator.book.admins[GROUP] = [3]
    await ana.writes("/new casino", GROUP)
    await eve.writes("/end", GROUP)
    assert (await world.table()).status == "over"


def administrators_unreadable(method: str, _: Mapping[str, Any]) -> ApiRefusal | None:
    return ApiRefusal("Internal Server Error", 500) if method == "getChatAdministrators" else None


async def test_administrators_who_cannot_be_read_again_are_those_known_before(world: World) -> None:
    ana, eve = world.player(1, "Ana"), world.player(3, "Eve")
    world.emulator.book.admins[GROUP] = [3]
    await ana.writes("/new casino", GROUP)
    await eve.writes("/owner Ana", GROUP)
    await world.pass_(600)
    await eve.writes("/end", GROUP - 1)
    world.emulator.book.faults.append(administrators_unreadable)
    await eve.writes("/end", GROUP)
    assert world.emulator.book.faults == []
    assert (await world.table()).status == "over"


async def test_leaving_the_group_leaves_the_seat(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await dealt(world, ana, bob)
    message = bob.message("", GROUP)
    del message["text"]
    await world.happens({"message": {**message, "left_chat_member": bob.account}})
    assert (await world.table()).players[1].is_held


@pytest.mark.parametrize(
    "status",
    [
        {"status": "left"},
        rights(ChatMemberRestricted, status="restricted", is_member=False, can_react_to_messages=False),
    ],
)
async def test_leaving_the_group_leaves_the_seats_in_its_topics(world: World, status: dict[str, Any]) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob")
    await ana.writes("/new casino", GROUP, thread=77)
    await bob.presses(world.public_panel(), "Join")
    gone = {"user": bob.account, **status}
    change = {"date": 1, "chat": bob.message("", GROUP)["chat"], "from": bob.account}
    was = {"status": "member", "user": bob.account}
    await world.happens({"chat_member": {**change, "old_chat_member": was, "new_chat_member": gone}})
    assert len((await world.table(thread="77")).players) == 1


async def test_a_stranger_who_leaves_is_not_written_down(world: World) -> None:
    eve = world.player(3, "Eve")
    message = eve.message("", GROUP)
    del message["text"]
    await world.happens({"message": {**message, "left_chat_member": eve.account}})
    assert await world.store.account("telegram", "3") is None


async def test_a_group_that_has_the_bot_already_is_not_greeted(world: World) -> None:
    ana = world.player(1, "Ana")
    change = {"date": 1, "chat": ana.message("", GROUP)["chat"], "from": ana.account}
    states = membership(world, "member")
    states["old_chat_member"] = states["new_chat_member"]
    await world.happens({"my_chat_member": {**change, **states}})
    assert world.shown(GROUP) == []


async def test_a_group_that_lets_us_in_is_told_how_to_begin(world: World) -> None:
    ana = world.player(1, "Ana", "es")
    change = {"date": 1, "chat": ana.message("", GROUP)["chat"], "from": ana.account}
    await world.happens({"my_chat_member": {**change, **membership(world, "member")}})
    assert "/nueva" in world.shown(GROUP)[-1].plain
    assert world.shown(GROUP)[-1].buttons[0].url


async def test_a_player_without_a_private_chat_is_called_by_name(world: World) -> None:
    ana, bob = world.player(1, "Ana"), world.player(2, "Bob", opened=False)
    await dealt(world, ana, bob, "cardlebones", clock="60")
    table = await world.table()
    turn = 120
    if bob.seat(table) in table.active():
        await bob.writes(f"/play {next(iter(table.game.moves(table.state, 1)))}", GROUP)
        turn = 60
    await world.pass_(100)
    await ana.presses(ana.panel, ana.can("move")[0])
    await world.pass_(25)
    (alert,) = (message for message in world.shown(GROUP) if "it's your turn" in message.html)
    mention = '<a href="tg://user?id=2">Bob, it\'s your turn: Cardlebones, table 1.</a>'
    at = ceil((await world.table()).deadlines[1])
    left = at - ceil(world.clock.now())
    assert alert.html.startswith(f'{mention}\nTurn ends <tg-time unix="{at}" format="r">in ')
    assert turn - 30 < left < turn - 20, "a first turn is double"
    await bob.presses(world.public_panel(), "Rules")
    await world.pass_(4)
    assert not alert.alive


async def test_an_administrator_changes_the_settings_of_the_group_by_its_buttons(world: World) -> None:
    ana, eve = world.player(1, "Ana"), world.player(3, "Eve")
    world.emulator.book.admins[GROUP] = [1]
    await ana.writes("/channel", GROUP)
    page = world.public_panel()
    button = next(one for one in page.buttons if "open tables" in one.label)
    await eve.presses(page, button)
    assert eve.told == "Only a moderator can change that."
    await ana.presses(page, button)
    assert (await world.dispatcher.people.settings(Place("telegram", str(GROUP)))).openers == "moderators"
    assert len(world.shown(GROUP)) == 1
    assert any("moderators" in one.label for one in world.public_panel().buttons)


async def test_administrators_who_cannot_be_read_again_count_for_an_hour(world: World) -> None:
    ana = world.player(1, "Ana")
    world.emulator.book.admins[GROUP] = [1]
    await ana.writes("/channel openers moderators", GROUP)
    world.emulator.book.admins[GROUP] = []
    world.emulator.book.faults += [refusing("getChatAdministrators", "Bad Request") for _ in range(9)]
    for minutes, openers, expected in (
        (29, "everyone", "everyone"),
        (29, "nobody", "nobody"),
        (3, "everyone", "nobody"),
    ):
        await world.pass_(60 * minutes)
        await ana.writes(f"/channel openers {openers}", GROUP)
        settings = await world.dispatcher.people.settings(Place("telegram", str(GROUP)))
        assert settings.openers == expected


async def test_where_moderators_open_tables_an_administrator_does_so_by_buttons(world: World) -> None:
    ana, ben = world.player(1, "Ana"), world.player(2, "Ben")
    world.emulator.book.admins[GROUP] = [1]
    await ana.writes("/channel openers moderators", GROUP)
    await ana.writes("/new", GROUP)
    page = world.public_panel()
    casino = next(one for one in page.buttons if one.label == "Casino")
    await ben.presses(page, casino)
    assert ben.told == "Only moderators may open tables here. Ask one of them."
    await ana.presses(page, casino)
    start = next(one for one in world.public_panel().buttons if one.label == "Start")
    await ana.presses(world.public_panel(), start)
    for _ in range(2):
        await ana.writes("/end", GROUP)
    await world.clock.advance(LIMITS.gap)
    rematch = next(one for one in world.public_panel().buttons if one.label == "Rematch")
    await ben.presses(world.public_panel(), rematch)
    assert ben.told == "Only moderators may open tables here. Ask one of them."
    await ana.presses(world.public_panel(), rematch)
    await world.clock.advance(LIMITS.gap)
    assert "Join" in [one.label for one in world.public_panel().buttons]


@pytest.mark.parametrize("opened", [True, False])
async def test_the_barred_members_are_told_to_an_administrator_alone(world: World, opened: bool) -> None:
    ana, eve = world.player(1, "Ana", opened=opened), world.player(3, "Eve")
    world.emulator.book.admins[GROUP] = [1]
    await eve.writes("/new casino", GROUP)
    await ana.writes("/bar Eve", GROUP)
    before = len(world.shown(GROUP))
    await ana.writes("/unbar", GROUP)
    texts = [message.plain for message in world.shown(GROUP)[before:]]
    if opened:
        assert texts == []
        assert ana.alone()[-1].plain == (
            "Barred from the tables there: Eve. To let one back in, type in the group: /unbar Eve"
        )
    else:
        assert texts == ["I can only show you that in our private chat. Open it first."]
    await ana.writes("/unbar Eve", GROUP)
    assert (await world.dispatcher.people.settings(Place("telegram", str(GROUP)))).barred == frozenset()


async def test_a_forged_press_of_a_member_never_replaces_the_table(world: World) -> None:
    ana, eve = world.player(1, "Ana"), world.player(3, "Eve")
    await ana.writes("/new casino", GROUP)
    public_panel = world.public_panel()
    for words in ("kick", "bar", "owner", "channel", "unbar", "join", "end"):
        await world.happens({"callback_query": eve.query(public_panel, f"0000000000:0:command:{words}")})
    assert world.public_panel().plain.startswith("Casino, table 1")
