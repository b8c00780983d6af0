"""A running bot over a store in memory and a fake platform that records what is sent."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model import Account, Level, PersonId, Place
from bot.ports import Caller, Departed, Gone, Key, Limits, Page, Reply, Store, Unreachable
from bot.store.memory import MemoryStore
from bot.tables.table import Table
from tests import luck
from tests.support.clock import VirtualClock, settle

PLACE = Place("wall", "square")
_deliveries = itertools.count()

ROOMY = Limits(text=2000, rows=5, row=5, keys=25, label=80, data=100, gap=0.0)
ALONE = "alone:"
"""Begins the chat of a message to one person."""


@dataclass
class FakePlatform:
    """A platform that keeps the messages sent to it, and raises the errors a test gives it."""

    key: str = "wall"
    limits: Limits = ROOMY
    address: str = ""
    messages: dict[str, tuple[str, Page]] = field(default_factory=dict)
    """Each message's chat and page, by its number."""
    sent: list[str] = field(default_factory=list)
    """What was done, such as ``post square``."""
    closed: set[str] = field(default_factory=set)
    """Users who take no private messages."""
    departed: set[str] = field(default_factory=set)
    """Users who are gone for good."""
    faults: list[Exception] = field(default_factory=list)
    """Raised by the next sendings, one each."""
    called: list[str] = field(default_factory=list)

    async def post(self, place: Place, page: Page, call: Account | None = None) -> str:
        if call:
            self.called.append(call.user)
        return self._new(place.chat, page, "post")

    async def whisper(self, account: Account, page: Page) -> str:
        if account.user in self.departed:
            raise Departed
        if account.user in self.closed:
            raise Unreachable
        return self._new(ALONE + account.user, page, "whisper")

    async def edit(self, message: str, page: Page) -> None:
        self._fail()
        if message not in self.messages:
            raise Gone
        chat = self.messages[message][0]
        self.sent.append(f"edit {chat}")
        self.messages[message] = (chat, page)

    async def delete(self, message: str) -> None:
        if self.messages.pop(message, None):
            self.sent.append("delete")

    def link(self, payload: str) -> str:
        return self.address and self.address + payload

    def _new(self, chat: str, page: Page, how: str) -> str:
        self._fail()
        self.sent.append(f"{how} {chat}")
        message = str(len(self.sent))
        self.messages[message] = (chat, page)
        return message

    def _fail(self) -> None:
        if self.faults:
            raise self.faults.pop(0)

    def pages(self, chat: str) -> list[Page]:
        """The pages of a chat's messages, the oldest first."""
        return [page for where, page in self.messages.values() if where == chat]


@dataclass
class BotHarness:
    """A running bot, its fake platform, and the callers who send to it."""

    dispatcher: Dispatcher
    platform: FakePlatform
    clock: VirtualClock
    store: Store

    def caller(
        self, name: str, *, private: bool = False, moderator: bool = False, locale: str = "en"
    ) -> Caller:
        """A sender at the square, or in their private chat with the bot."""
        user = name.casefold()
        place = Place("wall", ALONE + user) if private else PLACE
        return Caller(user, name, place, "town", private, locale, moderator=moderator)

    async def say(self, caller: Caller, command: str, **given: str) -> Reply:
        """Sends a command, and waits until everything is delivered."""
        reply = await self.dispatcher.command(caller, command, given, self.delivery())
        await settle()
        return reply

    async def press(self, caller: Caller, data: str, *, own: bool = False, answer: str = "") -> Reply:
        """Presses a button, and waits until everything is delivered."""
        reply = await self.dispatcher.press(caller, data, self.delivery(), own=own, answer=answer)
        await settle()
        return reply

    def delivery(self) -> str:
        return f"wall:{next(_deliveries)}"

    async def table(self, number: int = 1) -> Table:
        """The table of a number at the square, or the last one that is over."""
        listings = {one.number: one.game for one in await self.store.tables(PLACE)}
        last = await self.store.last_over(PLACE)
        return await self.dispatcher.service.table(listings.get(number) or (last.game if last else ""))

    async def person(self, caller: Caller) -> PersonId:
        return (await self.dispatcher.people.caller(caller)).id

    def board(self) -> Page:
        """The last message at the square."""
        return self.platform.pages(PLACE.chat)[-1]

    def panel(self, caller: Caller) -> Page:
        """The last private message to a player."""
        return self.platform.pages(ALONE + caller.user)[-1]

    async def begin(self, key: str, *names: str, level: Level = "normal", **given: str) -> list[Caller]:
        """Deals a game to players who sit down in this order."""
        callers = [self.caller(name) for name in names]
        await self.say(callers[0], "new", game=key, level=level, **given)
        table = await self.table()
        for caller in callers[1:]:
            await self.press(caller, f"{table.id}:0:join")
        await self.press(callers[0], f"{table.id}:0:start")
        return callers

    async def to_play(self, callers: Sequence[Caller]) -> Caller:
        """The player whose turn it is."""
        table = await self.table()
        seat = table.active()[0]
        people = {await self.person(caller): caller for caller in callers}
        person = table.players[seat].person
        assert person is not None
        return people[person]


def keys(page: Page | None) -> list[Key]:
    """All buttons of a page."""
    assert page is not None
    return [key for row in page.rows for key in row]


def key(page: Page | None, words: str) -> Key:
    """The first button with these words on it."""
    found = [one for one in keys(page) if words in one.label]
    assert found, [one.label for one in keys(page)]
    return found[0]


def offers(page: Page | None, action: str) -> list[Key]:
    """The buttons with this action."""
    return [one for one in keys(page) if one.data.split(":")[2:3] == [action]]


def text(page: Page | None) -> str:
    """The text of a page."""
    assert page is not None
    return "\n".join((*page.above, page.drawing, *page.below))


@asynccontextmanager
async def bot_harness(
    store: Store | None = None, platform: FakePlatform | None = None, clock: VirtualClock | None = None
) -> AsyncIterator[BotHarness]:
    """A running bot on one fake platform."""
    store, platform, clock = (
        store or MemoryStore(),
        platform or FakePlatform(),
        clock or VirtualClock(stopped=True),
    )
    async with running(store, clock, {platform.key: platform}, rng=luck.rng("front"), pace=1.0) as dispatcher:
        yield BotHarness(dispatcher, platform, clock, store)
