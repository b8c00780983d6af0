"""Two bots in processes of their own serve from one PostgreSQL database; one of them is killed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from adapters.shared.clock import AsyncioClock
from adapters.shared.message import as_message
from bot.i18n import Speech
from bot.model import GameId, Place
from bot.pages.table_page import public_page, watcher_page
from bot.people import names
from bot.ports import Store
from bot.store import open_store
from bot.tables.commitment import seed_source_of
from bot.tables.table import Table
from tests.bot.crash.child import as_json
from tests.bot.crash.server import ROOMS
from tests.bot.store.conftest import postgres as postgres
from tests.support.platform import ROOMY

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[3]
TAKEN_OVER = 15.0
"""Seconds within which another process does what a killed one owed."""


class World:
    """The platform and the database, which outlive the processes."""

    def __init__(self, url: str, folder: Path, store: Store) -> None:
        self.url, self.folder, self.store = url, folder, store
        self.messages: dict[str, tuple[str, dict[str, Any]]] = {}
        """The messages that are not deleted: chat and page by id."""
        self.posted: list[str] = []
        """The chats of all messages ever posted."""
        self.told = asyncio.Event()
        self.deliveries = count()
        self.servers: list[Server] = []

    async def server(self, name: str, *, pace: float = 0.01, mute: bool = False) -> Server:
        """Starts a process."""
        server = Server(self, name)
        self.servers.append(server)
        await server.start(pace, mute=mute)
        return server

    async def until(self, holds: Callable[[], Awaitable[bool]], seconds: float = TAKEN_OVER) -> None:
        """Waits until a condition holds that messages bring about, at most so many seconds."""
        clock = AsyncioClock()
        began = clock.now()
        while not await holds():
            await self.told.wait()
            self.told.clear()
        assert clock.now() - began < seconds

    async def table(self, game: GameId) -> Table:
        """The table as the database has it."""
        stored = await self.store.load(game)
        assert stored is not None
        return Table.replay(stored.entries, seed_source_of(stored.server_seed, stored.seed_words))

    async def open_in(self, chat: str) -> GameId:
        (listing,) = await self.store.tables(Place("pipe", chat))
        return listing.game

    def boards(self, chat: str) -> list[dict[str, Any]]:
        return [page for place, page in self.messages.values() if place == chat]


class Server:
    """A process that serves; see `tests.bot.crash.server`."""

    def __init__(self, world: World, name: str) -> None:
        self._world, self._name = world, name
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._ready = asyncio.Event()

    async def start(self, pace: float, *, mute: bool) -> None:
        deleted = str(self._world.folder / "deleted")
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bot.crash.server", self._world.url, self._name, deleted,
            str(pace), "mute" if mute else "",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=ROOT, limit=1 << 24,
        )  # fmt: skip
        self._reading = asyncio.create_task(self._read())
        await self._ready.wait()

    async def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    async def _read(self) -> None:
        assert self._process.stdout
        world = self._world
        while line := await self._process.stdout.readline():
            told = json.loads(line)
            match told.pop("do"):
                case "ready":
                    self._ready.set()
                case "new":
                    world.messages[told["message"]] = told["chat"], told["page"]
                    world.posted.append(told["chat"])
                case "edit":
                    chat = told["message"].rpartition("/")[0]
                    world.messages[told["message"]] = chat, told["page"]
                case "delete":
                    world.messages.pop(told["message"], None)
                case "answer":
                    self._answers.pop(told["delivery"]).set_result(told)
            world.told.set()

    async def _send(self, **sent: Any) -> dict[str, Any]:
        delivery = f"d{next(self._world.deliveries)}"
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[delivery] = answer
        assert self._process.stdin
        self._process.stdin.write(json.dumps({**sent, "delivery": delivery}).encode() + b"\n")
        return await answer

    async def says(self, user: str, chat: str, name: str, **given: str) -> dict[str, Any]:
        return await self._send(do="command", user=user, chat=chat, name=name, given=given)

    async def presses(self, user: str, chat: str, data: str) -> dict[str, Any]:
        return await self._send(do="press", user=user, chat=chat, data=data)


@pytest.fixture
async def world(postgres: str, tmp_path: Path) -> AsyncIterator[World]:
    name = "pair" + tmp_path.name.replace("-", "_").lower()[-20:]
    connection = await asyncpg.connect(postgres)
    await connection.execute(f'CREATE DATABASE "{name}"')
    await connection.close()
    url = postgres.replace("/postgres?", f"/{name}?")
    store = await open_store(url)
    opened = World(url, tmp_path, store)
    yield opened
    for server in opened.servers:
        await server.kill()
    await store.close()


async def test_presses_in_alternation_are_seen_everywhere_and_stored_once(world: World) -> None:
    a, b = await asyncio.gather(world.server("a"), world.server("b"))
    await a.says("ana", "square", "new", game="casino")
    game = await world.open_in("square")
    assert (await b.presses("beto", "square", f"{game}:0:join"))["page"]
    await a.presses("ana", "square", f"{game}:0:start")
    truths = 0
    for n in range(24):
        table = await world.table(game)
        if table.status == "over":
            break
        server, other = (b, a) if n % 2 else (a, b)
        seat = table.active()[0]
        user = ("ana", "beto")[seat]
        move = next(iter(table.game.moves(table.state, seat)))
        answer = await server.presses(user, "square", f"{game}:{table.stamp}:move:{move}")
        assert answer["notice"] == ""
        after = await world.table(game)
        assert len(after.entries) == len(table.entries) + 1
        shown = (await other.says("carla", "square", "watch"))["page"]
        page = watcher_page(after, Speech("en", names(after)), ROOMY)
        assert shown["drawing"] == as_json(as_message(page, ROOMY))["drawing"]
        truths += 1
    assert truths >= 10
    table = await world.table(game)
    drawing = as_json(as_message(public_page(table, Speech("en", names(table)), ROOMY), ROOMY))["drawing"]

    async def is_right() -> bool:
        return [page["drawing"] for page in world.boards("square")] == [drawing]

    await world.until(is_right)
    moves = [entry for entry in table.entries if entry.kind == "move"]
    assert len(moves) == truths, "none is lost, none is doubled"


async def test_what_a_killed_process_owed_is_done_by_another(world: World) -> None:
    b = await world.server("b", pace=600.0, mute=True)
    await b.says("ana", "park", "new", game="casino")
    game = await world.open_in("park")
    await b.presses("ana", "park", f"{game}:0:start")
    for _ in range(20):
        table = await world.table(game)
        seat = table.active()[0]
        if table.players[seat].is_computer:
            break
        move = next(iter(table.game.moves(table.state, seat)))
        await b.presses("ana", "park", f"{game}:{table.stamp}:move:{move}")
    table = await world.table(game)
    assert table.players[table.active()[0]].is_computer
    assert world.boards("park") == []
    await world.server("a")
    await b.kill()

    async def is_done() -> bool:
        return len(world.boards("park")) == 1 and (await world.table(game)).stamp > table.stamp

    await world.until(is_done)
    after = await world.table(game)
    assert after.entries[: len(table.entries)] == table.entries


async def test_two_processes_that_start_post_each_unsent_board_once(world: World) -> None:
    dead = await world.server("dead", mute=True)
    await asyncio.gather(*(dead.says(f"user{n}", chat, "new", game="casino") for n, chat in enumerate(ROOMS)))
    await dead.kill()
    assert set(world.posted).isdisjoint(ROOMS)
    await asyncio.gather(world.server("a"), world.server("b"))

    async def are_posted() -> bool:
        return {*ROOMS} <= set(world.posted)

    await world.until(are_posted, 2 * TAKEN_OVER)
    await asyncio.sleep(3.0)
    boards = [chat for chat in world.posted if chat in ROOMS]
    assert sorted(boards) == sorted(ROOMS)
