"""A player's only possible move, which is played for them a moment later if they want that."""

from __future__ import annotations

from typing import Any

import pytest

from bot.model.tables import Player
from bot.store.memory.store import MemoryStore
from bot.tables import clocks
from bot.tables.log.commitment import ChosenSeed
from bot.tables.questions import ask_to_end
from bot.tables.table import Table
from bot.tables.turn_clock import FORCED_AFTER
from bot.tables.undo import taken_back
from engines import games
from engines.game import only_move
from engines.values import replace
from tests import luck
from tests.engines.playing import Setup, label, setups, states
from tests.support.clock import VirtualClock, settle
from tests.support.harness import BotHarness, bot_harness, text
from tests.support.platform import FakePlatform

NOW = 1_000_000.0
TOLD = "Only one move was possible, so it was played for you."


def always(person: str, public: bool) -> bool:
    return True


def first_move(table: Table) -> Table:
    seat = table.required()[0]
    return table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))


def with_forced(key: str, people: int = 2) -> Table:
    """A game in which a person has just moved and another has only one move."""
    for n in range(200):
        table = Table.open(key, owner="p0", seed_source=ChosenSeed(str(n)), clock=60).at(NOW)
        for seat in range(people):
            table = table.sit(Player(f"P{seat}", person=f"p{seat}"))
        table = table.start()
        while table.is_playing:
            before, table = table, first_move(table)
            if table.forced and set(table.forced).isdisjoint(before.required()):
                return table
    raise AssertionError(f"no move of {key} is ever the only one")


@pytest.mark.parametrize("key", ["svoi", "casino", "trio_escalera", "boathouse"])
def test_the_only_move_is_due_a_moment_after_it_is_the_only_one(key: str) -> None:
    table = with_forced(key)
    [(seat, move)] = table.forced.items()
    assert table.due == NOW + FORCED_AFTER
    early = clocks.attend(table.at(NOW + FORCED_AFTER - 0.1), plays_forced=always)
    assert early.entries == table.entries
    assert early.next_due(NOW + 5) == NOW + FORCED_AFTER
    played = clocks.attend(table.at(NOW + FORCED_AFTER), plays_forced=always)
    entry = played.entries[len(table.entries)]
    assert (entry.kind, entry.seat, entry.person) == ("timeout", seat, None)
    assert entry.body == {"move": str(move), "forced": True}
    assert Table.replay(played.entries, played.seed_source) == played


def test_a_move_that_is_played_for_a_player_is_no_act_of_theirs() -> None:
    table = with_forced("svoi")
    [seat] = table.forced
    played = clocks.attend(table.at(NOW + FORCED_AFTER), plays_forced=always)
    person = table.players[seat].person
    assert person is not None
    assert played.acted(person) == table.acted(person)
    assert played.own_moves == table.own_moves
    assert played.news_since_move(seat) == table.news_since_move(seat)
    events = [piece.event for piece in played.news[len(table.news) :]]
    assert (events[0].text.message, events[0].to) == (TOLD, seat)
    assert len(events) > 1
    assert {event.to for event in events[1:]} == {None}


def test_who_does_not_want_it_is_left_alone_and_the_table_rests() -> None:
    table = with_forced("svoi")
    at = NOW + FORCED_AFTER
    after = clocks.attend(table.at(at), plays_forced=lambda person, public: False)
    assert after.entries == table.entries
    due = after.next_due(at + 5)
    assert due is not None
    assert due > at + 5


@pytest.mark.parametrize(("key", "public"), [("svoi", True), ("casino", False)])
def test_whether_all_can_tell_is_what_the_game_says(key: str, public: bool) -> None:
    table = with_forced(key).at(NOW + FORCED_AFTER)

    def wants_if_public(person: str, is_public: bool) -> bool:
        return is_public

    after = clocks.attend(table, plays_forced=wants_if_public)
    assert (after.entries != table.entries) == public


def test_a_move_taken_back_takes_back_what_was_played_for_another_since() -> None:
    table = with_forced("svoi")
    [seat] = table.forced
    played = clocks.attend(table.at(NOW + FORCED_AFTER), plays_forced=always)
    back = taken_back(played, 1 - seat)
    assert back.entries[-1].body["to"] == len(table.entries) - 1
    assert back.own_moves.get(seat) == table.own_moves.get(seat)


def test_no_move_is_played_for_a_player_while_a_question_is_open() -> None:
    table = with_forced("svoi")
    asked = ask_to_end(table, "p0")
    assert asked.question
    after = clocks.attend(asked.at(NOW + FORCED_AFTER), plays_forced=always)
    assert after.entries == asked.entries


def test_nothing_is_played_for_a_player_who_has_left_or_where_all_are_away() -> None:
    table = with_forced("svoi")
    [seat] = table.forced
    left = table.add("hold", seat, person=f"p{seat}", level="normal")
    assert (left.is_frozen, left.forced) == (False, {})
    away = replace(table, away={0: NOW, 1: NOW})
    assert (away.is_frozen, away.forced) == (True, {})


TABLES = [table for game in games().values() for table in list(setups(game))[:2]]


