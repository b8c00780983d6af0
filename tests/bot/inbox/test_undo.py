"""Taking back a move by key, command and typed words: at once against computers, else if all agree."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.model.ids import PUBLIC
from bot.ports import Caller
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from tests.support.clock import VirtualClock
from tests.support.harness import BotHarness, bot_harness, key, keys, offers, text
from tests.support.platform import FakePlatform


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


async def press_move(bot: BotHarness, caller: Caller) -> str:
    """Presses the first move on a player's panel; returns the button's data."""
    button = offers(bot.panel(caller), "move")[0]
    await bot.press(caller, button.data, replaceable=True)
    return button.data


async def against_computer(bot: BotHarness) -> Caller:
    """Begins a game of one person against a computer; returns the person, who must make their first move."""
    [ana] = await bot.begin("cardlebones", "Ana")
    await bot.computers_move()
    return ana


async def test_a_key_takes_the_move_and_the_replies_back(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    before = await bot.table()
    await press_move(bot, ana)
    await bot.computers_move()
    reply = await bot.press(ana, key(bot.panel(ana), "Take back").data, replaceable=True)
    assert reply.notice == "You took your move back. This game no longer counts on the leaderboard."
    table = await bot.table()
    assert (table.state, table.entries[-1].kind) == (before.state, "undo")
    assert "Ana took this back: Ana places" in text(bot.public_panel())
    assert "Ana took this back: Ana places" in text(bot.panel(ana))
    assert offers(bot.panel(ana), "undo") == []


async def test_a_second_press_takes_no_other_move_back(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    for _ in range(2):
        await press_move(bot, ana)
        await bot.computers_move()
    data = key(bot.panel(ana), "Take back").data
    await bot.press(ana, data, replaceable=True)
    reply = await bot.press(ana, data, replaceable=True)
    assert reply.notice == "That menu was out of date. Here is the current one."
    assert [entry.kind for entry in (await bot.table()).entries].count("undo") == 1
    await bot.press(ana, key(bot.panel(ana), "Take back").data, replaceable=True)
    assert [entry.kind for entry in (await bot.table()).entries].count("undo") == 2


async def test_a_button_from_before_a_move_was_taken_back_never_plays(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    shown = offers(bot.panel(ana), "move")
    await bot.press(ana, shown[0].data, replaceable=True)
    await bot.computers_move()
    later = offers(bot.panel(ana), "move")
    await bot.press(ana, key(bot.panel(ana), "Take back").data, replaceable=True)
    entries = len((await bot.table()).entries)
    for button in (*shown, *later):
        reply = await bot.press(ana, button.data, replaceable=True)
        assert reply.notice == "That menu was out of date. Here is the current one."
    assert len((await bot.table()).entries) == entries
    assert await press_move(bot, ana) not in {button.data for button in shown}
    assert len((await bot.table()).entries) == entries + 1


async def confirmation(bot: BotHarness, caller: Caller) -> str:
    """Presses keys of a panel until it asks for a confirmation; returns the data of the key that confirms."""
    for _ in range(10):
        if found := offers(bot.panel(caller), "sure"):
            return found[0].data
        found = offers(bot.panel(caller), "move") or offers(bot.panel(caller), "pick")
        await bot.press(caller, found[0].data, replaceable=True)
    raise AssertionError("no confirmation is asked for")


async def test_a_confirmation_from_before_a_move_was_taken_back_is_stale(bot: BotHarness) -> None:
    [ana] = await bot.begin("casino", "Ana")
    await bot.say(ana, "settings", setting="careful", value="on")
    await bot.computers_move()
    await bot.press(ana, await confirmation(bot, ana), replaceable=True)
    await bot.computers_move()
    stale = await confirmation(bot, ana)
    await bot.say(ana, "undo")
    entries = len((await bot.table()).entries)
    assert "Play “" not in text(bot.panel(ana))
    reply = await bot.press(ana, stale, replaceable=True)
    assert reply.notice == "That menu was out of date. Here is the current one."
    assert len((await bot.table()).entries) == entries


@pytest.mark.parametrize("name", ["undo", "deshacer"])
async def test_a_command_takes_a_move_back(bot: BotHarness, name: str) -> None:
    ana = await against_computer(bot)
    before = await bot.table()
    await press_move(bot, ana)
    reply = await bot.say(ana, name)
    assert reply.notice == "You took your move back. This game no longer counts on the leaderboard."
    assert (await bot.table()).state == before.state
    assert (await bot.say(ana, name)).notice == "You have no move to take back."


@pytest.mark.parametrize("line", ["take back", "Take Back", "undo", "/undo", "deshacer"])
async def test_typed_words_take_a_move_back(bot: BotHarness, line: str) -> None:
    ana = await against_computer(bot)
    before = await bot.table()
    await press_move(bot, ana)
    await bot.type(bot.caller("Ana", private=True), line)
    assert (await bot.table()).state == before.state


async def test_among_people_the_others_are_asked(bot: BotHarness) -> None:
    callers = await bot.begin("cardlebones", "Ana", "Beto")
    mover = await bot.to_play(callers)
    [other] = [caller for caller in callers if caller != mover]
    before = await bot.table()
    await press_move(bot, mover)
    assert offers(bot.panel(other), "undo") == []
    reply = await bot.press(mover, key(bot.panel(mover), "Take back").data, replaceable=True)
    assert reply.notice == "I've asked the others whether you may take your move back."
    asked = f"{mover.name} would like to take back their last move, and all moves since."
    assert asked in text(bot.panel(other))
    assert asked in text(bot.public_panel())
    assert offers(bot.panel(mover), "undo") == offers(bot.panel(mover), "agree") == []
    assert (await bot.table()).state != before.state
    stale = offers(bot.panel(other), "move")[0].data
    await bot.press(other, key(bot.panel(other), "Agree").data, replaceable=True)
    assert (await bot.table()).state == before.state
    assert "Your turn" in text(bot.panel(mover))
    assert f"{mover.name} took this back: " in text(bot.panel(other))
    entries = len((await bot.table()).entries)
    reply = await bot.press(other, stale, replaceable=True)
    assert reply.notice == "That menu was out of date. Here is the current one."
    assert len((await bot.table()).entries) == entries


async def test_a_move_is_taken_back_at_once_though_a_stranger_asks_for_a_seat(
    bot: BotHarness,
) -> None:
    ana = await against_computer(bot)
    await press_move(bot, ana)
    await bot.say(bot.caller("Zoe"), "sit")
    assert (await bot.table()).question
    assert (await bot.say(ana, "undo")).notice.startswith("You took your move back.")


async def test_a_no_keeps_the_move(bot: BotHarness) -> None:
    callers = await bot.begin("cardlebones", "Ana", "Beto")
    mover = await bot.to_play(callers)
    [other] = [caller for caller in callers if caller != mover]
    await press_move(bot, mover)
    state = (await bot.table()).state
    await bot.press(mover, key(bot.panel(mover), "Take back").data, replaceable=True)
    await bot.press(other, key(bot.panel(other), "No").data, replaceable=True)
    table = await bot.table()
    assert (table.state, table.question, table.taken_back) == (state, None, False)
    assert f"{other.name} says no." in text(bot.panel(mover))
    assert "Take back" not in [button.label for button in keys(bot.panel(mover))]
    reply = await bot.say(mover, "undo")
    assert reply.notice == "You've just asked. Ask again after the next move."


async def play_on(bot: BotHarness, ana: Caller) -> Table:
    """Plays to the end; returns the table."""
    while (await bot.table()).status == "playing":
        await bot.computers_move()
        if (await bot.table()).status == "playing":
            await press_move(bot, ana)
    return await bot.table()


async def test_where_moves_were_taken_back_the_end_says_so_and_does_not_count(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    await press_move(bot, ana)
    await bot.say(ana, "undo")
    assert (await play_on(bot, ana)).result is not None
    expected = "Moves were taken back, so this game doesn't count on the leaderboard."
    assert expected in text(bot.public_panel())
    assert expected in text(bot.panel(ana))
    assert "No game that counts has been finished yet." in text((await bot.say(ana, "leaderboard")).page)
    assert (await bot.say(ana, "undo")).notice.startswith("No table is open here.")


async def test_where_no_move_was_taken_back_the_end_does_not_speak_of_it_and_counts(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    await play_on(bot, ana)
    assert "taken back" not in text(bot.public_panel())
    assert "Ana" in text((await bot.say(ana, "leaderboard")).page)


async def test_panels_are_told_what_is_new_and_nothing_twice(bot: BotHarness) -> None:
    ana = await against_computer(bot)
    await press_move(bot, ana)
    await bot.computers_move()
    await bot.say(ana, "undo")
    await bot.dispatcher.panels.flush()
    table = await bot.table()
    records = {panel.reader: panel for panel in await bot.store.panels(table.id)}
    assert {reader: panel.told for reader, panel in records.items()} == dict.fromkeys(
        (PUBLIC, await bot.person(ana)), len(table.news)
    )
    assert all(panel.wanted == panel.sent for panel in records.values())
    assert records[PUBLIC].announced == len(table.announcements)


@asynccontextmanager
async def processes() -> AsyncIterator[tuple[BotHarness, BotHarness]]:
    """Two processes that serve the same places from one store."""
    store, platform, clock = MemoryStore(shared=True), FakePlatform(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as a, bot_harness(store, platform, clock) as b:
        yield a, b


async def test_two_processes_agree_on_a_take_back() -> None:
    async with processes() as (a, b):
        callers = await a.begin("casino", "Ana", "Beto")
        before = await b.table()
        mover = await a.to_play(callers)
        [other] = [caller for caller in callers if caller != mover]
        move = str(next(iter(before.game.moves(before.state, before.active()[0]))))
        old = f"{before.id}:{before.stamp}:move:{move}"
        await a.press(mover, old)
        assert (await b.say(mover, "undo")).notice.startswith("I've asked the others")
        asked = (await a.table()).question
        assert asked is not None
        await a.press(other, f"{before.id}:1:agree:{asked.n}")
        assert (await b.table()) == (await a.table())
        assert (await b.table()).state == before.state
        entries = len((await a.table()).entries)
        for bot in (b, a):
            assert (await bot.press(mover, old)).notice.startswith("That menu was out of date")
        assert len((await a.table()).entries) == entries
