"""Compares the CPU cost of a button press that makes a move on Discord with that of stock discord.py.

Run from the checkout: ``python -m bench.discord``. Both bots use real sockets, to a fake Discord server
in another process, which is not measured; presses are passed to the library as its gateway would.
The CPU time is that of the whole process, threads included, from the press to the last send, with the
storing that our bot defers. Each game has two lines: with moves stored in memory, and in SQLite.
The stock bot answers a press with one edit; the ratio is to the cost of that edit times the number of our
sends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import discord
from aiohttp import web

from adapters.discord.callers import KEY
from adapters.discord.client import TableClient
from adapters.discord.pages import LIMITS, view
from adapters.discord.platform import DiscordPlatform
from adapters.hosting.garbage import short_collections
from adapters.shared.clock import AsyncioClock
from adapters.shared.rendering.message import as_message
from bench.presses import Presses, comparable_deals
from bench.turns import HEAD, Contender, Figures, Work, measured, report
from bot.app import running
from bot.inbox.allowances import Allowances, Rate
from bot.inbox.dispatcher import Dispatcher
from bot.model.ids import PersonId
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import Caller, Limits, Page
from bot.storage import Store
from bot.store import open_store
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from engines import games
from engines.values import replace

_EPOCH = 1_420_070_400_000
"""The beginning of 2015, from which Discord's ids count, in milliseconds since 1970."""
_OURSELVES: Mapping[str, Any] = {
    "id": "1",
    "username": "sobremesa",
    "discriminator": "0",
    "avatar": None,
    "bot": True,
}
_APPLICATION: Mapping[str, Any] = {
    "id": "1",
    "name": "Sobremesa",
    "description": "",
    "icon": None,
    "rpc_origins": [],
    "bot_public": True,
    "bot_require_code_grant": False,
    "owner": _OURSELVES,
    "verify_key": "00",
    "flags": 0,
    "summary": "",
}


def _number(extra: int = 0) -> str:
    """An id as Discord makes them now; ``extra`` tells ids of the same millisecond apart."""
    now = int(time.time() * 1000) - _EPOCH
    return str((now << 22) + extra)


def _message(channel: str, number: str, content: str, components: Any) -> dict[str, Any]:
    return {
        "id": number,
        "channel_id": channel,
        "author": _OURSELVES,
        "content": content,
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": 0,
        "components": components,
    }


def _serve(pipe: Connection) -> None:
    """Runs the fake REST API of Discord in its own process; sends its port through ``pipe``."""
    sent = 0

    async def answer(request: web.Request) -> web.Response:
        nonlocal sent
        text = await request.text()
        body = json.loads(text) if text[:1] == "{" else {}
        match [request.method, *request.path.removeprefix("/api/v10/").split("/")]:
            case ["GET", "sent"]:
                reply: Any = sent
            case ["GET", "users", "@me"]:
                reply = _OURSELVES
            case ["GET", "oauth2", *_]:
                reply = _APPLICATION
            case ["GET" | "PUT", "applications", *_]:
                reply = []
            case ["POST", "users", "@me", "channels"]:
                user = {
                    "id": str(body["recipient_id"]),
                    "username": "u",
                    "discriminator": "0",
                    "avatar": None,
                }
                reply = {"id": f"2{user['id']}", "type": 1, "recipients": [user]}
            case ["POST", "interactions", *_]:
                sent += 1
                reply = {"interaction": {"id": _number(), "type": 3}}
            case [_, _, channel, *_]:
                sent += 1
                reply = _message(
                    channel, _number(sent), body.get("content", ""), body.get("components") or []
                )
        response = web.Response(body=json.dumps(reply).encode())
        response.headers["Content-Type"] = "application/json"
        return response

    async def serve() -> None:
        application = web.Application()
        application.router.add_route("*", "/api/v10/{rest:.*}", answer)
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        pipe.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(serve())


def _press(channel: str, user: str, data: str, message: Mapping[str, Any]) -> dict[str, Any]:
    """The gateway event of a button press in a private chat."""
    number = _number(random.randrange(4_000_000))
    presser = {"id": user, "username": f"u{user}", "discriminator": "0", "avatar": None, "global_name": None}
    return {
        "id": number,
        "token": f"t{number}",
        "application_id": "1",
        "type": 3,
        "version": 1,
        "locale": "en-US",
        "channel_id": channel,
        "channel": {"id": channel, "type": 1, "recipients": [presser]},
        "user": presser,
        "message": message,
        "data": {"component_type": 2, "custom_id": data},
        "entitlements": [],
        "context": 1,
        "app_permissions": "0",
        "authorizing_integration_owners": {},
        "attachment_size_limit": 1000,
    }


class StockButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template="stock:(?P<words>.*)"):
    """A persistent button, which answers a press by editing the text and the buttons of its message."""

    def __init__(self, words: str) -> None:
        super().__init__(discord.ui.Button(label=words[:20], custom_id=f"stock:{words}"))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any, /) -> StockButton:
        return cls(match["words"])

    async def callback(self, interaction: discord.Interaction) -> None:
        shown: discord.ui.View = discord.ui.View(timeout=None)
        for n in range(8):
            shown.add_item(StockButton(f"{n}"))
        await interaction.response.edit_message(content="x" * 600, view=shown)
        interaction.client.dispatch("stock_done")


