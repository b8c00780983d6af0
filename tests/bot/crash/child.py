"""The bot in a child process that the crash test kills.

The parent writes deliveries to stdin as lines of JSON; the child reports messages, commits and answers
on stdout the same way. The parent keeps the platform's messages, so they outlive the process.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from adapters.shared.clock import AsyncioClock
from adapters.shared.message import Message as Rendered
from adapters.shared.message import as_message
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model import PUBLIC, GameId, Place
from bot.pages.table_page import private_page, public_page
from bot.ports import Caller, Reply, Store
from bot.store import open_store
from bot.tables.commitment import seed_source_of
from bot.tables.table import Table
from tests import luck
from tests.support.allowances import AMPLE
from tests.support.platform import FakePlatform, Payload
from tests.support.records import Message
from tests.support.stores import live_tables

PEOPLE = ("ana", "beto", "carla")
CHATS = ("square", "park")


class Pipe(FakePlatform):
    """A platform that reports each message to the parent process; a message id begins with its chat."""

    key = "pipe"

    def __init__(self, deleted: Path, rng: random.Random) -> None:
        super().__init__()
        self._rng = rng
        self._busy = asyncio.Event()
        self._deleted = deleted
        """A file with the ids of deleted messages, which the next process reads."""
        self.senders.update(PEOPLE)
        for chat in CHATS:
            self.place(chat)

    async def quiet(self) -> None:
        """Waits until nothing has been reported for 0.15 seconds."""
        with suppress(TimeoutError):
            while True:
                self._busy.clear()
                await asyncio.wait_for(self._busy.wait(), 0.15)

    def tell(self, **told: Any) -> None:
        self._busy.set()
        # One write per line: commits are reported from the store's thread, at the same time as the rest.
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()

    async def delete(self, message: str) -> None:
        await super().delete(message)
        with self._deleted.open("a") as file:
            file.write(f"{message}\n")
        self.tell(do="delete", message=message)

    def _message(self, message: str) -> Message:
        if self.messages.get(message) is None:
            # An earlier process has sent this message.
            chat, _, _ = message.rpartition("/")
            place = Place(self.key, chat) if chat in CHATS else None
            user = "" if place else chat.removeprefix(self.home("").chat)
            self.messages.put(Message(message, place, user, Rendered(), "", "", ()))
        known = super()._message(message)
        if self._deleted.exists() and message in self._deleted.read_text().split():
            known.alive = False
        return known

    def _new_id(self, chat: str) -> str:
        return f"{chat}/{self._rng.getrandbits(64):x}"

    def _new(
        self,
        how: str,
        place: Place | None,
        user: str,
        page: Rendered,
        payload: Payload,
        in_reply_to: str = "",
    ) -> Message:
        message = super()._new(how, place, user, page, payload, in_reply_to)
        self.tell(do="new", message=message.id, chat=self.chat(message), page=as_json(page))
        return message

    def _change(
        self, how: str, message: Message, page: Rendered, payload: Payload, in_reply_to: str = ""
    ) -> None:
        super()._change(how, message, page, payload, in_reply_to)
        self.tell(do="edit", message=message.id, page=as_json(page))

    def _record(
        self, how: str, place: Place | None, user: str, payload: Payload, in_reply_to: str = ""
    ) -> None:
        try:
            super()._record(how, place, user, payload, in_reply_to)
        finally:
            # A secret that is told is a fault even if the process is killed before its next dump.
            for fault in self.scan_secrets().faults.found:
                self.tell(do="fault", fault=fault)


def as_json(page: Rendered) -> dict[str, Any]:
    return json.loads(json.dumps(asdict(page)))  # type: ignore[no-any-return]


async def main(path: str, seed: str) -> None:
    rng = random.Random(seed)
    pipe, store = Pipe(Path(f"{path}.deleted"), rng), await open_store(path)
    await recall(pipe, store, path)
    event.listen(Engine, "commit", lambda _: pipe.tell(do="commit"))
    # The scan listens from the start: computer players move before the dispatcher is there.
    listeners = [pipe.scan_secrets().on_commit]
    async with running(
        store, AsyncioClock(), {"pipe": pipe}, rng=rng, pace=0.01, allowances=AMPLE, listeners=listeners
    ) as dispatcher:
        pipe.tell(do="ready")
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
        )
        tasks: set[asyncio.Task[None]] = set()
        while line := await reader.readline():
            sent = json.loads(line)
            if sent["do"] == "dump":
                # An answer during the dump could name a table that the dump does not have.
                await asyncio.gather(*tasks)
                await dump(dispatcher, store, pipe, sent["games"])
                continue
            task = asyncio.create_task(hear(dispatcher, store, pipe, sent))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    await store.close()


async def recall(pipe: Pipe, store: Store, path: str) -> None:
    """Tells the secret scan all tables and accounts of earlier processes."""
    for user in PEOPLE:
        if account := await store.account(pipe.key, user):
            pipe.persons[user] = account.person
    with closing(sqlite3.connect(path)) as connection:
        known = [game for (game,) in connection.execute("SELECT id FROM game")]
    for game in known:
        if stored := await store.load(game):
            seed_source = seed_source_of(stored.server_seed, stored.seed_words)
            pipe.scan_secrets().on_commit(Table.replay(stored.entries, seed_source), None)


async def hear(dispatcher: Dispatcher, store: Store, pipe: Pipe, sent: Mapping[str, Any]) -> None:
    place = Place("pipe", sent["chat"])
    caller = Caller(sent["user"], sent["user"].capitalize(), place, "town", locale="en")
    if sent["do"] == "press":
        in_reply_to: str = sent["data"]
        reply: Reply = await dispatcher.press(caller, in_reply_to, sent["delivery"])
    else:
        in_reply_to = " ".join(sent["given"].values())
        reply = await dispatcher.command(caller, sent["name"], sent["given"], sent["delivery"])
    if account := await store.account(pipe.key, caller.user):
        pipe.persons[caller.user] = account.person
    pipe.answer(caller.user, reply, in_reply_to)
    sizes = {game: len((await dispatcher.service.table(game)).entries) for game in await games(store)}
    pipe.tell(do="answer", delivery=sent["delivery"], notice=reply.notice, sizes=sizes)


async def games(store: Store) -> list[GameId]:
    """All open tables, and the last finished one of each chat."""
    found = list(await live_tables(store))
    for chat in CHATS:
        last = await store.last_over(Place("pipe", chat))
        if last:
            found.append(last.game)
    return found


async def dump(dispatcher: Dispatcher, store: Store, pipe: Pipe, closed: Sequence[GameId]) -> None:
    """Reports the state of `games` and of the `closed` tables that exist, once the platform is quiet."""
    await pipe.quiet()
    known = [game for game in closed if await store.load(game)]
    tables = {
        game: await table_dump(dispatcher, store, pipe, await dispatcher.service.table(game))
        for game in dict.fromkeys((*await games(store), *known))
    }
    scanned = pipe.scan_secrets().read_with_cards
    pipe.tell(do="dump", tables=tables, faults=pipe.faults.found, scanned=scanned)


async def table_dump(dispatcher: Dispatcher, store: Store, pipe: Pipe, table: Table) -> dict[str, Any]:
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
            page = public_page(table, await dispatcher.people.say_in(table.place, table), pipe.limits)
        else:
            page = private_page(table, panel.reader, say, pipe.limits, panel.draft)
        panels[panel.reader] = {
            "message": panel.message,
            "page": as_json(as_message(page, pipe.limits)),
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
