"""Public and private answers, the messages that belong to a table, and chats that get a new id."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.i18n import Speech
from bot.inbox.arguments.commands import COMMANDS
from bot.model.ids import PUBLIC
from bot.model.places import Place
from bot.ports import Caller
from engines.values import replace
from tests.support.clock import settle
from tests.support.harness import PLACE, BotHarness, bot_harness, offers, text
from tests.support.platform import ROOMY, FakePlatform
from tests.support.stores import unsent_panels

PLAZA = Place("wall", "plaza")


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


def message(bot: BotHarness, chat: str) -> str:
    """The id of the only message in a chat."""
    (found,) = [
        message.id
        for message in bot.platform.messages
        if message.alive and bot.platform.chat(message) == chat
    ]
    return found


async def waiting(bot: BotHarness, people: list[Caller]) -> Caller:
    """A player whose turn it is not."""
    mover = await bot.to_play(people)
    return next(caller for caller in people if caller != mover)


GIVEN = {
    "new": {"game": "casino"},
    "cut": {"words": "a b"},
    "kick": {"player": "2"},
    "language": {"language": "en"},
}


@pytest.mark.parametrize("name", [command.name for command in COMMANDS if not command.personal])
async def test_the_answers_to_most_commands_may_be_public(bot: BotHarness, name: str) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    assert (await bot.say(people[0], name, **GIVEN.get(name, {}))).public


def test_only_commands_about_cards_settings_and_data_are_secret() -> None:
    assert [command.name for command in COMMANDS if command.personal] == [
        "hand",
        "play",
        "hint",
        "settings",
        "privacy",
        "forget",
    ]


async def test_a_hand_is_never_answered_in_public(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    replies = [await bot.say(people[0], "hand"), await bot.press(people[0], f"{table.id}:0:hand")]
    assert [(reply.public, "your hand" in text(reply.page)) for reply in replies] == [(False, True)] * 2


async def test_the_reason_why_a_move_is_illegal_is_never_public(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table, other = await bot.table(), await waiting(bot, people)
    move = next(iter(table.game.moves(table.state, table.active()[0])))
    replies = [
        await bot.say(other, "play", move=str(move)),
        await bot.press(other, f"{table.id}:0:move:{move}"),
    ]
    assert [(reply.notice, reply.public) for reply in replies] == [("It isn't your turn.", False)] * 2


async def test_a_typed_move_is_confirmed_to_its_sender_alone(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table = await bot.table()
    seat = table.active()[0]
    move = next(one for one in table.game.moves(table.state, seat) if one.verb == "throw")
    reply = await bot.say(await bot.to_play(people), "play", move=str(move))
    label = table.game.label(table.view(seat), (move.verb, *move.words), Speech())
    assert (reply.notice, reply.done, reply.public) == (f"You played: {label}", True, False)


async def test_a_move_that_is_typed_in_private_is_confirmed_in_its_senders_language(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table, mover = await bot.table(), await bot.to_play(people)
    move = next(one for one in table.game.moves(table.state, table.active()[0]) if one.verb == "throw")
    await bot.say(mover, "language", language="es")
    reply = await bot.type(bot.caller(mover.name, private=True), str(move))
    assert reply.notice.startswith("Jugaste: Tirar ")


async def test_where_no_message_is_edited_the_next_page_confirms_a_move() -> None:
    async with bot_harness(platform=FakePlatform(limits=replace(ROOMY, edits=False))) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        table, mover = await bot.table(), await bot.to_play(people)
        move = next(iter(table.game.moves(table.state, table.active()[0])))
        assert (await bot.type(bot.caller(mover.name, private=True), str(move))).notice == ""
        assert (await bot.table()).stamp > table.stamp
        assert text(bot.panel(mover)).splitlines()[1].startswith(f"{mover.name} ")


async def test_where_pages_cannot_be_shown_alone_a_hand_comes_by_private_message() -> None:
    async with bot_harness(platform=FakePlatform(limits=replace(ROOMY, pages=False))) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        reply = await bot.say(people[0], "hand")
        assert (reply.notice, reply.page, reply.public) == ("Your cards are in our private chat.", None, True)
        assert reply.brief.count(" · ") == 1


async def test_a_table_has_its_own_messages(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    data = f"{(await bot.table()).id}:0:leave"
    own = [message(bot, PLACE.chat), message(bot, f"alone:{people[0].user}")]
    assert [await bot.dispatcher.shows_table(data, one) for one in own] == [True, True]


@pytest.mark.parametrize("data", ["", "nonsense", "0123456789:0:leave", "0000000000:0:set:order rank"])
async def test_data_that_leads_to_no_table_belongs_to_no_message_of_one(bot: BotHarness, data: str) -> None:
    await bot.begin("casino", "Ana", "Beto")
    assert not await bot.dispatcher.shows_table(data, message(bot, PLACE.chat))


async def test_a_message_that_is_no_panel_does_not_show_the_table(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    assert not await bot.dispatcher.shows_table(f"{(await bot.table()).id}:0:leave", "999")


async def test_a_panel_pressed_on_too_late_is_sent_anew(bot: BotHarness) -> None:
    await bot.begin("casino", "Ana", "Beto")
    bot.platform.requests.clear()
    await bot.dispatcher.refresh(f"{(await bot.table()).id}:0:leave")
    await settle()
    assert bot.platform.requests == ["edit square"]


@pytest.mark.parametrize("data", ["", "nonsense", "0123456789:0:leave", "0000000000:0:set:order rank"])
async def test_nothing_is_sent_anew_for_data_that_leads_to_no_table(bot: BotHarness, data: str) -> None:
    await bot.begin("casino", "Ana", "Beto")
    bot.platform.requests.clear()
    await bot.dispatcher.refresh(data)
    await settle()
    assert bot.platform.requests == []


async def move_away(bot: BotHarness) -> None:
    await bot.dispatcher.chat_moved("wall", PLACE.chat, PLAZA.chat)
    await settle()


async def test_a_chat_that_moves_has_its_tables_again(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    before = bot.public_panel()
    await move_away(bot)
    assert bot.platform.pages(PLAZA.chat) == [before]
    table = await bot.dispatcher.service.table((await bot.store.tables(PLAZA))[0].game)
    assert (table.place, table.number) == (PLAZA, 1)
    moved = [replace(caller, place=PLAZA) for caller in people]
    assert (await bot.leave(moved[0], table)).notice.startswith("You've left.")
    assert await bot.store.tables(PLACE) == []


async def test_private_panels_stay_where_they_are_when_a_chat_moves(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    before = message(bot, f"alone:{people[0].user}")
    await move_away(bot)
    assert message(bot, f"alone:{people[0].user}") == before


async def test_a_chat_that_moves_is_not_told_of_old_games_again(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await bot.end(people[0])
    await bot.clock.advance(3)
    await move_away(bot)
    assert bot.platform.pages(PLAZA.chat) == []
    assert await unsent_panels(bot.store) == []


async def test_a_chat_that_moves_keeps_its_language(bot: BotHarness) -> None:
    ana = bot.caller("Ana", moderator=True)
    await bot.dispatcher.people.room(PLAZA)
    await bot.say(ana, "language", language="es", **{"for": "channel"})
    await bot.say(ana, "new", game="casino")
    await move_away(bot)
    assert offers(bot.platform.pages(PLAZA.chat)[-1], "start")[0].label == "Empezar"


async def test_a_table_in_a_chat_that_moves_can_be_played_on(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover, table = await bot.to_play(people), await bot.table()
    await move_away(bot)
    await bot.press(mover, offers(bot.panel(mover), "move")[0].data)
    after = await bot.dispatcher.service.table(table.id)
    panel = await bot.store.panel(table.id, PUBLIC)
    assert panel
    assert (after.stamp, panel.message) == (1, message(bot, PLAZA.chat))
