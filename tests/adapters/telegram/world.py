"""The Telegram platform with the real library on the loopback, and players who write and press."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Sized
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
from bot.model.places import Place
from bot.tables.names.computer_names import computers
from bot.tables.table import Table
from engines.game import Seat
from tests import luck
from tests.adapters.telegram.emulator import BOT, BOT_ID, TOKEN, Emulator, Shown
from tests.adapters.telegram.ephemeral_rules import Whisper
from tests.support.allowances import AMPLE
from tests.support.clock import VirtualClock
from tests.support.records import Button
from tests.support.secret_scan import SecretScan
from tests.support.simulation import AccountStore
from tests.support.stores import live_tables

GROUP = -1_000_000_000_001
_PATIENCE = 30.0
"""Real seconds within which the bot must settle."""
_STILL = 5
"""Idle rounds of the event loop after which the bot counts as settled."""

_messages = itertools.count(1_000_000)
_queries = itertools.count(1)


class NetworkClock(VirtualClock):
    """A stopped clock; once `opened` has set `quiet`, its `settle` also waits for requests on the network."""

    def __init__(self) -> None:
        super().__init__(stopped=True)
        self.quiet: Callable[[], Awaitable[None]] = super().settle

    async def settle(self) -> None:
        await self.quiet()


class CountedSending(Sending):
    """The bot's connections; counts the requests that await an answer."""

    asked = 0

    async def do_request(self, *given: Any, **named: Any) -> tuple[int, bytes]:
        self.asked += 1
        try:
            return await super().do_request(*given, **named)
        finally:
            self.asked -= 1


@dataclass
class World:
    """A running bot with its emulator, clock, store and scan for hidden cards."""

    emulator: Emulator
    platform: TelegramPlatform
    dispatcher: Dispatcher
    clock: NetworkClock
    store: AccountStore
    scan: SecretScan
    line: CountedSending
    deaf: bool = False
    """Whether the bot cannot fetch updates now; then `quiet` does not wait for it to fetch them."""

    def player(self, user: int, name: str, language: str = "en", *, opened: bool = True) -> Player:
        """A player in the group; `opened` says whether they have opened the private chat with the bot."""
        if opened:
            self.emulator.book.opened.add(user)
        return Player(self, user, name, language)

    async def quiet(self) -> None:
        """Waits until the bot can do nothing more before time passes.

        Then no request or update is on its way, and no task is ready to run. Fails after `_PATIENCE`.
        """
        loop = asyncio.get_running_loop()
        until, still = loop.time() + _PATIENCE, 0
        while still < _STILL:
            await asyncio.sleep(0)
            still = 0 if self._is_busy(loop) else still + 1
            assert loop.time() < until, "it never gets quiet"

    def _is_busy(self, loop: asyncio.AbstractEventLoop) -> bool:
        # The event loop has no public API for its ready callbacks.
        ready: Sized = cast(Any, loop)._ready
        on_the_wire = self.emulator.book.unanswered or self.line.asked
        unheard = not self.emulator.fetched and not self.deaf
        return bool(ready or on_the_wire or unheard)

    async def happens(self, update: dict[str, Any], update_id: int | None = None) -> int:
        """Sends an update to the bot and waits until it is handled; returns its update_id."""
        if update_id is not None:
            update = {**update, "update_id": update_id}
        number: int = await self.emulator.enqueue_update(update, token=TOKEN)
        await self.quiet()
        return number

    async def pass_(self, seconds: float) -> None:
        """Advances the clock by so many seconds."""
        await self.clock.advance(seconds)

    def shown(self, chat: int) -> list[Shown]:
        """The bot's messages in a chat that are not deleted, oldest first."""
        book = self.emulator.book
        return [message for message in book.messages.values() if message.chat == chat and message.alive]

    def public_panel(self, chat: int = GROUP) -> Shown:
        """The newest message in a chat with a button that sends callback_data."""
        return [message for message in self.shown(chat) if any(key.data for key in message.buttons)][-1]

    async def deal_to_computers(self, key: str) -> None:
        """Deals a game in the group to two computers, with no person who could stop it."""

        def made(number: int) -> Table:
            table = Table.open(key, place=Place("telegram", str(GROUP)), number=number)
            for player in computers(2, "normal"):
                table = table.sit(player)
            return table.start()

        await self.dispatcher.service.open(Place("telegram", str(GROUP)), made)

    async def table(self, chat: int = GROUP, thread: str = "") -> Table:
        """The first open table of a place, or its last finished one."""
        place = Place("telegram", str(chat), thread)
        listing = next(iter(await self.store.tables(place)), None) or await self.store.last_over(place)
        assert listing
        return await self.dispatcher.service.table(listing.game)

    def check(self) -> None:
        """Fails if the bot broke a rule of Telegram or leaked a card, even if it ignored the refusal."""
        assert self.emulator.book.broken == [], self.emulator.book.broken[0]
        assert self.scan.faults.found == [], self.scan.faults.found[0][:300]


