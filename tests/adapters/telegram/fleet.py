"""Several web-hook workers on one PostgreSQL, behind a balancer that passes updates to them in turn."""

from __future__ import annotations

import asyncio
import itertools
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import aiohttp

from adapters.shared.clock import AsyncioClock
from adapters.telegram.webhook import secret_of
from bot.model.places import Place
from bot.storage import Store
from bot.store import open_store
from bot.table_service.service import TableService
from bot.tables.table import Table
from tests.adapters.telegram.emulator import TOKEN, Emulator, Shown
from tests.adapters.telegram.world import Player, World, served
from tests.support.forked import Forked, run_program
from tests.support.hurry import HURRY
from tests.support.ports import HOST, reserved_port
from tests.support.waiting import Waiting

T = TypeVar("T")
PAUSE = 0.05
"""Seconds between two tries: of the balancer, of `until`, and to connect to a worker that starts."""
PATIENCE = 35.0
"""Seconds after which the balancer gives up a request that a worker does not answer, and tries again."""
MOST_TRIED = 100.0
"""Seconds within which some worker must take an update."""


class Worker:
    """A process of the bot's program."""

    def __init__(self, name: str, folder: Path, settings: dict[str, str], port: int) -> None:
        self.name = name
        self.port = port
        self.log = folder / f"{name}.log"
        self._folder = folder
        self._settings = {
            **settings,
            "TELEGRAM_WEBHOOK_PORT": str(port),
        }
        self.process: Forked | None = None
        self.serves = False
        """Whether the balancer passes updates to this worker."""

    async def start(self) -> None:
        """Starts the process, and waits until it accepts requests."""
        self.process = Forked(run_program, self._settings, self._folder, self.log, HURRY)
        self.process.start()
        waiting = Waiting(f"{self.name} to accept requests")
        while not self.serves:
            waiting.check()
            assert self.process.returncode is None, self.log.read_text()
            with suppress(OSError):
                _, writer = await asyncio.open_connection(HOST, self.port)
                writer.close()
                self.serves = True
            await asyncio.sleep(PAUSE)

    async def kill(self) -> None:
        """Ends the process at once; until it has ended the balancer still passes updates to it."""
        assert self.process
        self.process.kill()
        assert await self.process.wait() == -signal.SIGKILL
        self.serves = False

    async def stop(self) -> None:
        """Asks the process to end, and waits until it has."""
        assert self.process
        self.serves = False
        self.process.terminate()
        assert await self.process.wait() == 0, self.log.read_text()


