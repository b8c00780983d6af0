"""A house in a process of its own, to be killed: a line of JSON in for whatever is sent, lines out for
what it does on its platform. Its platform's messages outlive it, at its parent's.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from adapters.clock import AsyncioClock
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model import PUBLIC, Account, GameId, Place
from bot.pages.table_page import private_page, public_page
from bot.ports import Caller, Gone, Limits, Page, Reply, Store
from bot.store import open_store
from bot.tables.table import Table
from tests import luck

LIMITS = Limits(text=2000, rows=5, row=5, keys=25, label=80, data=100, gap=0.0)


class Pipe:
    """A platform at the other end of a pipe."""

    key = "pipe"
    limits = LIMITS

    def __init__(self, deleted: Path, rng: random.Random) -> None:
        self._rng = rng
        self._busy = asyncio.Event()
        self._deleted = deleted
        """Names the messages that were taken away, which a process killed then still takes for its own."""

    async def quiet(self) -> None:
        """Waits until nothing was told for a while."""
        with suppress(TimeoutError):
            while True:
                self._busy.clear()
                await asyncio.wait_for(self._busy.wait(), 0.15)

    def tell(self, **told: Any) -> None:
        self._busy.set()
        # In one piece: commits are told from the store's thread, between what else is told.
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()

    async def post(self, place: Place, page: Page, call: Account | None = None) -> str:
        return self._new(place.chat, page)

    async def whisper(self, account: Account, page: Page) -> str:
        return self._new(f"alone:{account.user}", page)

    async def edit(self, message: str, page: Page) -> None:
        if self._deleted.exists() and message in self._deleted.read_text().split():
            raise Gone
        self.tell(do="edit", message=message, page=as_json(page))

    async def delete(self, message: str) -> None:
        with self._deleted.open("a") as file:
            file.write(f"{message}\n")
        self.tell(do="delete", message=message)

    def link(self, payload: str) -> str:
        return ""

    def _new(self, chat: str, page: Page) -> str:
        message = f"{self._rng.getrandbits(64):x}"
        self.tell(do="new", message=message, chat=chat, page=as_json(page))
        return message


def as_json(page: Page) -> dict[str, Any]:
    return json.loads(json.dumps(asdict(page)))  # type: ignore[no-any-return]


async def main(path: str, seed: str) -> None:
    rng = random.Random(seed)
    pipe, store = Pipe(Path(f"{path}.deleted"), rng), await open_store(path)
    event.listen(Engine, "commit", lambda _: pipe.tell(do="commit"))
    async with running(store, AsyncioClock(), {"pipe": pipe}, rng=rng, pace=0.01) as dispatcher:
        pipe.tell(do="ready")
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
        )
        tasks = set()
        while line := await reader.readline():
            task = asyncio.create_task(hear(dispatcher, store, pipe, json.loads(line)))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    await store.close()


async def hear(dispatcher: Dispatcher, store: Store, pipe: Pipe, sent: Mapping[str, Any]) -> None:
    if sent["do"] == "dump":
        pipe.tell(do="dump", tables=await dump(dispatcher, store, pipe, sent["games"]))
        return
    place = Place("pipe", sent["chat"])
    caller = Caller(sent["user"], sent["user"].capitalize(), place, "town", locale="en")
    if sent["do"] == "press":
        reply: Reply = await dispatcher.press(caller, sent["data"], sent["delivery"])
    else:
        reply = await dispatcher.command(caller, sent["name"], sent["given"], sent["delivery"])
    sizes = {game: len((await dispatcher.service.table(game)).entries) for game in await games(store)}
    pipe.tell(do="answer", delivery=sent["delivery"], notice=reply.notice, sizes=sizes)


async def games(store: Store) -> list[GameId]:
    """All tables of both places, also the last one that is over."""
    found = list(await store.live())
    for chat in ("square", "park"):
        last = await store.last_over(Place("pipe", chat))
        if last:
            found.append(last.game)
    return found


async def dump(dispatcher: Dispatcher, store: Store, pipe: Pipe, besides: Sequence[GameId]) -> dict[str, Any]:
    """All that is known of the tables, and of some besides, once nothing happens any more."""
    await pipe.quiet()
    known = [game for game in besides if await store.load(game)]
    tables = dict.fromkeys((*await games(store), *known))
    return {
        game: await table_dump(dispatcher, store, await dispatcher.service.table(game)) for game in tables
    }


async def table_dump(dispatcher: Dispatcher, store: Store, table: Table) -> dict[str, Any]:
    stored = await store.load(table.id)
    assert stored is not None
    panels, unseen = {}, {PUBLIC}
    for person in filter(None, (player.person for player in table.players)):
        account = await dispatcher.people.account_of(person, table.place.platform)
        if account and account.reachable:
            unseen.add(person)
    for panel in await store.panels(table.id):
        unseen -= {panel.reader} if panel.message else set()
        say = await dispatcher.people.say_to(panel.reader, table.place, table)
        if panel.reader == PUBLIC:
            page = public_page(table, await dispatcher.people.say_in(table.place, table), LIMITS)
        else:
            page = private_page(table, panel.reader, say, LIMITS, panel.draft)
        panels[panel.reader] = {
            "message": panel.message,
            "page": as_json(page),
            "draft": [panel.draft.stamp, list(panel.draft.path)],
        }
    return {
        "log": [
            [entry.n, entry.kind, entry.seat, entry.person, dict(entry.body)] for entry in stored.entries
        ],
        "status": table.status,
        "stamp": table.stamp,
        "place": table.place.chat,
        "players": [player.name for player in table.players],
        "replayed": Table.replay(stored.entries, table.seed_source).state == table.state,
        "listed": stored.listing == table.listing,
        "computers": [seat for seat in table.active() if table.players[seat].is_computer],
        "panels": panels,
        "unseen": sorted(unseen),
    }


if __name__ == "__main__":
    with luck.of(sys.argv[2]):
        asyncio.run(main(*sys.argv[1:]))