@dataclass(frozen=True)
class Player:
    """A Telegram user who plays."""

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
        """The newest message in the player's private chat with a button that sends callback_data."""
        return self.world.public_panel(self.user)

    def alone(self) -> list[Shown]:
        """The bot's messages in the player's private chat."""
        return self.world.shown(self.user)

    @property
    def told(self) -> str:
        """The text, or else the URL, of the answer to the player's last press."""
        answers = [fields for user, fields in self.world.emulator.book.answers if user == self.user]
        return str(answers[-1].get("text") or answers[-1].get("url") or "")

    async def writes(self, text: str, chat: int | None = None, thread: int = 0) -> int:
        """Sends a message, in the private chat unless a group is named; returns its update_id."""
        return await self.world.happens({"message": self.message(text, chat, thread)})

    async def closes_the_table(self, thread: int = 0) -> None:
        """Closes a running game in the group, and confirms it with a second command."""
        for _ in range(2):
            await self.writes("/end", GROUP, thread)

    async def writes_alone(self, text: str, chat: int) -> int:
        """Sends an ephemeral command to a group, which only the bot sees; returns its update_id."""
        number = next(_messages)
        emulator = self.world.emulator
        emulator.ephemeral.heard[str(number)] = (self.user, emulator.book.now())
        message = self.message(text, chat)
        ids = {"message_id": 0, "ephemeral_message_id": number}
        return await self.world.happens({"message": message | ids})

    def message(self, text: str, chat: int | None = None, thread: int = 0) -> dict[str, Any]:
        """A message of the player, as an API object; one without a chat opens the private chat."""
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
        """Presses a button, or follows its URL if it has one."""
        key = message.button(button) if isinstance(button, str) else button
        if key.url:
            return await self.follows(key.url)
        return await self.world.happens({"callback_query": self.query(message, key.data)})

    async def follows(self, url: str) -> int:
        """Opens the bot's private chat by a deep link."""
        return await self.writes(f"/start {url.partition('start=')[2]}")

    async def answers(self, question: Shown, text: str, author: int = BOT_ID) -> int:
        """Replies in the private chat to a message of the bot, or to a copy of it by another `author`."""
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

    @property
    def whispers(self) -> list[Whisper]:
        """The bot's messages in groups that the player alone sees, oldest first."""
        return self.world.emulator.ephemeral.shown(self.user)

    async def presses_alone(self, message: Whisper, data: str) -> int:
        """Presses a button of a message that the player alone sees."""
        query = self._query(message.chat, message.thread, data)
        query["message"] |= {
            "message_id": 0,
            "ephemeral_message_id": message.id,
            "receiver_user": self.account,
            "text": message.plain,
        }
        return await self.world.happens({"callback_query": query})

    def query(self, message: Shown, data: str) -> dict[str, Any]:
        """A press on a message's button, as a callback query object."""
        query = self._query(message.chat, message.thread, data)
        query["message"] |= {"message_id": message.id, "text": message.plain}
        return query

    def _query(self, chat: int, thread: str, data: str) -> dict[str, Any]:
        number, emulator = str(next(_queries)), self.world.emulator
        emulator.book.queries[number] = (self.user, data)
        emulator.ephemeral.heard[number] = (self.user, emulator.book.now())
        emulator.book.heard[self.user] = data
        message: dict[str, Any] = {"date": 1, "chat": chat_of(chat)}
        if thread:
            message |= {"message_thread_id": int(thread), "is_topic_message": True}
        return {"id": number, "from": self.account, "chat_instance": "1", "data": data, "message": message}

    def can(self, *actions: str) -> list[Button]:
        """The buttons on the player's panel with one of these actions."""
        return [
            button
            for button in self.panel.buttons
            if button.data.split(":")[2:3] and button.data.split(":")[2] in actions
        ]

    def seat(self, table: Table) -> Seat | None:
        person = self.world.store.who("telegram", str(self.user))
        return table.seat_of(person)


def chat_of(chat: int) -> dict[str, Any]:
    """A chat as an API object; positive ids are private chats."""
    if chat > 0:
        return {"id": chat, "type": "private", "first_name": "–"}
    kind = "supergroup" if chat < -1000 else "group"
    return {"id": chat, "type": kind, "title": "Friends", "is_forum": kind == "supergroup"}


def mostly_first(rng: random.Random, keys: Sequence[Button]) -> Button:
    """One of the buttons; mostly the first, since good moves are listed first and random play takes long."""
    return rng.choice(keys) if rng.random() < 0.2 else keys[0]


def tells_end(public_panel: Shown) -> bool:
    """Whether a public panel says how its game ended; some deals end in a draw."""
    return "wins" in public_panel.plain or "A draw:" in public_panel.plain


async def played(
    world: World, *players: Player, chat: int = GROUP, thread: str = "", most: int = 2000
) -> None:
    """Plays until the table is over: awaited players press moves on their panels.

    Fails after `most` steps.
    """
    rng = luck.rng()
    for _ in range(most):
        table = await world.table(chat, thread)
        if table.status == "over":
            return
        awaited = table.active()
        mover = next((player for player in players if player.seat(table) in awaited), None)
        keys = mover and (mover.can("move", "done", "sure") or mover.can("pick", "add"))
        if mover is None or not keys:
            # A computer is thinking, or the player's panel is still on its way.
            await world.pass_(8)
            continue
        await mover.presses(mover.panel, mostly_first(rng, keys))
        await world.pass_(1)
    raise AssertionError("the game never ends")


def most_within(times: Sequence[float], span: float) -> int:
    """The largest number of these times within any `span` seconds."""
    return max((sum(start <= time < start + span for time in times) for start in times), default=0)


@asynccontextmanager
async def served(emulator: Emulator) -> AsyncIterator[str]:
    """Serves the emulator on a free loopback port; yields its URL."""
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
    """Runs a bot until it stops by itself; raises the error that stops it."""
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
    """Runs a bot against the emulator; `address` replaces the emulator's URL, for a proxy.

    With `late`, the bot's services start before the platform signs in to Telegram. After the block the bot
    is stopped and `World.check` called.
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
            store, clock, {"telegram": platform}, rng=luck.rng("house"), pace=pace, allowances=AMPLE
        ) as dispatcher:
            dispatcher.service.listen(scan.on_commit)
            for game in await live_tables(store):
                scan.on_commit(await dispatcher.service.table(game), None)
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
