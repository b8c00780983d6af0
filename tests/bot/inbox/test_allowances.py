"""A sender who goes too fast is told so privately, at no cost; nobody opens or sits at too many tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count

import pytest

from bot.inbox.allowances import Allowances, Limiter, Rate
from bot.model.batches import Batch, Full
from bot.model.places import Place
from bot.ports import Caller, Reply
from bot.store.memory.store import MemoryStore
from bot.table_service.bounds import Bounds
from engines.values import replace
from tests.support.allowances import AMPLE
from tests.support.clock import VirtualClock
from tests.support.harness import PLACE, BotHarness, bot_harness, offers

TOO_FAST = "You're going too fast for me. Try again in a few seconds."
ROOMY = Bounds(person=100, place=100)
SENDER = ("wall", "ana")


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    """A bot with the default allowances."""
    async with bot_harness(allowances=Allowances()) as opened:
        yield opened


@pytest.fixture
async def open_house() -> AsyncIterator[BotHarness]:
    """A bot at which one person may sit at three tables, and own a hundred."""
    async with bot_harness(bounds=replace(ROOMY, seats=3), allowances=AMPLE) as opened:
        yield opened


def alone(bot: BotHarness, name: str) -> Caller:
    return bot.caller(name, private=True)


class CountingStore(MemoryStore):
    """A store that counts the uses of its methods."""

    calls = 0

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_") and name != "calls":
            self.calls += 1
        return super().__getattribute__(name)


async def test_twenty_commands_at_once_are_answered_and_the_next_is_refused(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    notices = [(await bot.say(ana, "help")).notice for _ in range(20)]
    assert (set(notices), await bot.say(ana, "help")) == ({""}, Reply(TOO_FAST, quiet=True))


async def test_presses_commands_and_lines_count_alike(bot: BotHarness) -> None:
    ana = alone(bot, "Ana")
    for _ in range(10):
        await bot.say(ana, "help")
        await bot.type(ana, "hello")
    assert (await bot.press(ana, "nonsense")).notice == TOO_FAST


async def test_a_sender_who_goes_on_is_told_only_once(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    for _ in range(20):
        await bot.say(ana, "help")
    notices = [(await bot.say(ana, "help")).notice for _ in range(50)]
    assert notices == [TOO_FAST, *[""] * 49]


async def test_a_flood_is_a_line_in_the_log_once_a_minute(
    bot: BotHarness, caplog: pytest.LogCaptureFixture
) -> None:
    ana = bot.caller("Ana")
    for _ in range(70):
        await bot.say(ana, "help")
    line = "a sender on wall goes too fast and is not heard"
    assert [record.getMessage() for record in caplog.records] == [line]
    await bot.clock.advance(60)
    for _ in range(21):
        await bot.say(ana, "help")
    assert caplog.records[-1].getMessage() == f"{line} (49 more since the last such line)"


async def test_a_sender_who_has_waited_is_answered_again(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    for _ in range(25):
        await bot.say(ana, "help")
    await bot.clock.advance(10)
    assert (await bot.say(ana, "help")).page


async def test_others_are_answered_meanwhile(bot: BotHarness) -> None:
    for _ in range(25):
        await bot.say(bot.caller("Ana"), "help")
    assert (await bot.say(bot.caller("Beto"), "help")).page


async def test_a_sender_who_goes_too_fast_costs_the_store_nothing_and_changes_nothing() -> None:
    store = CountingStore()
    async with bot_harness(store, allowances=Allowances()) as bot:
        ana = bot.caller("Ana", locale="es")
        await bot.say(ana, "new", game="casino")
        table = await bot.table()
        await bot.say(ana, "language", language="es")
        for _ in range(18):
            await bot.say(ana, "help")
        requests, calls = list(bot.platform.requests), store.calls
        reply = await bot.dispatcher.press(ana, f"{table.id}:0:add_computer", "d")
        assert (reply.notice, reply.page, reply.public) == (
            "Vas demasiado rápido para mí. Inténtalo otra vez en unos segundos.",
            None,
            False,
        )
        assert (store.calls, bot.platform.requests, await bot.table()) == (calls, requests, table)


async def test_a_person_who_has_left_is_out_however_fast_they_were(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    for _ in range(25):
        await bot.say(ana, "help")
    await bot.dispatcher.depart(ana)
    assert (await bot.table()).status == "over"


async def test_suggestions_are_counted_apart(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    found = [await bot.dispatcher.complete(ana, "new", "game", "", {}) for _ in range(61)]
    assert (len(found[59]) > 3, found[60]) == (True, ())
    assert (await bot.say(ana, "help")).page


async def test_the_seventh_table_of_an_hour_is_refused() -> None:
    async with bot_harness(bounds=ROOMY, allowances=Allowances()) as bot:
        ana = bot.caller("Ana")
        for _ in range(6):
            await bot.say(ana, "new", game="casino")
        expected = "You've opened 6 tables in the last hour. Join one, or try again later."
        assert (await bot.say(ana, "new", game="casino")).notice == expected
        assert (await bot.press(ana, "0000000000:0:open:casino")).notice == expected
        await bot.clock.advance(3600)
        assert (await bot.say(ana, "new", game="casino")).done


async def test_a_table_that_was_not_opened_is_not_counted() -> None:
    three = replace(AMPLE, tables=Rate(3, 3600.0))
    async with bot_harness(bounds=replace(ROOMY, person=2), allowances=three) as bot:
        ana = bot.caller("Ana")
        for _ in range(2):
            await bot.say(ana, "new", game="casino")
        for _ in range(8):
            assert "You already have 2 tables open." in (await bot.say(ana, "new", game="casino")).notice
        for number in ("1", "2"):
            await bot.say(ana, "end", table=number)
        assert (await bot.say(ana, "new", game="casino")).done


async def test_a_rematch_is_a_new_table() -> None:
    once = replace(AMPLE, tables=Rate(1, 3600.0))
    async with bot_harness(bounds=ROOMY, allowances=once) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await bot.end(people[0])
        expected = "You've opened 1 table in the last hour. Join another one, or try again later."
        assert (await bot.say(people[0], "rematch")).notice == expected
        assert (await bot.say(people[1], "rematch")).done


async def test_too_many_changes_of_settings_are_refused() -> None:
    few = replace(AMPLE, settings=Rate(3, 60.0))
    async with bot_harness(allowances=few) as bot:
        ana = bot.caller("Ana", moderator=True)
        await bot.say(ana, "settings", setting="letters", value="on")
        await bot.say(ana, "language", language="en")
        await bot.say(ana, "channel", openers="moderators")
        expected = "You've changed a lot of settings. Try again in a minute."
        assert (await bot.say(ana, "settings", setting="letters", value="off")).notice == expected
        assert (await bot.press(ana, "0000000000:0:set:letters off")).notice == expected
        assert (await bot.say(ana, "language", language="es")).notice == expected
        assert (await bot.say(ana, "channel", openers="everyone")).notice == expected
        assert (await bot.dispatcher.people.person_of(ana)).letters


async def test_of_several_settings_in_one_command_all_are_stored_or_none() -> None:
    async with bot_harness(allowances=replace(AMPLE, settings=Rate(2, 60.0))) as bot:
        mod, stored = bot.caller("Mod", moderator=True), list[tuple[object, object]]()
        for openers, clock in (("moderators", "30"), ("everyone", "60"), ("nobody", "90")):
            reply = await bot.say(mod, "channel", openers=openers, clock=clock)
            room = await bot.store.room(PLACE)
            assert room
            stored.append((room.openers, room.clock))
        assert stored == [("moderators", 30), ("everyone", 60), ("everyone", 60)]
        assert reply.notice.startswith("You've changed a lot of settings.")


async def opened(bot: BotHarness, name: str, tables: int) -> list[str]:
    """Opens so many tables, each in a channel of its own; returns the ids of the tables."""
    ids = []
    for n in range(tables):
        caller = replace(bot.caller(name), place=bot.platform.place(f"room{n}-{name}"))
        await bot.say(caller, "new", game="casino")
        ids.append((await bot.store.tables(caller.place))[0].game)
    return ids


FULL = "You're already at 3 tables. Leave one of them first."


async def test_a_person_at_many_tables_can_neither_join_nor_open_another(open_house: BotHarness) -> None:
    bot, ana = open_house, open_house.caller("Ana")
    await opened(bot, "Ana", 3)
    [other] = await opened(bot, "Beto", 1)
    assert (await bot.press(ana, f"{other}:0:join")).notice == FULL
    assert (await bot.say(ana, "new", game="casino")).notice == FULL
    assert len((await bot.dispatcher.service.table(other)).players) == 1


async def test_a_person_whom_another_process_seats_meanwhile_is_told_their_tables(
    open_house: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, ana = open_house, open_house.caller("Ana")
    await opened(bot, "Ana", 2)
    [other] = await opened(bot, "Beto", 1)
    person = await bot.person(ana)

    async def full(batch: Batch) -> object:
        return Full(person)

    monkeypatch.setattr(bot.store, "append", full)
    reply = await bot.press(ana, f"{other}:0:join")
    assert reply.notice == "You're already at 2 tables. Leave one of them first."
    assert reply.page


async def test_joins_at_once_do_not_pass_the_limit(open_house: BotHarness) -> None:
    bot, ana, deliveries = open_house, open_house.caller("Ana"), count()
    tables = [*await opened(bot, "Beto", 3), *await opened(bot, "Carla", 3)]
    await asyncio.gather(
        *(bot.dispatcher.press(ana, f"{game}:0:join", f"d{next(deliveries)}") for game in tables)
    )
    person = await bot.person(ana)
    sits = [(await bot.dispatcher.service.table(game)).seat_of(person) is not None for game in tables]
    assert sum(sits) == 3


async def test_a_seat_that_a_computer_holds_is_free_for_another_table_and_not_taken_back(
    open_house: BotHarness,
) -> None:
    bot, ana = open_house, open_house.caller("Ana")
    games = await opened(bot, "Ana", 3)
    await bot.press(bot.caller("Beto"), f"{games[0]}:0:join")
    await bot.press(ana, f"{games[0]}:0:start")
    await bot.leave(ana, await bot.dispatcher.service.table(games[0]))
    assert (await bot.say(ana, "new", game="casino")).done
    assert (await bot.press(ana, f"{games[0]}:0:back")).notice == FULL
    assert (await bot.press(ana, f"{games[0]}:0:join")).notice == FULL
    await bot.say(ana, "leave")
    assert (await bot.press(ana, f"{games[0]}:0:back")).notice == "You have your seat back."


async def test_a_person_already_at_the_table_hears_that_instead(open_house: BotHarness) -> None:
    bot, ana = open_house, open_house.caller("Ana")
    games = await opened(bot, "Ana", 3)
    assert (await bot.press(ana, f"{games[0]}:0:join")).notice == "You already have a seat at this table."


async def test_a_rematch_leaves_out_a_player_who_is_at_many_tables(open_house: BotHarness) -> None:
    bot = open_house
    ana, _, carla = await bot.begin("casino", "Ana", "Beto", "Carla")
    over = await bot.table()
    await bot.end(ana)
    await opened(bot, "Beto", 3)
    await opened(bot, "Ana", 3)
    assert (await bot.press(ana, f"{over.id}:0:rematch")).notice == FULL
    assert (await bot.press(carla, f"{over.id}:0:rematch")).done
    assert [player.name for player in (await bot.table()).players] == ["Carla"]


async def test_a_rematch_leaves_out_a_player_whom_another_process_has_just_seated(
    open_house: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = open_house
    ana, _ = await bot.begin("casino", "Ana", "Beto")
    over = await bot.table()
    await bot.end(ana)
    await opened(bot, "Beto", 3)
    seats, asked = bot.dispatcher.service.seats, count()
    is_full = seats.is_full

    async def full_since(person: str) -> bool:
        return bool(next(asked)) and await is_full(person)

    monkeypatch.setattr(seats, "is_full", full_since)
    assert (await bot.press(ana, f"{over.id}:0:rematch")).done
    assert [player.name for player in (await bot.table()).players] == ["Ana"]


async def test_a_join_delivered_again_is_answered_with_silence_at_the_limit(open_house: BotHarness) -> None:
    bot, ana = open_house, open_house.caller("Ana")
    await opened(bot, "Ana", 2)
    [other] = await opened(bot, "Beto", 1)
    await bot.dispatcher.press(ana, f"{other}:0:join", "again")
    assert await bot.dispatcher.press(ana, f"{other}:0:join", "again") == Reply()


def test_a_limiter_forgets_the_sender_not_heard_of_for_longest() -> None:
    clock = VirtualClock(stopped=True)
    limiter = Limiter(Rate(1, 10.0), 2, clock)
    early, late = ("wall", "early"), ("wall", "late")
    assert limiter.take(SENDER)
    assert limiter.take(early)
    # A delivery that is refused counts too: it is the other sender who is forgotten.
    assert not limiter.take(SENDER)
    assert limiter.take(late)
    assert not limiter.take(SENDER)
    assert limiter.take(early)
    assert len(limiter._times) == 2


def test_a_limiter_forgets_the_senders_of_an_earlier_period() -> None:
    clock = VirtualClock(stopped=True)
    limiter = Limiter(Rate(1, 10.0), 9, clock)
    for sender in (SENDER, ("wall", "beto")):
        limiter.take(sender)
        clock.time += 6.0
    assert len(limiter._times) == 2
    limiter.take(("wall", "carla"))
    assert list(limiter._times) == [("wall", "beto"), ("wall", "carla")]


def test_no_period_has_more_than_the_limit() -> None:
    clock = VirtualClock(1_000.0, stopped=True)
    limiter, taken = Limiter(Rate(3, 10.0), 9, clock), []
    for _ in range(60):
        if limiter.take(SENDER):
            taken.append(clock.now())
        clock.time += 1.0
    assert len(taken) == 18
    assert all(later - earlier >= 10 for earlier, later in zip(taken, taken[3:], strict=False))


def test_a_clock_that_is_set_back_locks_nobody_out() -> None:
    clock = VirtualClock(1_000.0, stopped=True)
    limiter = Limiter(Rate(1, 10.0), 9, clock)
    limiter.take(SENDER)
    clock.time = 0.0
    assert limiter.take(SENDER)


async def test_a_name_is_cut_before_anything_looks_at_it(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def looked_at(name: str) -> str:
        seen.append(len(name))
        return "Ana"

    monkeypatch.setattr("bot.people.safe_name", looked_at)
    ana = replace(bot.caller("Ana"), name="Ana" * 100_000, place=Place("wall", "square"))
    await bot.say(ana, "help")
    assert set(seen) == {Allowances().text}


async def test_a_move_of_a_button_with_too_much_data_is_not_made(bot: BotHarness) -> None:
    people = await bot.begin("casino", "Ana", "Beto")
    mover = await bot.to_play(people)
    data = offers(bot.panel(mover), "move")[0].data
    assert (await bot.press(mover, data + " " * 300)).notice == "That no longer works."
    assert (await bot.table()).stamp == 0
