"""Forged presses, repeated deliveries, and deliveries while the store is down."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from math import ceil

import pytest

from bot.inbox.allowances import Allowances
from bot.model.places import Place
from bot.ports import Caller, Reply
from bot.storage import StoreError
from engines.values import replace
from tests.support.clock import settle
from tests.support.harness import ALONE, PLACE, BotHarness, bot_harness, keys, offers
from tests.support.platform import ROOMY, FakePlatform
from tests.support.services import FaultyStore
from tests.support.stores import live_tables

HUGE = "9" * 200
"""A number too long to be one, and short enough to be read in a button's data."""


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


def elsewhere(caller: Caller, chat: str) -> Caller:
    """The same person in another channel."""
    return replace(caller, place=Place("wall", chat))


async def twice(bot: BotHarness, caller: Caller, data: str) -> list[Reply]:
    """Delivers the same press twice; returns both replies."""
    return [await bot.dispatcher.press(caller, data, f"twice:{data}") for _ in range(2)]


async def test_a_number_too_long_to_be_one_is_refused(bot: BotHarness) -> None:
    reply = await bot.say(bot.caller("Ana"), "new", game="casino", players=HUGE)
    assert reply.notice == "Casino is for two or three players."


@pytest.mark.parametrize("words", [HUGE, f"{HUGE} 0", f"0 {HUGE}", "-1 0", "0", "x y"])
async def test_a_house_rule_of_no_number_is_refused(bot: BotHarness, words: str) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    table = await bot.table()
    reply = await bot.press(bot.caller("Ana"), f"{table.id}:0:set_rule:{words}")
    assert reply.notice == "That no longer works."


@pytest.mark.parametrize("words", [HUGE, "-1", "x", ""])
async def test_a_page_of_no_number_is_the_first(words: str) -> None:
    async with bot_harness(platform=FakePlatform(replace(ROOMY, rows=3, row_keys=4))) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        table, mover = await bot.table(), await bot.to_play(people)
        first = bot.panel(mover)
        await bot.press(mover, offers(first, "page")[0].data)
        assert bot.panel(mover) != first
        await bot.press(mover, f"{table.id}:{table.stamp}:page:{words}")
        assert bot.panel(mover) == first


async def test_a_refusal_repeats_little_of_what_was_typed(bot: BotHarness) -> None:
    await bot.say(bot.caller("Ana"), "new", game="casino")
    reply = await bot.say(bot.caller("Ana"), "join", table="x" * 6000)
    assert reply.notice == f"There is no table {'x' * Allowances().text} here."


