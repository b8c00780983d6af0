"""Our platform with the real library, over loopback, and people in a group who press what they see."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sized
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast
from unittest import mock

from aiohttp import web

from adapters.telegram.platform import Options, TelegramPlatform
from adapters.telegram.transport import Sending
from adapters.telegram.webhook import Webhook
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model import Place
from bot.tables.table import Table
from engines.game import Seat
from tests import luck
from tests.adapters.telegram.emulator import BOT, TOKEN, Emulator, Shown
from tests.support.clock import VirtualClock
from tests.support.records import Button
from tests.support.secret_scan import SecretScan
from tests.support.simulation import AccountStore

GROUP = -1001
_DEADLINE = 30.0
_STILL = 5
"""Rounds of the loop in which nothing happens, after which nothing will."""

_messages = itertools.count(1_000_000)
_queries = itertools.count(1)


class NetworkClock(VirtualClock):
    """A stopped clock that settles when nothing is on its way over the network either."""

    def __init__(self) -> None:
        super().__init__(stopped=True)
        self.quiet: Callable[[], Awaitable[None]] = super().settle

    async def settle(self) -> None:
        await self.quiet()


class CountedSending(Sending):
    """The bot's connections, of which we know how many requests wait for their answer."""

    asked = 0

    async def do_request(self, *given: Any, **named: Any) -> tuple[int, bytes]:
        self.asked += 1
        try:
            return await super().do_request(*given, **named)
        finally:
            self.asked -= 1


@dataclass
class World:
    """A bot at work, and all that is around it."""

    emulator: Emulator
    platform: TelegramPlatform
    dispatcher: Dispatcher
    clock: NetworkClock
    store: AccountStore
    scan: SecretScan
    line: CountedSending
    deaf: bool = False
    """Whether the bot cannot fetch its news now, so that nobody waits until it has."""

    def player(self, user: int, name: str, language: str = "en", *, opened: bool = True) -> Player:
        """Somebody in the group, whose chat with the bot is open unless it is said otherwise."""
        if opened:
            self.emulator.book.opened.add(user)
        return Player(self, user, name, language)

    async def quiet(self) -> None:
        """Waits until nobody has anything to do before time passes.

        Nothing is on its way then, in either direction, and no task could run if it were let.
        """
        loop = asyncio.get_running_loop()
        until, still = loop.time() + _DEADLINE, 0
        while still < _STILL:
            await asyncio.sleep(0)
            still = 0 if self._is_busy(loop) else still + 1
            assert loop.time() < until, "it never gets quiet"

    def _is_busy(self, loop: asyncio.AbstractEventLoop) -> bool:
        # What the loop is about to run has no public name.
        ready: Sized = cast(Any, loop)._ready
        waiting = self.platform._application.update_queue.qsize()
        on_the_wire = self.emulator.book.going or self.line.asked
        unheard = not self.emulator.fetched and not self.deaf
        return bool(ready or on_the_wire or unheard or waiting)

    async def happens(self, update: dict[str, Any], update_id: int | None = None) -> int:
        """Something happens on Telegram, and everything that follows from it."""
        if update_id is not None:
            update = {**update, "update_id": update_id}
        number: int = await self.emulator.enqueue_update(update, token=TOKEN)
        await self.quiet()
        return number

    async def pass_(self, seconds: float) -> None:
        """Time goes by."""
        await self.clock.advance(seconds)

    def shown(self, chat: int) -> list[Shown]:
        """The bot's messages that stand in a chat, the oldest first."""
        book = self.emulator.book
        return [one for one in book.messages.values() if one.chat == chat and one.alive]

    def board(self, chat: int = GROUP) -> Shown:
        """The newest message in a chat that has buttons which come back."""
        return [one for one in self.shown(chat) if any(key.data for key in one.buttons)][-1]

    async def table(self, chat: int = GROUP, thread: str = "") -> Table:
        """The table of a place, also when it is over."""
        place = Place("telegram", str(chat), thread)
        listing = next(iter(await self.store.tables(place)), None) or await self.store.last_over(place)
        assert listing
        return await self.dispatcher.service.table(listing.game)

    def check(self) -> None:
        """Fails where a rule was broken, though the refusal may have been swallowed."""
        assert self.emulator.book.broken == [], self.emulator.book.broken[0]
        assert self.scan.faults.found == [], self.scan.faults.found[0][:300]


