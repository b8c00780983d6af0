"""Bare commands: the missing argument is offered as keys, and a pressed key sends the whole command."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.inbox.arguments.commands import COMMANDS, Command
from bot.model.places import Place
from engines.values import replace
from tests.support.harness import BotHarness, bot_harness, key, keys, text


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def test_a_bare_kick_offers_the_other_players_and_a_press_removes_one(bot: BotHarness) -> None:
    ana, _, _ = await bot.begin("casino", "Ana", "Beto", "Carla")
    reply = await bot.say(ana, "kick")
    assert [button.label for button in keys(reply.page)] == ["Beto", "Carla"]
    await bot.press(ana, key(reply.page, "Carla").data)
    assert [player.kicked for player in (await bot.table()).players] == [False, False, True]


async def test_a_key_is_refused_to_those_who_may_not_send_its_command(bot: BotHarness) -> None:
    ana, beto, _ = await bot.begin("casino", "Ana", "Beto", "Carla")
    reply = await bot.say(ana, "kick")
    refused = await bot.press(beto, key(reply.page, "Carla").data)
    assert refused.notice == "Only Ana or a moderator can do that."
    assert not any(player.kicked for player in (await bot.table()).players)


async def test_a_bare_owner_offers_a_player_and_a_press_hands_the_table_over(bot: BotHarness) -> None:
    ana, beto = await bot.begin("casino", "Ana", "Beto")
    await bot.press(ana, key((await bot.say(ana, "owner")).page, "Beto").data)
    assert (await bot.table()).owner == await bot.person(beto)


async def test_a_bare_bar_offers_people_and_a_press_bars_one(bot: BotHarness) -> None:
    mia = replace(bot.caller("Mia"), moderator=True)
    await bot.begin("casino", "Ana", "Beto")
    reply = await bot.say(mia, "bar")
    await bot.press(mia, key(reply.page, "Beto").data)
    assert (await bot.dispatcher.people.settings(mia.place)).barred == {await bot.person(bot.caller("Beto"))}


async def test_a_bare_language_offers_both_and_a_press_chooses_one(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    reply = await bot.say(ana, "language")
    assert [button.label for button in keys(reply.page)] == ["English", "Español"]
    answer = await bot.press(ana, key(reply.page, "Español").data)
    assert answer.notice == "Ahora hablamos español."


async def test_a_bare_play_shows_the_hand_with_its_moves(bot: BotHarness) -> None:
    mover = await bot.to_play(await bot.begin("casino", "Ana", "Beto"))
    reply = await bot.say(mover, "play")
    assert "your hand" in text(reply.page)
    assert [button for button in keys(reply.page) if ":move:" in button.data or ":pick:" in button.data]
    assert not reply.public


async def test_a_bare_cut_offers_to_cut(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    cut = key((await bot.say(ana, "cut")).page, "Cut")
    await bot.press(ana, cut.data, answer="three sad tigers")
    assert [words for _, words in (await bot.table()).cuts] == ["three sad tigers"]


@pytest.mark.parametrize("command", ["hand", "leave", "table"])
async def test_one_of_several_tables_is_chosen_by_a_press(bot: BotHarness, command: str) -> None:
    ana = bot.caller("Ana")
    for game in ("casino", "cardlebones"):
        await bot.say(ana, "new", game=game)
    offered = await bot.say(ana, command)
    assert [button.label for button in keys(offered.page)] == ["Casino 1: Ana", "Cardlebones 2: Ana"]
    reply = await bot.press(ana, key(offered.page, "Cardlebones").data)
    assert "several" not in reply.notice
    gone = {listing.number for listing in await bot.store.tables(ana.place)} == {1}
    assert gone == (command == "leave")


async def test_a_typed_move_that_could_be_for_two_tables_is_kept_in_the_question(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    for _ in range(2):
        await bot.say(ana, "new", game="casino")
    tables = [await bot.table(n) for n in (1, 2)]
    for table in tables:
        await bot.press(ana, f"{table.id}:0:start")
        await bot.computers_move(table.number)
    first = await bot.table(1)
    move = next(str(one) for one in first.game.moves(first.state, first.active()[0]))
    offered = await bot.say(ana, "play", move=move)
    assert len(keys(offered.page)) == 2
    await bot.press(ana, key(offered.page, "Casino 1").data)
    assert (await bot.table(1)).stamp > first.stamp


@pytest.mark.parametrize(
    "command", [one for one in COMMANDS if any(part.required for part in one.parameters)]
)
async def test_every_command_that_needs_something_offers_it(bot: BotHarness, command: Command) -> None:
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    if command.name == "cut":
        await bot.say(ana, "new", game="casino")
    assert keys((await bot.say(replace(ana, moderator=True), command.name)).page)


@pytest.mark.parametrize(
    "data", ["0000000000:0:command:nonsense", "0000000000:0:command", "0000000000:0:command:kick"]
)
async def test_a_forged_key_is_refused(bot: BotHarness, data: str) -> None:
    ana = bot.caller("Ana")
    reply = await bot.press(ana, data)
    assert reply.notice
    assert "Sorry" not in reply.notice


async def test_a_key_that_is_pressed_in_the_private_chat_removes_nobody_from_another_table(
    bot: BotHarness,
) -> None:
    ana, mia = bot.caller("Ana"), bot.caller("Mia", moderator=True)
    there = replace(mia, place=Place("wall", "plaza"), moderator=False)
    await bot.say(there, "new", game="casino")
    # The key names Beto, and not the number of a seat; so he must sit at both tables.
    await bot.say(replace(bot.caller("Beto"), place=there.place), "join")
    await bot.say(ana, "new", game="casino")
    await bot.say(bot.caller("Beto"), "join")
    asked = await bot.say(mia, "kick")
    assert asked.here
    await bot.press(bot.caller("Mia", private=True), key(asked.page, "Beto").data)
    [other] = await bot.store.tables(there.place)
    assert [seated.player.name for seated in other.seats] == ["Mia", "Beto"]


async def test_a_key_removes_nobody_but_the_player_whom_it_names(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    for name in ("Beto", "Carla"):
        await bot.say(bot.caller(name), "join")
    asked = await bot.say(ana, "kick")
    await bot.say(beto, "leave")
    reply = await bot.press(ana, key(asked.page, "Beto").data)
    assert reply.notice == "That person has no seat at this table."
    assert [player.name for player in (await bot.table()).players] == ["Ana", "Carla"]


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_forged_key_does_nothing_to_a_table_of_another_place(
    bot: BotHarness, command: Command
) -> None:
    await bot.begin("casino", "Ana", "Beto", players="3")
    before = await bot.table()
    for name in ("Eve", "Ana"):
        elsewhere = replace(bot.caller(name), place=Place("wall", "plaza"))
        for words in ("", " 2", " <@beto>", " everywhere", " casino"):
            reply = await bot.press(elsewhere, f"{before.id}:0:command:{command.name}{words}")
            assert "Sorry" not in reply.notice
    assert len((await bot.table()).entries) == len(before.entries)


async def test_a_bare_join_means_the_tables_at_which_its_sender_may_sit(bot: BotHarness) -> None:
    names = ("Ana", "Beto", "Carla", "Dora", "Eva", "Fito", "Gil")
    ana, beto, carla, dora, eva, fito, gil = map(bot.caller, names)
    for player in (ana, beto, carla):
        await bot.say(player, "new", game="svoi")
    await bot.say(dora, "join", table="1")
    offered = await bot.say(eva, "join")
    assert [button.label for button in keys(offered.page)] == ["Svoi Kozyri 2: Beto", "Svoi Kozyri 3: Carla"]
    await bot.press(eva, key(offered.page, "Svoi Kozyri 2").data)
    await bot.say(fito, "join")
    assert [player.name for player in (await bot.table(3)).players] == ["Carla", "Fito"]
    assert (await bot.say(gil, "join")).notice == "The table is full: this game has 2 seats."


async def test_a_bare_vote_means_the_table_that_asks_its_sender(bot: BotHarness) -> None:
    ana, beto, carla = map(bot.caller, ("Ana", "Beto", "Carla"))
    for number, other in enumerate((beto, carla), 1):
        await bot.say(ana, "new", game="casino", players="2")
        await bot.say(other, "join", table=str(number))
        await bot.press(ana, f"{(await bot.table(number)).id}:0:start")
    await bot.say(carla, "end", table="2")
    await bot.say(ana, "vote", answer="yes")
    assert [(await bot.table(number)).status for number in (1, 2)] == ["playing", "over"]