async def test_a_careful_player_is_not_asked_about_what_cannot_be_done(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table, mover = await bot.table(), await bot.to_play(people)
    await bot.say(mover, "settings", setting="careful", value="on")
    before = bot.panel(mover)
    reply = await bot.press(mover, f"{table.id}:{table.stamp}:move:nonsense \ud800 x")
    assert (reply.notice, bot.panel(mover)) == ("That isn't a move in this game.", before)


async def test_a_seat_goes_by_its_number_before_a_name(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "3", "Carla")
    await bot.say(people[0], "kick", player="3")
    assert [player.kicked for player in (await bot.table()).players] == [False, False, True]


async def test_tables_of_one_number_go_by_their_ids_in_private(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    await bot.clock.advance(1)
    await bot.say(elsewhere(ana, "park"), "new", game="casino")
    alone = bot.caller("Ana", private=True)
    reply = await bot.say(alone, "leave", table="1")
    here, there = (await bot.table()).id, (await bot.store.tables(Place("wall", "park")))[0].game
    assert [button.label for button in keys(reply.page)] == [
        f"Casino 1: Ana ({game})" for game in (there, here)
    ]
    await bot.say(alone, "leave", table=there)
    assert list(await live_tables(bot.store)) == [here]


async def test_words_go_to_the_table_that_waits_for_their_sender(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    other = next(caller for caller in people if caller != mover)
    await bot.say(elsewhere(mover, "park"), "new", game="casino")
    park = (await bot.store.tables(Place("wall", "park")))[0].game
    await bot.press(elsewhere(other, "park"), f"{park}:0:join")
    await bot.press(elsewhere(mover, "park"), f"{park}:0:start")
    first, second = await bot.table(), await bot.dispatcher.service.table(park)
    while second.players[second.active()[0]].person == await bot.person(mover):
        second = await bot.dispatcher.service.change(park, lambda table: table.time_out(table.active()[0]))
    words = str(next(iter(first.game.moves(first.state, first.active()[0]))))
    await bot.dispatcher.line(
        replace(mover, place=Place("wall", ALONE + mover.user), private=True), words, "w"
    )
    assert (await bot.table()).stamp == 1


@pytest.mark.parametrize("action", ["join", "leave", "start", "add_computer"])
async def test_a_press_delivered_again_is_answered_with_silence(bot: BotHarness, action: str) -> None:
    await bot.say(bot.caller("Ana"), "new", game="svoi")
    table = await bot.table()
    if action in ("leave", "start"):
        await bot.press(bot.caller("Beto"), f"{table.id}:0:join")
    sender = bot.caller("Ana" if action == "add_computer" else "Beto")
    first, again = await twice(bot, sender, f"{table.id}:0:{action}")
    assert (again, first.public) == (Reply(), True)


async def test_a_move_delivered_again_is_answered_with_silence(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    _, again = await twice(bot, mover, offers(bot.panel(mover), "move")[0].data)
    assert (again, (await bot.table()).stamp) == (Reply(), 1)


async def test_a_rematch_delivered_again_is_answered_with_silence(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await bot.end(people[0])
    first, again = await twice(bot, people[0], f"{(await bot.table()).id}:0:rematch")
    assert first.notice == "There's a new table for the rematch. Start when everyone is ready."
    assert (again, len(await bot.store.tables(PLACE))) == (Reply(), 1)


async def test_the_last_table_allowed_delivered_again_is_answered_with_silence(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    for n in range(4):
        await bot.dispatcher.command(ana, "new", {"game": "casino"}, f"new:{n}")
    assert await bot.dispatcher.command(ana, "new", {"game": "casino"}, "new:3") == Reply()


class Down(FaultyStore):
    """A store whose methods all raise StoreError while `down` is set."""

    down = False

    def __getattribute__(self, name: str) -> object:
        found = super().__getattribute__(name)
        if not name.startswith("_") and callable(found) and super().__getattribute__("down"):

            async def broken(*_: object, **__: object) -> None:
                raise StoreError("the line is dead")

            return broken
        return found


async def test_without_a_store_everybody_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    store = Down()
    async with bot_harness(store) as bot:
        ana, _ = await bot.begin("casino", "Ana", "Beto")
        table, stranger = await bot.table(), bot.caller("Dora")
        store.down = True
        assert (await bot.say(stranger, "new", game="casino")).notice.startswith("That wasn't done")
        sure = f"{table.id}:0:leave_sure:{await bot.person(ana)} {ceil(bot.clock.now())}"
        assert (await bot.press(ana, sure)).notice.startswith("That wasn't done")
        assert await bot.dispatcher.asks(stranger, f"{table.id}:0:cut") == ""
        assert await bot.dispatcher.complete(stranger, "join", "table", "", {}) == ()
        assert await bot.dispatcher.shows_table(f"{table.id}:0:leave", "1") is True
        await bot.dispatcher.refresh("ffffffffff:0:join")
        store.down = False
        await settle()
        assert (await bot.press(ana, sure)).notice.startswith("You've left.")


async def test_deliveries_without_a_store_are_one_line_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    store = Down()
    async with bot_harness(store) as bot:
        ana = bot.caller("Ana")
        store.down = True
        with caplog.at_level(logging.INFO, "bot.inbox"):
            for _ in range(5):
                await bot.say(ana, "new", game="casino")
        store.down = False
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("bot.inbox")]
    assert [line.partition(":")[0] for line in lines] == ["the store failed during a delivery on wall"]


async def test_of_many_presses_at_once_on_a_menu_one_is_a_move(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    table, mover = await bot.table(), await bot.to_play(people)
    pressed = [button.data for button in offers(bot.panel(mover), "move")]
    await asyncio.gather(*(bot.press(mover, data) for data in pressed for _ in range(3)))
    after = await bot.table()
    assert (after.stamp, len(after.entries)) == (1, len(table.entries) + 1)


async def test_who_leaves_a_place_leaves_all_its_tables(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    await bot.say(people[0], "new", game="svoi")
    await bot.press(people[1], f"{(await bot.table(2)).id}:0:join")
    await bot.say(people[1], "leave", table="2")
    await bot.press(people[1], f"{(await bot.table(2)).id}:0:join")
    # A computer already holds the seat at this table when the person leaves the place.
    await bot.press(people[0], f"{(await bot.table(2)).id}:0:start")
    await bot.leave(people[1], await bot.table(2))
    assert [(await bot.table(n)).players[1].is_held for n in (1, 2)] == [False, True]
    await bot.dispatcher.depart(people[1])
    assert [(await bot.table(n)).players[1].is_held for n in (1, 2)] == [True, True]


async def test_a_press_on_what_another_process_shows_is_a_move(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    async with bot_harness(bot.store, bot.platform, bot.clock) as other:
        for _ in range(2):
            table = await bot.table()
            move = next(iter(table.game.moves(table.state, table.active()[0])))
            mover = await bot.to_play(people)
            await bot.press(mover, f"{table.id}:{table.stamp}:move:{move}")
            after = await bot.table()
            move = next(iter(after.game.moves(after.state, after.active()[0])))
            await other.press(await bot.to_play(people), f"{after.id}:{after.stamp}:move:{move}")
            bot, other = other, bot
        assert [entry.n for entry in (await bot.table()).entries[-3:]] == [5, 6, 7]