@pytest.mark.parametrize("table", TABLES, ids=label)
def test_the_only_move_is_the_only_one_that_the_game_lists(table: Setup) -> None:
    game, found = table.game, 0
    for state in states(table, luck.rng(f"forced {label(table)}")):
        for seat in range(table.seats):
            move = only_move(game, state, seat)
            listed: list[Any] = list(game.moves(state, seat))
            found += move is not None
            assert move is None or listed == [move]
            assert move or len(listed) != 1 or game.wide
    assert found or game.key != "svoi"


async def to_forced(bot: BotHarness) -> tuple[Table, int]:
    """Plays until a person has only one move; opens another table if a game has none."""
    while True:
        table = await bot.table()
        while table.is_playing and not table.forced:
            seat = table.required()[0]
            move = str(next(iter(table.game.moves(table.state, seat))))
            caller = bot.caller(table.players[seat].name)
            await bot.press(caller, f"{table.id}:{table.stamp}:move:{move}")
            table = await bot.table()
        if table.forced:
            return table, next(iter(table.forced))
        # Of games that end at the same time, any may count as the last one.
        await bot.clock.advance(1)
        await bot.press(bot.caller("Ana"), f"{table.id}:{table.stamp}:rematch")
        table = await bot.table()
        await bot.press(bot.caller("Ana"), f"{table.id}:0:start")


def forced_entries(table: Table) -> list[int]:
    return [entry.n for entry in table.entries if entry.body.get("forced")]


async def pass_time(bot: BotHarness, seconds: float) -> None:
    await bot.clock.advance(seconds)
    await settle()


async def test_the_page_tells_what_was_played_for_its_reader() -> None:
    async with bot_harness() as bot:
        await bot.begin("svoi", "Ana", "Beto")
        while True:
            table, seat = await to_forced(bot)
            await pass_time(bot, 5)
            after = await bot.table()
            played = len(forced_entries(after)) - len(forced_entries(table))
            assert played
            # A page that tells of more moves, or of the end, leaves out its first sentences.
            if played == 1 and after.is_playing:
                break
        assert TOLD in text(bot.panel(bot.caller(table.players[seat].name)))


async def test_who_wants_to_press_is_waited_for() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("svoi", "Ana", "Beto")
        for one in people:
            await bot.say(one, "settings", setting="forced", value="never")
        table, _ = await to_forced(bot)
        await pass_time(bot, 60)
        assert (await bot.table()).stamp == table.stamp


async def test_where_others_would_learn_from_it_it_is_played_only_for_who_asks_for_it() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("trio_escalera", "Ana", "Beto")
        table, seat = await to_forced(bot)
        await pass_time(bot, 60)
        assert (await bot.table()).stamp == table.stamp
        await bot.say(people[seat], "settings", setting="forced", value="always")
        caller = bot.caller(table.players[seat].name)
        await bot.press(caller, f"{table.id}:{table.stamp}:move:{table.forced[seat]}")
        while seat not in (table := await bot.table()).forced:
            if not table.is_playing:
                await bot.begin("trio_escalera", "Ana", "Beto")
                continue
            one = table.required()[0]
            move = str(next(iter(table.game.moves(table.state, one))))
            await bot.press(bot.caller(table.players[one].name), f"{table.id}:{table.stamp}:sure:{move}")
        await pass_time(bot, 5)
        assert (await bot.table()).stamp > table.stamp


async def test_switching_it_on_plays_what_has_waited() -> None:
    async with bot_harness() as bot:
        people = await bot.begin("svoi", "Ana", "Beto")
        for one in people:
            await bot.say(one, "settings", setting="forced", value="never")
        table, seat = await to_forced(bot)
        await pass_time(bot, 60)
        other, own = (bot.caller(table.players[one].name) for one in (1 - seat, seat))
        await bot.say(other, "settings", setting="forced", value="always")
        assert (await bot.table()).stamp == table.stamp, "the wish of one is not the other's"
        await bot.say(own, "settings", setting="order", value="suit")
        assert (await bot.table()).stamp == table.stamp
        await bot.say(own, "settings", setting="forced", value="open")
        assert forced_entries(await bot.table()) == [len(table.entries)]


async def test_what_is_due_outlives_the_process_and_is_played_once() -> None:
    store, platform = MemoryStore(), FakePlatform()
    async with bot_harness(store, platform) as bot:
        await bot.begin("svoi", "Ana", "Beto")
        table, _ = await to_forced(bot)
        clock = bot.clock
    assert len(forced_entries(table)) == 0
    async with bot_harness(store, platform, clock) as again:
        await pass_time(again, 30)
        after = await again.table()
        assert forced_entries(after)[0] == len(table.entries)


async def test_of_two_processes_one_plays_it() -> None:
    store, platform = MemoryStore(shared=True), FakePlatform()
    clock = VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as a, bot_harness(store, platform, clock) as b:
        await a.begin("svoi", "Ana", "Beto")
        table, _ = await to_forced(a)
        await pass_time(b, 4)
        assert forced_entries(await b.table())[:1] == [len(table.entries)]
        assert (await a.table()).entries == (await b.table()).entries
