"""News: each reader is delivered every piece, with paced edits, after a restart, and without edits once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import pytest

from adapters.shared.rendering.lines import as_lines
from bot.model.ids import PUBLIC, ReaderId
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import Caller, Later, Limits, Page, Reply
from bot.store.memory.store import MemoryStore
from bot.table_service import service
from bot.table_service.cache import TableCache
from bot.tables.table import SHOWN_NEWS
from engines import games
from engines.game import Event, Text
from engines.values import replace
from tests.support.clock import VirtualClock, settle
from tests.support.harness import ALONE, PLACE, BotHarness, bot_harness
from tests.support.platform import ROOMY, FakePlatform
from tests.support.records import EVERYBODY_HERE

SLOW = replace(ROOMY, gap=60.0)
TEXT_ONLY = Limits(text=400, gap=0.0, edits=False, buttons=False, files=False, sign="!")
WIDTH = 60


@pytest.fixture(params=[10**9, 0], ids=["in use", "at rest"], autouse=True)
def in_use(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Holds tables in memory whole, or only with what their next pages need."""
    monkeypatch.setattr(service, "TableCache", partial(TableCache, in_use=request.param))


@dataclass(frozen=True)
class Delivered:
    """A page, and the chat to which it was sent."""

    chat: str
    page: Page


class Recorder(FakePlatform):
    """A fake platform that keeps the pages as the bot gave them."""

    def __init__(self, limits: Limits = ROOMY) -> None:
        super().__init__(limits)
        self.delivered: list[Delivered] = []

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        message = await super().post(place, page, mention, once=once)
        self.delivered.append(Delivered(place.chat, page))
        return message

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        message = await super().whisper(account, page, once=once)
        self.delivered.append(Delivered(ALONE + account.user, page))
        return message

    async def edit(self, message: str, page: Page) -> None:
        await super().edit(message, page)
        self.delivered.append(Delivered(self.chat(self.messages[message]), page))

    def told(self, chat: str) -> list[int]:
        """The numbers of the pieces of news that were sent to a chat, in order."""
        return [line.n for delivery in self.delivered if delivery.chat == chat for line in delivery.page.news]

    def pages_of(self, chat: str) -> list[Page]:
        """The pages that were sent to a chat, except messages of a sentence such as alerts."""
        return [
            delivery.page
            for delivery in self.delivered
            if delivery.chat == chat and delivery.page.kind != "note"
        ]


class TextOnly(Recorder):
    """A platform of lines of text, which can edit and delete nothing and gives its messages no ids."""

    def __init__(self, limits: Limits = TEXT_ONLY) -> None:
        super().__init__(limits)

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        self._raise_error()
        self._check_place(place)
        self._deliver("post", place, EVERYBODY_HERE, page)
        return ""

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        self._raise_error()
        self._check_user(account.user)
        self.persons[account.user] = account.person
        self._deliver("whisper", None, account.user, page)
        return ""

    async def edit(self, message: str, page: Page) -> None:
        self.faults.refuse("a platform without edits is asked to edit")

    async def delete(self, message: str) -> None:
        self.faults.refuse("a platform without edits is asked to delete")

    def answer(self, user: str, reply: Reply, in_reply_to: str = "") -> None:
        text = "\n".join((reply.notice, *(as_lines(reply.page, None, WIDTH) if reply.page else ())))
        self._record("answer", None, user, (text, text, ()), in_reply_to)

    def _deliver(self, how: str, place: Place | None, user: str, page: Page) -> None:
        text = "\n".join(as_lines(page, None, WIDTH))
        self._record(how, place, user, (text, text, ()))
        self.delivered.append(Delivered(place.chat if place else ALONE + user, page))


async def play(bot: BotHarness, people: Sequence[Caller], moves: int) -> None:
    """Players press the first legal move in turn, so many times or until the game is over."""
    for _ in range(moves):
        table = await bot.table()
        if table.status == "over":
            return
        first = str(next(iter(table.game.moves(table.state, table.active()[0]))))
        await bot.press(await bot.to_play(people), f"{table.id}:{table.stamp}:move:{first}")


async def queue_all(bot: BotHarness, people: Sequence[Caller]) -> None:
    """Queues every panel of the table, and waits until no task can run."""
    table = await bot.table()
    for reader in (PUBLIC, *[await bot.person(caller) for caller in people]):
        bot.dispatcher.panels.queue(table, reader)
    await settle()


async def news_for(bot: BotHarness, reader: ReaderId) -> list[int]:
    """The numbers of the pieces of news that a reader may know, in order."""
    table = await bot.dispatcher.service.whole((await bot.table()).id)
    seat = table.seat_of(reader)
    return [n for n, piece in enumerate(table.news) if piece.event.to in (None, seat)]


async def lost(bot: BotHarness, platform: Recorder, people: Sequence[Caller]) -> dict[str, set[int]]:
    """The pieces of news that never reached a chat, for each chat that misses some."""
    missing = {PLACE.chat: {*await news_for(bot, PUBLIC)} - {*platform.told(PLACE.chat)}}
    for caller in people:
        chat = ALONE + caller.user
        missing[chat] = {*await news_for(bot, await bot.person(caller))} - {*platform.told(chat)}
    return {chat: numbers for chat, numbers in missing.items() if numbers}


async def test_many_moves_between_two_edits_lose_no_news() -> None:
    platform = Recorder(SLOW)
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await bot.clock.advance(100)
        platform.delivered.clear()
        before = len((await bot.table()).news)
        await play(bot, people, 12)
        await bot.clock.advance(100)
        assert len(platform.pages_of(PLACE.chat)) <= 2
        assert len((await bot.table()).news) - before > 6
        assert set(range(before, len((await bot.table()).news))) <= {*platform.told(PLACE.chat)}