@dataclass(frozen=True)
class Player:
    """Somebody with a phone."""

    world: World
    user: int
    name: str
    language: str

    @property
    def account(self) -> dict[str, Any]:
        return {
            "id": self.user, "is_bot": False, "first_name": self.name, "language_code": self.language,
        }  # fmt: skip

    @property
    def panel(self) -> Shown:
        """The newest message with buttons in their own chat."""
        return self.world.board(self.user)

    def alone(self) -> list[Shown]:
        """What the bot has written to them."""
        return self.world.shown(self.user)

    @property
    def told(self) -> str:
        """What their last press was answered with."""
        answers = [fields for user, fields in self.world.emulator.book.answers if user == self.user]
        return str(answers[-1].get("text") or answers[-1].get("url") or "")

    async def writes(self, text: str, chat: int | None = None, thread: int = 0) -> int:
        """Sends a message, alone with the bot unless a group is named."""
        return await self.world.happens({"message": self.message(text, chat, thread)})

    def message(self, text: str, chat: int | None = None, thread: int = 0) -> dict[str, Any]:
        """A message of theirs as Telegram tells it."""
        self.world.emulator.book.heard[self.user] = text
        if chat is None:
            self.world.emulator.book.opened.add(self.user)
        message: dict[str, Any] = {
            "message_id": next(_messages),
            "date": 1,
            "chat": chat_of(self.user if chat is None else chat),
            "from": self.account,
            "text": text,
        }
        if text.startswith("/"):
            length = len(text.split()[0])
            message["entities"] = [{"type": "bot_command", "offset": 0, "length": length}]
        if thread:
            message |= {"message_thread_id": thread, "is_topic_message": True}
        return message

    async def presses(self, message: Shown, button: Button | str) -> int:
        """Presses a button; one with an address opens it."""
        key = message.button(button) if isinstance(button, str) else button
        if key.url:
            return await self.follows(key.url)
        return await self.world.happens({"callback_query": self.query(message, key.data)})

    async def follows(self, url: str) -> int:
        """Opens the bot's chat by its link."""
        return await self.writes(f"/start {url.partition('start=')[2]}")

    async def answers(self, question: Shown, text: str, author: int = 4242) -> int:
        """Answers a message of the bot's, or of somebody who writes like it."""
        links = [{"type": "text_link", "offset": 0, "length": 1, "url": url} for url in question.links]
        asked = {
            "message_id": question.id,
            "date": 1,
            "chat": chat_of(question.chat),
            "from": {"id": author, "is_bot": True, "first_name": "Bot", "username": BOT},
            "text": question.plain,
            "entities": links,
        }
        return await self.world.happens({"message": {**self.message(text), "reply_to_message": asked}})

    def query(self, message: Shown, data: str) -> dict[str, Any]:
        """A press as Telegram tells it."""
        number = str(next(_queries))
        self.world.emulator.book.queries[number] = (self.user, data)
        self.world.emulator.book.heard[self.user] = data
        told: dict[str, Any] = {
            "message_id": message.id,
            "date": 1,
            "chat": chat_of(message.chat),
            "text": message.plain,
        }
        if message.thread:
            told |= {"message_thread_id": int(message.thread), "is_topic_message": True}
        return {"id": number, "from": self.account, "chat_instance": "1", "data": data, "message": told}

    def can(self, *actions: str) -> list[Button]:
        """The buttons on their panel that do one of these."""
        return [
            one
            for one in self.panel.buttons
            if one.data.split(":")[2:3] and one.data.split(":")[2] in actions
        ]

    def seat(self, table: Table) -> Seat | None:
        person = self.world.store.who("telegram", str(self.user))
        return table.seat_of(person)


def chat_of(chat: int) -> dict[str, Any]:
    """A chat as Telegram tells it."""
    if chat > 0:
        return {"id": chat, "type": "private", "first_name": "–"}
    kind = "supergroup" if chat < -1000 else "group"
    return {"id": chat, "type": kind, "title": "Friends", "is_forum": kind == "supergroup"}


async def played(
    world: World, *players: Player, chat: int = GROUP, thread: str = "", most: int = 2000
) -> None:
    """Plays until the table is over: people press what their panels offer, computers take their time."""
    rng = luck.rng()
    for _ in range(most):
        table = await world.table(chat, thread)
        if table.status == "over":
            return
        awaited = table.active()
        mover = next((one for one in players if one.seat(table) in awaited), None)
        keys = mover and (mover.can("move", "done") or mover.can("pick", "add"))
        if mover is None or not keys:
            # A computer thinks, or what they can do is still on its way.
            await world.pass_(8)
            continue
        await mover.presses(mover.panel, rng.choice(keys))
        await world.pass_(1)
    raise AssertionError("the game never ends")


@asynccontextmanager
async def served(emulator: Emulator) -> AsyncIterator[str]:
    """The emulator at an address."""
    runner = web.AppRunner(emulator.app(), access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        await runner.cleanup()


async def ended(emulator: Emulator, webhook: Webhook | None = None) -> None:
    """A bot at work until it ends by itself."""
    clock = NetworkClock()
    async with served(emulator) as url:
        platform = TelegramPlatform(TOKEN, clock, Options(url, webhook))
        async with running(AccountStore(), clock, {"telegram": platform}) as dispatcher:
            await platform.run(dispatcher)


@asynccontextmanager
async def opened(
    emulator: Emulator | None = None,
    store: AccountStore | None = None,
    clock: NetworkClock | None = None,
    *,
    webhook: Webhook | None = None,
    pace: float = 1.0,
    address: str = "",
    late: bool = False,
) -> AsyncIterator[World]:
    """A bot at work; it may reach the emulator by another address.

    If it is late, the house has begun its work before Telegram lets it in.
    """
    emulator, store, clock = emulator or Emulator(), store or AccountStore(), clock or NetworkClock()
    scan = SecretScan(store.who, (TOKEN,))
    emulator.book.now, emulator.book.wire = clock.now, scan.wire("telegram")
    async with served(emulator) as url:
        line = CountedSending()
        with mock.patch("adapters.telegram.platform.Sending", return_value=line):
            platform = TelegramPlatform(TOKEN, clock, Options(address or url, webhook))
        if not late:
            await platform.enter()
        async with running(
            store, clock, {"telegram": platform}, rng=luck.rng("house"), pace=pace
        ) as dispatcher:
            dispatcher.service.listen(scan.hear)
            for game in await store.live():
                scan.hear(await dispatcher.service.table(game), None)
            world = World(emulator, platform, dispatcher, clock, store, scan, line)
            clock.quiet = world.quiet
            at_work = asyncio.create_task(platform.run(dispatcher))
            try:
                await world.quiet()
                yield world
                await world.quiet()
            finally:
                at_work.cancel()
                with suppress(asyncio.CancelledError):
                    await at_work
        world.check()
