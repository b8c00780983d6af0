"""One of several bots in child processes that serve from one database; see `tests.bot.crash.test_pair`.

The parent writes deliveries to stdin as lines of JSON; the child reports messages and answers on stdout. The
parent is the platform: messages outlive the process that has sent them.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.shared.clock import AsyncioClock
from adapters.shared.message import Message as Rendered
from adapters.shared.message import as_message
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model import Account, Place
from bot.ports import Caller, Page
from bot.store import open_store
from tests import luck
from tests.bot.crash.child import Pipe, as_json
from tests.support.allowances import AMPLE
from tests.support.platform import FakePlatform, Payload
from tests.support.records import Message

ROOMS = tuple(f"room{n}" for n in range(30))
PEOPLE = ("ana", "beto", *(f"user{n}" for n in range(len(ROOMS))))


class Shared(Pipe):
    """A platform that other processes use too; a mute one never posts in a public place."""

    def __init__(self, deleted: Path, rng: random.Random, *, mute: bool) -> None:
        super().__init__(deleted, rng)
        self._mute = mute
        self.senders.update(PEOPLE)
        for chat in ROOMS:
            self.place(chat)

    async def post(self, place: Place, page: Page, call: Account | None = None, *, once: str = "") -> str:
        if self._mute:
            await asyncio.Event().wait()
        return await super().post(place, page, call, once=once)

    def _message(self, message: str) -> Message:
        chat = message.rpartition("/")[0]
        if self.messages.get(message) is None and chat in ROOMS:
            known = Message(message, Place(self.key, chat), "", Rendered(), "", "", ())
            self.messages.put(known)
        return super()._message(message)

    def _record(
        self, how: str, place: Place | None, user: str, payload: Payload, in_reply_to: str = ""
    ) -> None:
        # A scan of secrets would need the tables of the other process.
        FakePlatform._record(self, how, place, user, payload, in_reply_to)


async def hear(dispatcher: Dispatcher, pipe: Shared, sent: Mapping[str, Any]) -> None:
    """Carries out a delivery, and reports the reply."""
    caller = Caller(sent["user"], sent["user"], Place(pipe.key, sent["chat"]), "town", locale="en")
    if sent["do"] == "press":
        reply = await dispatcher.press(caller, sent["data"], sent["delivery"])
    else:
        reply = await dispatcher.command(caller, sent["name"], sent["given"], sent["delivery"])
    page = as_json(as_message(reply.page, pipe.limits)) if reply.page else None
    pipe.tell(do="answer", delivery=sent["delivery"], notice=reply.notice, page=page)


async def main(url: str, name: str, deleted: str, pace: str, mute: str) -> None:
    pipe, store = Shared(Path(deleted), random.Random(name), mute=bool(mute)), await open_store(url)
    serving = running(
        store,
        AsyncioClock(),
        {pipe.key: pipe},
        rng=random.Random(name),
        pace=float(pace),
        allowances=AMPLE,
        process=name,
    )
    async with serving as dispatcher:
        pipe.tell(do="ready")
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
        )
        tasks: set[asyncio.Task[None]] = set()
        while line := await reader.readline():
            task = asyncio.create_task(hear(dispatcher, pipe, json.loads(line)))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    await store.close()


if __name__ == "__main__":
    with luck.of(sys.argv[2]):
        asyncio.run(main(*sys.argv[1:]))