@asynccontextmanager
async def _stock() -> AsyncIterator[Contender]:
    """A stock discord.py bot with eight buttons; it answers a press with one edit of text and buttons."""
    client = discord.Client(intents=discord.Intents.none())
    client.add_dynamic_items(StockButton)
    done = asyncio.Event()

    @client.event
    async def on_stock_done() -> None:
        done.set()

    await client.login("token")
    shown: discord.ui.View = discord.ui.View(timeout=None)
    for n in range(8):
        shown.add_item(StockButton(f"{n}"))
    message = _message("25", "77", "x" * 600, shown.to_components())

    async def prepare() -> Work:
        done.clear()
        payload = _press("25", "5", "stock:1", message)

        async def work() -> None:
            client._connection.parse_interaction_create(payload)  # type: ignore[arg-type]
            await done.wait()

        return work

    async def finish() -> None:
        """Does nothing, since the stock bot defers no work."""

    yield Contender(prepare, lambda: _sent(client), finish)
    await client.close()


_LIMITS = replace(LIMITS, gap=0.0)
_ALLOWANCES = Allowances(presses=Rate(10**6, 1.0), tables=Rate(10**6, 1.0))


class UnpacedDiscord(DiscordPlatform):
    """Our Discord platform without the pause between two messages in one public place."""

    @property
    def limits(self) -> Limits:
        return _LIMITS


@asynccontextmanager
async def _ours(key: str, store: Store, seed: int) -> AsyncIterator[Contender]:
    """Our bot with two players at a table in a channel, each with a panel; only moves are measured."""
    client = TableClient(clock := AsyncioClock())
    pages = dict[PersonId, Page]()
    platform = UnpacedDiscord("token", clock, client)
    async with running(store, clock, {KEY: platform}, pace=0.0, allowances=_ALLOWANCES) as dispatcher:
        client.set_dispatcher(dispatcher)
        dispatcher.panels.messages.listen(
            lambda to, page: pages.update({to.person: page}) if isinstance(to, Account) else None
        )
        await client.login("token")
        presses = Presses(
            dispatcher.service, partial(_begun, store, dispatcher, key), random.Random(f"{key} {seed}")
        )

        async def prepare() -> Work:
            person, button = await presses.choose()
            data = button.spelled(LIMITS.data)
            panel = await store.panel(button.game, person)
            assert panel
            channel, _, number = panel.message.partition("/")
            buttons: Any = view(as_message(pages[person], LIMITS))
            components = buttons.to_components() if buttons else []
            components[0]["components"][0]["custom_id"] = data
            # The fake server puts a 2 before the id of a user to name their private chat.
            user = channel[1:]
            payload = _press(channel, user, data, _message(channel, number, "x" * 600, components))

            async def work() -> None:
                client._connection.parse_interaction_create(payload)  # type: ignore[arg-type]
                await _quiet(client, dispatcher)

            return work

        yield Contender(prepare, lambda: _sent(client), dispatcher.panels.flush)
        await presses.check()
        await client.close()


async def _begun(store: Store, dispatcher: Dispatcher, key: str) -> Table:
    """Opens and starts a game for users 5 and 6 by commands; returns its table."""
    await dispatcher.command(_caller("5"), "new", {"game": key}, "")
    await dispatcher.command(_caller("6"), "join", {}, "")
    await dispatcher.command(_caller("5"), "start", {}, "")
    await dispatcher.panels.lanes.idle()
    listing = (await store.tables(Place(KEY, "10")))[0]
    return await dispatcher.service.table(listing.game)


def _caller(user: str) -> Caller:
    return Caller(user, f"User {user}", Place(KEY, "10"), "9", moderator=True)


async def _quiet(client: TableClient, dispatcher: Dispatcher) -> None:
    """Waits until a press is answered and all its panels are sent."""
    while True:
        await asyncio.sleep(0)
        await dispatcher.panels.lanes.idle()
        if not client._unfinished:
            return
        await asyncio.wait(client._unfinished)


async def _sent(client: discord.Client) -> int:
    return int(await client.http.request(discord.http.Route("GET", "/sent")))


async def _run(presses: int, keys: list[str], seed: int) -> None:
    print(HEAD)
    for key in keys:
        async with AsyncExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            sqlite = await open_store(str(Path(folder) / "bench.db"))
            stack.push_async_callback(sqlite.close)
            contenders = {
                "stock": await stack.enter_async_context(_stock()),
                "memory": await stack.enter_async_context(_ours(key, MemoryStore(), seed)),
                "sqlite": await stack.enter_async_context(_ours(key, sqlite, seed)),
            }
            stack.enter_context(short_collections())
            stack.enter_context(comparable_deals())
            figures = await measured(contenders, presses)
        stock = figures["stock"]
        for store in ("memory", "sqlite"):
            print(report(key, store, figures[store], partial(_stock_cpu, stock)))
    print(f"stock discord.py, one edit: {statistics.median(stock.cpu) * 1e3:.2f} ms a press")


def _stock_cpu(stock: Figures, n: int, sends: float) -> float:
    """The CPU seconds that the stock bot would need in round ``n`` for this number of sends."""
    return stock.cpu[n] * sends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=300)
    parser.add_argument("--game", action="append", choices=list(games()))
    parser.add_argument("--seed", type=int, default=1, help="what is dealt and pressed follows from it")
    given = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    discord.http.Route.BASE = f"http://127.0.0.1:{ours.recv()}/api/v10"
    try:
        asyncio.run(_run(given.presses, given.game or list(games()), given.seed))
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
