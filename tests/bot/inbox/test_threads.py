"""Tables in threads of their own, where a channel has them and the platform lets the bot open them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.errors import PlatformError
from bot.model.places import Place, Room
from bot.outbox.threads import ARCHIVE_AFTER
from bot.ports import Caller, Forbidden, Gone, Later, Page
from bot.storage import StoreError
from bot.store.memory.store import MemoryStore
from bot.table_service.bounds import Bounds
from bot.tables.table import Table
from engines.values import replace
from tests.support.clock import VirtualClock
from tests.support.harness import PLACE, BotHarness, bot_harness, key, keys, text
from tests.support.platform import ROOMY, FakePlatform

SERVER = "server"


class ThreadPlatform(FakePlatform):
    """A fake platform on which messages have threads below them."""

    def __init__(self) -> None:
        super().__init__(replace(ROOMY, threads=True))
        self.refuses = False
        """Whether no thread can be opened any more."""
        self.above: dict[str, str] = {}
        """The message above each thread."""
        self.archived: list[str] = []
        self.failures: list[PlatformError] = []
        """The errors of the next edits of messages above threads."""

    async def open_thread(self, place: Place, page: Page, name: str) -> Place:
        if self.refuses:
            raise Forbidden("too many threads")
        self.faults.unless(0 < len(name) <= 100, f"a thread is called {name!r}")
        message = await self.post(place, page)
        thread = self.place(f"thread of {message}", *self.places[place.chat])
        self.above[thread.chat] = message
        return thread

    async def edit_above(self, thread: Place, channel: str, page: Page) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.faults.unless(thread.chat in self.above, f"the bot has not opened {thread}")
        await self.edit(self.above[thread.chat], page)

    async def archive(self, thread: Place) -> None:
        self.archived.append(thread.chat)


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness(platform=ThreadPlatform()) as opened:
        await opened.say(here(opened, "Mia", moderator=True), "channel", threads="on")
        yield opened


def here(bot: BotHarness, name: str, *, moderator: bool = False, locale: str = "en") -> Caller:
    """A person in the channel, where the bot may open threads."""
    caller = bot.caller(name, moderator=moderator, locale=locale)
    return replace(caller, server=SERVER, threads=True)


def inside(bot: BotHarness, name: str, thread: Place, *, moderator: bool = False) -> Caller:
    """A person in a thread of the channel."""
    caller = here(bot, name, moderator=moderator)
    return replace(caller, place=thread, channel=PLACE.chat, threads=False)


async def opened(bot: BotHarness, name: str = "Ana", game: str = "casino") -> Table:
    """The table that a person opens in a thread."""
    await bot.say(here(bot, name), "new", game=game, clock="off")
    [listing] = await bot.store.tables_of(await bot.person(bot.caller(name)))
    assert listing.place != PLACE
    return await bot.dispatcher.service.table(listing.game)


def platform_of(bot: BotHarness) -> ThreadPlatform:
    assert isinstance(bot.platform, ThreadPlatform)
    return bot.platform


async def test_a_new_table_has_a_thread(bot: BotHarness) -> None:
    reply = await bot.say(here(bot, "Ana"), "new", game="casino")
    assert reply.notice == "Your table is open, in a thread of its own. The others press Join."
    table = (await bot.store.tables_of(await bot.person(bot.caller("Ana"))))[0]
    [above] = bot.platform.pages(PLACE.chat)
    [public_panel] = bot.platform.pages(table.place.chat)
    assert text(above).strip() == "Casino in the thread below, with Ana. Will you play?"
    assert text(public_panel).startswith("Casino, table 1")


async def test_the_thread_speaks_the_language_of_its_channel(bot: BotHarness) -> None:
    await bot.say(here(bot, "Mia", moderator=True), "channel", language="es")
    table = await opened(bot)
    [above] = bot.platform.pages(PLACE.chat)
    [public_panel] = bot.platform.pages(table.place.chat)
    assert text(above).strip() == "Casino en el hilo de abajo, con Ana. ¿Juegas?"
    assert text(public_panel).startswith("Casino, mesa 1")


async def test_a_full_channel_gets_no_further_thread() -> None:
    async with bot_harness(platform=ThreadPlatform(), bounds=Bounds(place=1)) as bot:
        await bot.say(here(bot, "Mia", moderator=True), "channel", threads="on")
        await opened(bot)
        reply = await bot.say(here(bot, "Eve"), "new", game="svoi")
        assert reply.notice == "There is already 1 table open here. Close it first."
        assert len(platform_of(bot).above) == 1


async def test_the_leaderboard_of_a_channel_counts_the_games_in_its_threads(bot: BotHarness) -> None:
    await bot.say(here(bot, "Ana"), "new", game="casino", clock="off", players="2")
    [listing] = await bot.store.tables_of(await bot.person(bot.caller("Ana")))
    await bot.say(inside(bot, "Beto", listing.place), "join")
    await bot.say(inside(bot, "Ana", listing.place), "start")
    while (table := await bot.dispatcher.service.table(listing.game)).is_playing:
        seat = table.required()[0]
        move = str(next(iter(table.game.moves(table.state, seat))))
        player = inside(bot, table.players[seat].name, listing.place)
        await bot.press(player, f"{table.id}:{table.stamp}:sure:{move}")
    for caller in (here(bot, "Ana"), inside(bot, "Ana", listing.place)):
        assert "Beto" in text((await bot.say(caller, "leaderboard", scope="channel")).page)


async def test_people_join_from_the_channel(bot: BotHarness) -> None:
    table = await opened(bot)
    await bot.press(here(bot, "Beto"), key(bot.platform.pages(PLACE.chat)[0], "Join").data)
    table = await bot.dispatcher.service.table(table.id)
    assert [player.name for player in table.players] == ["Ana", "Beto"]


async def test_the_channel_is_told_of_the_game_and_its_end(bot: BotHarness) -> None:
    table = await opened(bot)
    await bot.say(inside(bot, "Beto", table.place), "join")
    await bot.say(inside(bot, "Ana", table.place), "start")
    [above] = bot.platform.pages(PLACE.chat)
    assert (text(above).strip(), keys(above)) == ("Casino in the thread below, with Ana and Beto.", [])
    await bot.end(inside(bot, "Mia", table.place, moderator=True))
    [above] = bot.platform.pages(PLACE.chat)
    assert text(above).strip() == "Casino\nThe table was closed before the game ended."


CLOSED = "Casino\nThe table was closed before the game ended."


async def test_an_edit_above_a_thread_that_is_put_off_is_tried_again() -> None:
    platform, clock = ThreadPlatform(), VirtualClock(stopped=True)
    async with bot_harness(MemoryStore(), platform, clock) as bot:
        await bot.say(here(bot, "Mia", moderator=True), "channel", threads="on")
        table = await opened(bot)
        platform.failures = [Later(30), Later(10)]
        await bot.say(inside(bot, "Ana", table.place), "end")
        for seconds, shown in ((29, False), (2, False), (8, False), (2, True)):
            await clock.advance(seconds)
            assert (text(platform.pages(PLACE.chat)[0]).strip() == CLOSED) is shown
        assert bot.dispatcher.panels.threads._retrying == {}


async def test_an_edit_above_a_thread_that_was_put_off_is_overtaken_by_the_next() -> None:
    platform, clock = ThreadPlatform(), VirtualClock(stopped=True)
    async with bot_harness(MemoryStore(), platform, clock) as bot:
        await bot.say(here(bot, "Mia", moderator=True), "channel", threads="on")
        table = await opened(bot)
        await bot.say(inside(bot, "Beto", table.place), "join")
        platform.failures = [Later(30)]
        await bot.say(inside(bot, "Ana", table.place), "start")
        await bot.end(inside(bot, "Mia", table.place, moderator=True))
        await clock.advance(100)
        assert text(platform.pages(PLACE.chat)[0]).strip() == CLOSED


async def test_an_edit_above_a_thread_that_is_refused_is_not_tried_again() -> None:
    platform, clock = ThreadPlatform(), VirtualClock(stopped=True)
    async with bot_harness(MemoryStore(), platform, clock) as bot:
        await bot.say(here(bot, "Mia", moderator=True), "channel", threads="on")
        table = await opened(bot)
        platform.failures = [Later(30), Gone("no message"), Gone("no message")]
        await bot.say(inside(bot, "Ana", table.place), "end")
        await clock.advance(100)
        assert len(platform.failures) == 1


async def test_a_thread_is_archived_some_time_after_the_end(bot: BotHarness) -> None:
    table = await opened(bot)
    await bot.say(inside(bot, "Ana", table.place), "end")
    await bot.clock.advance(ARCHIVE_AFTER - 1)
    assert platform_of(bot).archived == []
    await bot.clock.advance(2)
    assert platform_of(bot).archived == [table.place.chat]


async def test_a_thread_is_archived_though_the_bot_was_started_anew() -> None:
    store, platform, clock = MemoryStore(), ThreadPlatform(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as bot:
        await bot.say(here(bot, "Mia", moderator=True), "channel", threads="on")
        table = await opened(bot)
        await bot.say(inside(bot, "Ana", table.place), "end")
        await bot.clock.advance(100)
    async with bot_harness(store, platform, clock) as bot:
        await bot.clock.advance(ARCHIVE_AFTER - 101)
        assert platform.archived == []
        await bot.clock.advance(2)
        assert platform.archived == [table.place.chat]


async def test_a_thread_with_another_table_is_not_archived(bot: BotHarness) -> None:
    table = await opened(bot)
    await bot.say(inside(bot, "Ana", table.place), "end")
    await bot.say(inside(bot, "Ana", table.place), "new", game="svoi")
    assert [listing.place for listing in await bot.store.tables_of(await bot.person(bot.caller("Ana")))] == [
        table.place
    ]
    await bot.clock.advance(ARCHIVE_AFTER + 1)
    assert platform_of(bot).archived == []


async def test_a_thread_is_archived_after_the_end_of_its_last_table(bot: BotHarness) -> None:
    table = await opened(bot)
    await bot.say(inside(bot, "Ana", table.place), "end")
    await bot.say(inside(bot, "Ana", table.place), "new", game="svoi")
    await bot.clock.advance(ARCHIVE_AFTER - 10)
    await bot.say(inside(bot, "Ana", table.place), "end")
    await bot.clock.advance(ARCHIVE_AFTER - 1)
    assert platform_of(bot).archived == []
    await bot.clock.advance(2)
    assert platform_of(bot).archived == [table.place.chat]


async def test_a_thread_that_people_opened_is_left_alone(bot: BotHarness) -> None:
    own = bot.platform.place("own thread")
    await bot.say(inside(bot, "Ana", own), "new", game="casino")
    await bot.say(inside(bot, "Ana", own), "end")
    await bot.clock.advance(ARCHIVE_AFTER + 1)
    assert platform_of(bot).archived == []
    assert bot.platform.pages(PLACE.chat) == []


async def test_where_no_thread_can_be_opened_the_table_is_in_the_channel(bot: BotHarness) -> None:
    platform_of(bot).refuses = True
    reply = await bot.say(here(bot, "Ana"), "new", game="casino")
    assert reply.notice == (
        "Your table is open. The others press Join. I couldn't open a thread for it this time."
    )
    assert [listing.place for listing in await bot.store.tables(PLACE)] == [PLACE]


async def test_where_the_bot_may_not_open_threads_none_is_tried(bot: BotHarness) -> None:
    reply = await bot.say(replace(here(bot, "Ana"), threads=False), "new", game="casino")
    assert reply.notice == (
        "Your table is open. The others press Join. "
        "I couldn't open a thread for it: I need the “Create Public Threads” permission."
    )
    assert [listing.place for listing in await bot.store.tables(PLACE)] == [PLACE]
    assert platform_of(bot).above == {}


async def test_a_thread_without_a_table_is_archived(bot: BotHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*given: object) -> None:
        raise ValueError("no table")

    monkeypatch.setattr(bot.dispatcher.service, "open", full)
    await bot.say(here(bot, "Ana"), "new", game="casino")
    assert platform_of(bot).archived == list(platform_of(bot).above)
    assert len(platform_of(bot).above) == 1


async def test_a_thread_that_cannot_be_stored_is_archived(
    bot: BotHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_room = bot.store.save_room

    async def only_channels(room: Room) -> None:
        if room.channel:
            raise StoreError("the disk is full")
        await save_room(room)

    monkeypatch.setattr(bot.store, "save_room", only_channels)
    await bot.say(here(bot, "Ana"), "new", game="casino")
    assert platform_of(bot).archived == list(platform_of(bot).above)
    assert len(platform_of(bot).above) == 1


async def test_in_the_channel_a_command_about_a_table_says_where_it_is(bot: BotHarness) -> None:
    await opened(bot)
    reply = await bot.say(here(bot, "Beto", locale="es"), "join")
    assert reply.notice.startswith("Las mesas de aquí están en hilos propios.")


async def test_threads_are_not_turned_on_where_the_bot_may_not_open_them() -> None:
    async with bot_harness(platform=ThreadPlatform()) as bot:
        mia = replace(here(bot, "Mia", moderator=True), threads=False)
        assert (await bot.say(mia, "channel", threads="on")).notice.startswith("I can't open threads here")
        assert not (await bot.dispatcher.people.settings(PLACE)).threads


async def test_a_game_in_a_thread_goes_on_after_a_restart() -> None:
    store, platform, clock = MemoryStore(), ThreadPlatform(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as bot:
        await bot.say(here(bot, "Mia", moderator=True), "channel", threads="on")
        table = await opened(bot)
        await bot.say(inside(bot, "Beto", table.place), "join")
    async with bot_harness(store, platform, clock) as bot:
        await bot.say(inside(bot, "Ana", table.place), "start")
        assert text(platform.pages(PLACE.chat)[0]).strip() == "Casino in the thread below, with Ana and Beto."
        assert "Casino" in text(platform.pages(table.place.chat)[-1])
