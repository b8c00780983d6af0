"""A bot that is killed with updates on their way loses none of them, and carries out none twice."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import aiohttp
import pytest

from bot.model.places import Place
from bot.store import open_store
from tests import luck
from tests.adapters.telegram.emulator import TOKEN, Emulator
from tests.adapters.telegram.world import served
from tests.support.forked import Forked, run_program
from tests.support.records import Sent
from tests.support.waiting import Waiting

pytestmark = pytest.mark.real

UPDATES = 50
KILLS = 2
AT_ONCE = 20
"""The most updates that `delivered` sends to the webhook at the same time."""
RETRY = 0.05
"""Seconds until `delivered` sends the updates again that were not taken, and until `taken` looks again."""


class Bot:
    """The bot's program, with the emulator as its Telegram."""

    def __init__(self, folder: Path, url: str, port: int | None) -> None:
        self.database = folder / "bot.db"
        self._folder = folder
        self._settings = {
            "DATABASE_URL": str(self.database),
            "TELEGRAM_TOKEN": TOKEN,
            "TELEGRAM_API_URL": url,
            "SOBREMESA_LOG_LEVEL": "error",
        }
        if port:
            self._settings["TELEGRAM_WEBHOOK_URL"] = f"http://127.0.0.1:{port}/"
            self._settings["TELEGRAM_WEBHOOK_PORT"] = str(port)
        self._process: Forked | None = None

    async def start(self) -> None:
        settings = {"DISCORD_TOKEN": "", "TAVERN_PORT": "", **self._settings}
        self._process = Forked(run_program, settings, self._folder)
        self._process.start()

    async def kill(self) -> None:
        assert self._process
        self._process.kill()
        assert await self._process.wait() == -signal.SIGKILL


class Sends:
    """Counts what the bot sends."""

    def __init__(self) -> None:
        self._left = 0
        self._sent = asyncio.Event()

    def __call__(self, sent: Sent) -> None:
        self._left -= 1
        if self._left <= 0:
            self._sent.set()

    async def next(self, n: int) -> None:
        """Waits until the bot has sent so many messages from now on."""
        self._left = n
        self._sent.clear()
        await Waiting(f"{n} messages of the bot").next(self._sent)


def opening(user: int) -> dict[str, Any]:
    """A command that opens a table in the group of a user."""
    return {
        "message_id": 1,
        "date": 1,
        "chat": {"id": -user, "type": "group", "title": "Friends"},
        "from": {"id": user, "is_bot": False, "first_name": f"User {user}"},
        "text": "/new casino",
        "entities": [{"type": "bot_command", "offset": 0, "length": 4}],
    }


@asynccontextmanager
async def during(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs work during the block."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def delivered(emulator: Emulator) -> None:
    """Sends the updates to the webhook, many at a time, each until it is taken; for ever."""
    state = emulator._update_queues._state(TOKEN)

    async def deliver(update: dict[str, Any]) -> None:
        headers = {"X-Telegram-Bot-Api-Secret-Token": str(state.secret)}
        with suppress(aiohttp.ClientError):
            async with session.post(state.url, json=update, headers=headers) as answer:
                if answer.status == 200:
                    state.updates.remove(update)

    async with aiohttp.ClientSession() as session:
        while True:
            if state.url:
                await asyncio.gather(*map(deliver, state.updates[:AT_ONCE]))
            await asyncio.sleep(RETRY)


async def taken(emulator: Emulator) -> None:
    """Waits until the bot has taken every update."""
    waiting = Waiting("the bot to take all updates")
    while emulator._update_queues._state(TOKEN).updates:
        waiting.check()
        await asyncio.sleep(RETRY)


@pytest.mark.parametrize("how", ["polling", "webhook"])
async def test_updates_on_their_way_survive_the_process(how: str, port: int, tmp_path: Path) -> None:
    rng, sends, emulator = luck.rng(), Sends(), Emulator()
    emulator.book.wire = sends
    users = count(1)

    async def sent_to_bot() -> None:
        emulator.book.opened.add(user := next(users))
        await emulator.enqueue_update({"message": opening(user)}, token=TOKEN)

    for _ in range(UPDATES):
        await sent_to_bot()
    async with served(emulator) as url:
        bot = Bot(tmp_path, url, port if how == "webhook" else None)
        with mock.patch.object(emulator._update_queues, "deliver", mock.AsyncMock()):
            async with during(delivered(emulator)):
                for _ in range(KILLS):
                    await bot.start()
                    await sends.next(rng.randint(1, 5))
                    # The bot may have taken all others by now.
                    await sent_to_bot()
                    await bot.kill()
                    assert emulator._update_queues._state(TOKEN).updates, "all were taken before the kill"
                await bot.start()
                await taken(emulator)
                await bot.kill()
    assert emulator.book.broken == []
    store = await open_store(str(bot.database))
    try:
        opened = range(1, next(users))
        tables = [len(await store.tables(Place("telegram", str(-user)))) for user in opened]
    finally:
        await store.close()
    assert tables == [1] * (UPDATES + KILLS)
