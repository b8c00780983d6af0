"""Compares the CPU cost of a button press that makes a move on Telegram with stock python-telegram-bot.

Run from the checkout: ``python -m bench.telegram``. Both bots use real sockets, to a fake Bot API in
another process, which is not measured; updates are passed to the bots fetched but not yet parsed.
The CPU time is that of the whole process, threads included, from the update to the last send, with the
storing that our bot defers. The stock bot answers a press and edits a similar message two, three or
four times in succession; its cost for our number of sends is interpolated between these, or extrapolated.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import statistics
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import count, pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import web
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import ApplicationBuilder, CallbackQueryHandler

from adapters.hosting.garbage import short_collections
from adapters.shared.clock import AsyncioClock
from adapters.telegram.pages import KEY, LIMITS
from adapters.telegram.platform import Options, TelegramPlatform
from adapters.telegram.rate_limiter import GroupLimits, RateLimiter
from adapters.telegram.received import read
from adapters.telegram.updates import UpdateHandler
from bench.presses import Presses, comparable_deals
from bench.turns import HEAD, Contender, Figures, Work, measured, report
from bot.app import running
from bot.inbox.allowances import Allowances, Rate
from bot.inbox.dispatcher import Dispatcher
from bot.model.places import Place
from bot.ports import Caller, Limits
from bot.storage import Store
from bot.store import open_store
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from engines import games
from engines.values import replace

_TOKEN = "4242:bench"
_GROUP = -1001
"""The id of the group in which the table is."""
_TEXT = "\n".join(["A line of a table as long as others are."] * 15)
_numbers = count(1)


def _serve(pipe: Connection) -> None:
    """Runs the fake Bot API in its own process; sends its port through ``pipe``."""
    sent, messages = 0, count(1)

    async def answer(request: web.Request) -> web.Response:
        nonlocal sent
        method = request.path.rpartition("/")[2]
        body = (await request.read()).decode()
        fields = json.loads(body) if body[:1] == "{" else dict(parse_qsl(body))
        result: Any = True
        if method == "getMe":
            result = {"id": 4242, "is_bot": True, "first_name": "Bench", "username": "bench_bot"}
        elif method == "sent":
            result = sent
        elif method in ("sendMessage", "editMessageText"):
            sent += 1
            chat = int(fields["chat_id"])
            result = {
                "message_id": int(fields.get("message_id", 0)) or next(messages),
                "date": 1,
                "chat": {"id": chat, "type": "private" if chat > 0 else "supergroup"},
                "text": fields["text"],
                "reply_markup": json.loads(fields.get("reply_markup", '{"inline_keyboard": []}')),
            }
            if method == "editMessageText":
                result["edit_date"] = 2
        else:
            sent += 1
        return web.Response(body=json.dumps({"ok": True, "result": result}), content_type="application/json")

    async def serve() -> None:
        application = web.Application()
        application.router.add_route("*", "/bot{rest:.*}", answer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        pipe.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(serve())


def _press(user: int, data: str, number: int) -> dict[str, Any]:
    """The Telegram update of a button press in a private chat."""
    chat = {"id": user, "type": "private", "first_name": "User"}
    rows = [[{"text": f"Button {n}", "callback_data": f"{n}"}] for n in range(8)]
    return {
        "update_id": next(_numbers),
        "callback_query": {
            "id": str(next(_numbers)),
            "from": {"id": user, "is_bot": False, "first_name": f"User {user}", "language_code": "en"},
            "chat_instance": "1",
            "data": data,
            "message": {
                "message_id": number,
                "date": 1,
                "chat": chat,
                "text": _TEXT,
                "reply_markup": {"inline_keyboard": rows},
            },
        },
    }


@asynccontextmanager
async def _stock(url: str, edits: int) -> AsyncIterator[Contender]:
    """A stock python-telegram-bot; it answers a press and makes this many edits of its message."""
    application = (
        ApplicationBuilder().token(_TOKEN).base_url(f"{url}/bot").updater(None).job_queue(None).build()
    )

    async def pressed(update: Update, _: Any) -> None:
        assert update.callback_query
        await update.callback_query.answer()
        keys = [[InlineKeyboardButton(f"Button {n}", callback_data=f"{n}")] for n in range(8)]
        for _ in range(edits):
            await update.callback_query.edit_message_text(
                _TEXT, parse_mode="HTML", reply_markup=InlineKeyboardMarkup(keys)
            )

    application.add_handler(CallbackQueryHandler(pressed))

    async def prepare() -> Work:
        update = _press(5, "stock", 77)

        async def work() -> None:
            await application.process_update(Update.de_json(update, application.bot))

        return work

    async def finish() -> None:
        """Does nothing, since the stock bot defers no work."""

    async with application:
        yield Contender(prepare, lambda: _sent(application.bot), finish)


_LIMITS = replace(LIMITS, gap=0.0)
_ALLOWANCES = Allowances(presses=Rate(10**6, 1.0), tables=Rate(10**6, 1.0))


class UnpacedTelegram(TelegramPlatform):
    """Our Telegram platform without the pause between two edits of a table."""

    @property
    def limits(self) -> Limits:
        return _LIMITS


@asynccontextmanager
async def _ours(url: str, key: str, store: Store, seed: int) -> AsyncIterator[Contender]:
    """Our bot with two players at a table in a group, each with a panel; only moves are measured."""
    clock = AsyncioClock()
    free = (10**6, 1.0)
    unlimited = RateLimiter(clock, limits=GroupLimits(free, free, free, free), overall=free)
    platform = UnpacedTelegram(_TOKEN, clock, Options(url), unlimited)
    await platform.enter()
    async with running(store, clock, {KEY: platform}, pace=0.0, allowances=_ALLOWANCES) as dispatcher:
        updates = UpdateHandler(platform, platform.bot, dispatcher, clock)
        presses = Presses(
            dispatcher.service, partial(_begun, store, dispatcher, key), random.Random(f"{key} {seed}")
        )

        async def prepare() -> Work:
            person, button = await presses.choose()
            data = button.spelled(LIMITS.data)
            panel = await store.panel(button.game, person)
            assert panel
            user, _, number = panel.message.partition("/")
            update = _press(int(user), data, int(number))

            async def work() -> None:
                await updates.handle(read(update, platform.bot))
                await updates.finish()
                await _settled(dispatcher)

            return work

        yield Contender(prepare, lambda: _sent(platform.bot), dispatcher.panels.flush)
        await presses.check()
    await platform.close()


async def _begun(store: Store, dispatcher: Dispatcher, key: str) -> Table:
    """Opens and starts a game for users 5 and 6 by commands; returns its table."""
    for user, command, given in (("5", "new", {"game": key}), ("6", "join", {}), ("5", "start", {})):
        caller = Caller(user, f"User {user}", Place(KEY, str(_GROUP)), str(_GROUP))
        await dispatcher.command(caller, command, given, "")
    await _settled(dispatcher)
    listing = (await store.tables(Place(KEY, str(_GROUP))))[0]
    return await dispatcher.service.table(listing.game)


async def _settled(dispatcher: Dispatcher) -> None:
    """Waits until all panels of a press are sent."""
    await dispatcher.panels.lanes.idle()


async def _sent(bot: Any) -> int:
    return int(await bot.do_api_request("sent"))


def _like(stock: Sequence[Figures], n: int, sends: float) -> float:
    """The CPU seconds that the stock bot would need in round ``n`` for this number of sends."""
    known = [(figures.sends[n], figures.cpu[n]) for figures in stock]
    (few, low), (many, high) = next(
        (pair for pair in pairwise(known) if pair[1][0] >= sends), (known[-2], known[-1])
    )
    return low + (high - low) * (sends - few) / (many - few)


async def _run(url: str, presses: int, keys: Sequence[str], seed: int) -> None:
    print(HEAD)
    for key in keys:
        async with AsyncExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            sqlite = await open_store(str(Path(folder) / "bench.db"))
            stack.push_async_callback(sqlite.close)
            edits = {str(n): await stack.enter_async_context(_stock(url, n)) for n in (2, 3, 4)}
            ours = {
                "memory": await stack.enter_async_context(_ours(url, key, MemoryStore(), seed)),
                "sqlite": await stack.enter_async_context(_ours(url, key, sqlite, seed)),
            }
            stack.enter_context(short_collections())
            stack.enter_context(comparable_deals())
            figures = await measured({**edits, **ours}, presses)
        stock = [figures[name] for name in edits]
        for store in ours:
            print(report(key, store, figures[store], partial(_like, stock)))
    for each in stock:
        cost = statistics.median(each.cpu) * 1e3
        print(f"stock python-telegram-bot, {each.sends[0]:.0f} sends: {cost:.2f} ms a press")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=300)
    parser.add_argument("--game", action="append", choices=list(games()))
    parser.add_argument("--seed", type=int, default=1, help="what is dealt and pressed follows from it")
    given = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    try:
        url = f"http://127.0.0.1:{ours.recv()}"
        asyncio.run(_run(url, given.presses, given.game or list(games()), given.seed))
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