async def test_a_whole_game_loses_no_news() -> None:
    platform = Recorder(replace(ROOMY, gap=7.0))
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        while (await bot.table()).status == "playing":
            await play(bot, people, 3)
            await bot.clock.advance(3)
        await bot.clock.advance(100)
        assert await lost(bot, platform, people) == {}


async def test_a_restart_loses_no_news() -> None:
    platform, store, clock = Recorder(SLOW), MemoryStore(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await bot.clock.advance(100)
        platform.errors = [Later(1000.0)] * 100
        await play(bot, people, 12)
        platform.errors = []
    async with bot_harness(store, platform, clock) as bot:
        await settle()
        assert await lost(bot, platform, people) == {}


async def test_a_page_keeps_its_news_while_nothing_new_happens() -> None:
    platform = Recorder(SLOW)
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await play(bot, people, 12)
        await bot.clock.advance(100)
        platform.delivered.clear()
        bot.dispatcher.panels.queue(await bot.table(), PUBLIC)
        await bot.clock.advance(100)
        assert platform.delivered == []


async def test_older_news_leave_a_page_with_the_next_change() -> None:
    platform = Recorder()
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await play(bot, people, 12)
        assert len(platform.pages_of(PLACE.chat)[-1].news) == SHOWN_NEWS


@pytest.mark.parametrize("gap", [0.0, 7.0])
async def test_without_edits_each_piece_of_news_is_told_once(gap: float) -> None:
    platform = TextOnly(replace(TEXT_ONLY, gap=gap))
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        while (await bot.table()).status == "playing":
            await play(bot, people, 3)
            await bot.clock.advance(3)
        await bot.clock.advance(100)
        assert platform.told(PLACE.chat) == await news_for(bot, PUBLIC)
        for caller in people:
            assert platform.told(ALONE + caller.user) == await news_for(bot, await bot.person(caller))
        assert platform.pages_of(PLACE.chat)[-1].kind == "over"


async def test_without_edits_a_restart_tells_nothing_twice() -> None:
    platform, store, clock = TextOnly(), MemoryStore(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await play(bot, people, 5)
    platform.delivered, before = [], platform.delivered
    async with bot_harness(store, platform, clock) as bot:
        await settle()
        assert platform.delivered == []
        platform.delivered = before
        await play(bot, people, 3)
        assert platform.told(PLACE.chat) == await news_for(bot, PUBLIC)


async def test_without_edits_nothing_is_sent_where_nothing_has_changed() -> None:
    platform, store, clock = TextOnly(), MemoryStore(), VirtualClock(stopped=True)
    async with bot_harness(store, platform, clock) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await play(bot, people, 2)
        platform.delivered.clear()
        await queue_all(bot, people)
        assert platform.delivered == []
    async with bot_harness(store, platform, clock) as bot:
        await queue_all(bot, people)
        assert platform.delivered == []


async def test_without_edits_a_page_is_sent_again_when_its_reader_asks() -> None:
    platform = TextOnly()
    async with bot_harness(platform=platform) as bot:
        (ana,) = await bot.begin("casino", "Ana")
        platform.delivered.clear()
        await bot.say(ana, "table")
        assert [page.news for page in platform.pages_of(PLACE.chat)] == [()]


async def test_without_edits_a_step_in_the_menu_is_a_page_without_news() -> None:
    platform = TextOnly()
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        mover = await bot.to_play(people)
        await bot.say(mover, "settings", setting="careful", value="on")
        platform.delivered.clear()
        await play(bot, people, 1)
        (page,) = platform.pages_of(ALONE + mover.user)
        assert (page.kind, page.news) == ("turn", ())


async def test_without_edits_news_worth_keeping_have_no_message_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    platform = TextOnly()
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        game, told = type(games()["casino"]), Event(Text("The game is over."), None, keep=True)
        act = game.act
        platform.delivered.clear()
        with monkeypatch.context() as patched:
            patched.setattr(game, "act", lambda *given: (*act(*given)[:-1], (told,)))
            await play(bot, people, 1)
        (one,) = [delivery for delivery in platform.delivered if delivery.chat == PLACE.chat]
        assert [line.text for line in one.page.news] == ["The game is over."]


async def test_without_edits_a_rematch_does_not_show_the_end_again() -> None:
    platform = TextOnly()
    async with bot_harness(platform=platform) as bot:
        people = await bot.begin("casino", "Ana", "Beto")
        await play(bot, people, 200)
        platform.delivered.clear()
        await bot.say(people[0], "rematch")
        assert [delivery.page.kind for delivery in platform.delivered] == ["lobby"] * 3


async def test_without_edits_a_player_who_sits_down_gets_one_page() -> None:
    platform = TextOnly()
    async with bot_harness(platform=platform) as bot:
        ana, beto = bot.caller("Ana"), bot.caller("Beto")
        for caller in (ana, beto):
            await bot.dispatcher.arrive(bot.caller(caller.name, private=True), "")
        await bot.say(ana, "new", game="casino")
        await bot.clock.advance(100)
        await bot.say(beto, "join")
        await bot.clock.advance(100)
        assert len(platform.pages_of(ALONE + beto.user)) == 1
        await bot.dispatcher.arrive(bot.caller("Beto", private=True), "")
        assert len(platform.pages_of(ALONE + beto.user)) == 2