@dataclass
class Fleet:
    """The workers and the emulator, the balancer between them, and the tables as the store has them."""

    emulator: Emulator
    workers: Sequence[Worker]
    store: Store
    service: TableService
    rng: random.Random
    session: aiohttp.ClientSession
    twice: float = 0.0
    """The chance that an update is delivered to two workers at the same time."""
    answers: Counter[str] = field(default_factory=Counter)
    """How often a request of the balancer to a worker ended with each status or type of error."""
    handling: Counter[str] = field(default_factory=Counter)
    """The number of updates that each worker, by name, has been given and has not answered."""
    cut: int = 0
    """How often the connection to a worker broke or was refused, so that an update was delivered again."""
    slowest: float = 0.0
    """The most seconds that an update took until a worker had taken it."""
    updates: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    turns: itertools.count[int] = field(default_factory=itertools.count)

    def player(self, user: int, name: str, language: str = "en") -> Player:
        """A player who has opened the private chat with the bot."""
        self.emulator.book.opened.add(user)
        return Player(cast(World, self), user, name, language)

    async def happens(
        self, update: dict[str, Any], update_id: int | None = None, to: Worker | None = None
    ) -> int:
        """Delivers an update to a worker, or to each in turn, until it is taken; returns its update_id."""
        number = next(self.updates) if update_id is None else update_id
        begun = asyncio.get_running_loop().time()
        body = {**update, "update_id": number}
        copies = 1 + (self.rng.random() < self.twice)
        await asyncio.gather(*(self._deliver(body, to) for _ in range(copies)))
        self.slowest = max(self.slowest, asyncio.get_running_loop().time() - begun)
        return number

    async def _deliver(self, update: dict[str, Any], to: Worker | None) -> None:
        headers = {"X-Telegram-Bot-Api-Secret-Token": secret_of(TOKEN)}
        status = 0
        waiting = Waiting(f"{to.name if to else 'a worker'} to take update {update['update_id']}", MOST_TRIED)
        while status != 200:
            waiting.check()
            if living := [to] if to else [one for one in self.workers if one.serves]:
                worker = living[next(self.turns) % len(living)]
                url = f"http://127.0.0.1:{worker.port}/"
                status = 0
                self.handling[worker.name] += 1
                try:
                    async with self.session.post(url, json=update, headers=headers) as answer:
                        status = answer.status
                        self.answers[str(status)] += 1
                except (aiohttp.ClientError, TimeoutError) as error:
                    self.answers[type(error).__name__] += 1
                    self.cut += isinstance(error, aiohttp.ServerDisconnectedError | aiohttp.ClientOSError)
                finally:
                    self.handling[worker.name] -= 1
            if status != 200:
                await asyncio.sleep(PAUSE)

    async def busy(self) -> Worker | None:
        """A worker that is handling an update now; None if there is none."""
        return next((worker for worker in self.workers if worker.serves and self.handling[worker.name]), None)

    async def table(self, chat: int, thread: str = "") -> Table:
        """The stored table of a group: its first open one, or the last that is over."""
        place = Place("telegram", str(chat), thread)
        listing = next(iter(await self.store.tables(place)), None) or await self.store.last_over(place)
        assert listing, f"no table in {chat}"
        return await self.service.table(listing.game)

    def shown(self, chat: int) -> list[Shown]:
        """The bot's messages in a chat that are not deleted, oldest first."""
        return [
            message
            for message in self.emulator.book.messages.values()
            if message.chat == chat and message.alive
        ]

    def public_panel(self, chat: int) -> Shown:
        """The newest message in a chat with a button that sends callback_data."""
        return [message for message in self.shown(chat) if any(key.data for key in message.buttons)][-1]

    def sends(self, chat: int) -> list[float]:
        """The times of all requests to a chat but those that only read, the refused ones too."""
        return [
            call.at for call in self.emulator.book.calls if call.chat == chat and call.method[:3] != "get"
        ]

    def check(self) -> None:
        assert self.emulator.book.broken == [], self.emulator.book.broken[0]


@asynccontextmanager
async def fleet(number: int, database: str, folder: Path, rng: random.Random) -> AsyncIterator[Fleet]:
    """Prepares so many workers and starts them; those that live at the end of the block are killed."""
    emulator, loop = Emulator(), asyncio.get_running_loop()
    emulator.book.now = loop.time
    async with served(emulator) as url, AsyncExitStack() as stack:
        settings = {
            "DATABASE_URL": database, "TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": url,
            "TELEGRAM_WEBHOOK_URL": "http://127.0.0.1:9/", "DISCORD_TOKEN": "", "TAVERN_PORT": "",
        }  # fmt: skip
        ports = [stack.enter_context(reserved_port()) for _ in range(number)]
        workers = [Worker(f"worker{n}", folder, settings, port) for n, port in enumerate(ports)]
        # The first makes the database's tables.
        await workers[0].start()
        await asyncio.gather(*(worker.start() for worker in workers[1:]))
        store = await open_store(database)
        service = TableService(store, AsyncioClock())
        # No connection is kept: one to a killed worker would fail at the process that replaces it.
        connector = aiohttp.TCPConnector(force_close=True, limit=0)
        timeout = aiohttp.ClientTimeout(total=PATIENCE)
        try:
            async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
                yield Fleet(emulator, workers, store, service, rng, session)
        finally:
            for one in workers:
                if one.process and one.process.returncode is None:
                    await one.kill()
            await service.close()
            await store.close()


async def until(done: Callable[[], Awaitable[T | None]], within: float = 120.0) -> T:
    """Waits until `done` returns something other than None; returns that. Fails after so many seconds."""
    loop = asyncio.get_running_loop()
    end = loop.time() + within
    while (found := await done()) is None:
        assert loop.time() < end, f"nothing within {within} s"
        await asyncio.sleep(PAUSE)
    return found
