"""The bot in a child process, which tests kill; several children may share a database.

The parent writes deliveries to stdin as lines of JSON; the child reports messages, commits and answers
on stdout the same way. The parent keeps the platform's messages, so they outlive the process.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import msgspec
from sqlalchemy import event
from sqlalchemy.engine import Engine

from adapters.shared.clock import AsyncioClock
from adapters.shared.rendering.message import Message as Rendered
from adapters.shared.rendering.message import as_message, reply_message
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model.batches import Look, Stored
from bot.model.ids import PUBLIC, GameId
from bot.model.people import Account
from bot.model.places import Place
from bot.pages.table_page import private_page, public_page
from bot.ports import Caller, Page, Reply
from bot.storage import Store, StoreError
from bot.store import open_store
from bot.table_service.bounds import Bounds
from bot.tables import versions
from bot.tables.log.commitment import seed_source_of
from bot.tables.table import Table
from bot.tables.versions import NewerTable
from engines import games
from engines.game import Seat
from engines.values import replace
from tests import luck
from tests.support.allowances import AMPLE
from tests.support.hurry import HURRY, SLOW, allow, hurry
from tests.support.platform import FakePlatform, Payload
from tests.support.records import Message

PEOPLE = ("ana", "beto", "carla")
CHATS = ("square", "park")
MANY = 100
"""More tables than any person of a test opens or sits at."""
PAUSE = 0.1
"""Seconds until a child asks the store again that did not answer."""

T = TypeVar("T")


async def patient(ask: Callable[[], Awaitable[T]]) -> T:
    """Asks the store until it answers, since the database may be slow; the parent bounds the wait."""
    while True:
        try:
            return await ask()
        except StoreError:
            await asyncio.sleep(PAUSE)


@dataclass(frozen=True)
class Role:
    """How a child process is started."""

    database: str
    """The path or URL of the database."""
    folder: str
    """A folder for what all processes of a test know of the platform."""
    process: str
    """The id of the process."""
    seed: str
    chats: Sequence[str] = CHATS
    people: Sequence[str] = PEOPLE
    pace: float = 0.01
    """Seconds that a computer player takes for a move."""
    slow: float = 0.0
    """The most seconds that a request to the platform takes."""
    mute: bool = False
    """Whether posts and edits in public places never end."""
    hurried: float = HURRY
    """How many times as fast as usual processes are given up when they have died."""
    slowed: float = SLOW
    """How many times as long as usual the store may take."""
    revised: str = ""
    """The key of a game of which this process has a newer revision."""
    lacks: str = ""
    """A kind of entries that this process does not know."""


class Pipe(FakePlatform):
    """A platform that reports each message to the parent process; a message id begins with its chat."""

    key = "pipe"

    def __init__(self, role: Role, store: Store, rng: random.Random) -> None:
        super().__init__(delay=self._wait)
        self._role = role
        self._store = store
        self._rng = rng
        self._busy = asyncio.Event()
        self._deleted = Path(role.folder) / "deleted"
        """A file with the ids of deleted messages, which other processes read."""
        self.senders.update(role.people)
        for chat in role.chats:
            self.place(chat)

    async def _wait(self) -> None:
        await self.meet()
        if self._role.slow:
            await asyncio.sleep(self._rng.uniform(0, self._role.slow))

    async def meet(self) -> None:
        """Looks up the person of each user whom only other processes have met so far."""
        for user in set(self._role.people) - self.persons.keys():
            if account := await patient(partial(self._store.account, self.key, user)):
                self.persons[user] = account.person

    async def quiet(self) -> None:
        """Waits until nothing has been reported for 0.15 seconds."""
        with suppress(TimeoutError):
            while True:
                self._busy.clear()
                await asyncio.wait_for(self._busy.wait(), 0.15)

    def tell(self, **report: Any) -> None:
        self._busy.set()
        # One write per line: commits are reported from the store's thread, at the same time as the rest.
        sys.stdout.write(json.dumps(report) + "\n")
        sys.stdout.flush()

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        if self._role.mute:
            await asyncio.Event().wait()
        return await super().post(place, page, mention, once=once)

    async def edit(self, message: str, page: Page) -> None:
        if self._role.mute and self._message(message).place:
            await asyncio.Event().wait()
        await super().edit(message, page)

    async def delete(self, message: str) -> None:
        await super().delete(message)
        with self._deleted.open("a") as file:
            file.write(f"{message}\n")
        self.tell(do="delete", message=message)

    def _message(self, message: str) -> Message:
        if self.messages.get(message) is None:
            # Another process has sent this message.
            chat, _, _ = message.rpartition("/")
            place = Place(self.key, chat) if chat in self._role.chats else None
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


class LogReporter(logging.Handler):
    """Reports the warnings and errors of a log to the parent process."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(logging.WARNING)
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        self._pipe.tell(do="log", line=record.getMessage())


def as_json(page: Rendered) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(page), type=dict[str, Any])


def become(role: Role) -> None:
    """Gives this process the time limits and the version of its role."""
    hurry(role.hurried)
    allow(role.slowed)
    if role.revised:
        game = games()[role.revised]
        setattr(type(game), "revision", game.revision + 1)  # noqa: B010
    versions._KINDS -= {role.lacks}


async def main(role: Role) -> None:
    become(role)
    rng = random.Random(role.seed)
    store = await open_store(role.database)
    pipe = Pipe(role, store, rng)
    event.listen(Engine, "commit", lambda _: pipe.tell(do="commit"))
    logging.getLogger("bot").addHandler(LogReporter(pipe))
    # The scan listens from the start: the bot goes on at once with the tables of earlier processes.
    listeners = [pipe.scan_secrets().on_commit]
    bounds = Bounds(person=MANY, seats=MANY)
    with scanned(store, pipe), claims_reported(store, pipe):
        async with running(
            store, AsyncioClock(), {"pipe": pipe}, rng=rng, pace=role.pace, allowances=AMPLE, bounds=bounds,
            listeners=listeners, process=role.process,
        ) as dispatcher:  # fmt: skip
            await Child(role, dispatcher, store, pipe).serve()
    await store.close()


@contextmanager
def scanned(store: Store, pipe: Pipe) -> Iterator[None]:
    """Shows the secret scan each table that another process has changed, once this process reads its log."""
    tail, look = store.tail, store.look
    learned = dict[GameId, int]()

    def learn(whole: Stored | None) -> None:
        if whole and learned.get(whole.listing.game) != len(whole.entries):
            with suppress(Exception):
                pipe.scan_secrets().on_commit(table_of(whole), None)
            learned[whole.listing.game] = len(whole.entries)

    async def tailed(game: GameId, n: int) -> Stored | None:
        found = await tail(game, n)
        if found and found.entries:
            learn(await tail(game, 0) if n else found)
        return found

    async def looked(game: GameId, n: int) -> Look | None:
        found = await look(game, n)
        if found and found.tail:
            learn(await tail(game, 0))
        return found

    # Loading a table asks for its tail from the beginning.
    with mock.patch.multiple(store, tail=tailed, look=looked):
        yield


@contextmanager
def claims_reported(store: Store, pipe: Pipe) -> Iterator[None]:
    """Reports each claim of the keeper to the parent process, before the work of the claim is done."""
    claim = store.claim

    async def claimed(*given: Any) -> Any:
        found = await claim(*given)
        pipe.tell(do="claim")
        return found

    with mock.patch.object(store, "claim", claimed):
        yield


def table_of(stored: Stored) -> Table:
    return Table.replay(stored.entries, seed_source_of(stored.server_seed, stored.seed_words))


def awaited_computers(table: Table) -> list[Seat]:
    """The seats of computers whose turn it is; none if all people are gone, since the game waits for them."""
    if all(player.is_computer or seat in table.away for seat, player in enumerate(table.players)):
        return []
    return [seat for seat in table.active() if table.players[seat].is_computer]


@dataclass
class Child:
    """The running bot, which does what the parent tells it."""

    role: Role
    dispatcher: Dispatcher
    store: Store
    pipe: Pipe
    replayed: dict[GameId, int] = field(default_factory=dict)
    """The length at which the log of each table was last replayed to the table's state."""

    async def serve(self) -> None:
        """Carries out the parent's lines until there are no more."""
        self.pipe.tell(do="ready")
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
                await patient(partial(self.dump, sent["games"]))
                continue
            look = sent["do"] == "look"
            task = asyncio.create_task(patient(partial(self.look, sent)) if look else self.hear(sent))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks)

    async def hear(self, sent: Mapping[str, Any]) -> None:
        place = Place("pipe", sent["chat"])
        caller = Caller(sent["user"], sent["user"].capitalize(), place, "town", locale="en")
        if sent["do"] == "press":
            in_reply_to: str = sent["data"]
            reply: Reply = await self.dispatcher.press(caller, in_reply_to, sent["delivery"])
        else:
            in_reply_to = " ".join(sent["given"].values())
            reply = await self.dispatcher.command(caller, sent["name"], sent["given"], sent["delivery"])
        await self.pipe.meet()
        self.pipe.answer(caller.user, reply, in_reply_to)
        shown = reply_message(reply, self.pipe.limits)
        self.pipe.tell(
            do="answer", delivery=sent["delivery"], notice=reply.notice, page=shown and as_json(shown),
            sizes=await patient(partial(self.sizes, sent["chat"])),
        )  # fmt: skip

    async def sizes(self, chat: str) -> dict[GameId, int]:
        """The lengths of the logs of a chat's tables (`games`), less those of a newer version."""
        sizes = {}
        for game in await self.games([chat]):
            with suppress(NewerTable):
                sizes[game] = len((await self.dispatcher.service.table(game)).entries)
        return sizes

    async def games(self, chats: Sequence[str]) -> list[GameId]:
        """The open tables of chats, and the last finished one of each chat."""
        found: list[GameId] = []
        for place in (Place("pipe", chat) for chat in chats):
            found += [listing.game for listing in await self.store.tables(place)]
            if last := await self.store.last_over(place):
                found.append(last.game)
        return found

    async def look(self, sent: Mapping[str, Any]) -> None:
        """Reports a table's status, the legal moves of its people, and its public panel as it should be.

        The panel is null for a table of older rules.
        """
        table = await self.dispatcher.service.table(sent["game"])
        legal = {}
        for seat in table.active():
            if person := table.players[seat].person:
                account = await self.dispatcher.people.account_of(person, "pipe")
                assert account
                legal[account.user] = [str(move) for move in table.game.moves(table.state, seat)]
        public_panel = None
        if not table.outdated:
            say = await self.dispatcher.people.say_in(table.place, table)
            page = public_page(table, say, self.pipe.limits, announced=self.pipe.limits.edits)
            public_panel = as_json(as_message(page, self.pipe.limits))
        self.pipe.tell(
            do="answer", delivery=sent["delivery"], status=table.status, stamp=table.stamp,
            size=len(table.entries), legal=legal, public_panel=public_panel,
            computers=awaited_computers(table),
            keeps=self.dispatcher.service.leases.keeps(table.place),
        )  # fmt: skip

    async def dump(self, closed: Sequence[GameId]) -> None:
        """Reports the tables of `games` and those of ``closed`` that exist, once the platform is quiet."""
        await self.pipe.quiet()
        known = [game for game in closed if await self.store.load(game)]
        tables = {
            game: await self.table_dump(await self.dispatcher.service.table(game))
            for game in dict.fromkeys((*await self.games(self.role.chats), *known))
        }
        scanned = self.pipe.scan_secrets().read_with_cards
        self.pipe.tell(do="dump", tables=tables, faults=self.pipe.faults.found, scanned=scanned)

    async def table_dump(self, table: Table) -> dict[str, Any]:
        stored, people, limits = await self.store.load(table.id), self.dispatcher.people, self.pipe.limits
        assert stored is not None
        panels, unseen = {}, {PUBLIC}
        for person in filter(None, (player.person for player in table.players)):
            account = await people.account_of(person, table.place.platform)
            if account and account.reachable:
                unseen.add(person)
        for panel in await self.store.panels(table.id):
            unseen -= {panel.reader} if panel.message else set()
            say = await people.say_to(panel.reader, table.place, table)
            if panel.reader == PUBLIC:
                say = await people.say_in(table.place, table)
                page = public_page(table, say, limits, announced=limits.edits)
            else:
                draft, watches = panel.draft, panel.is_watched
                page = private_page(table, panel.reader, say, limits, draft, watches=watches)
            panels[panel.reader] = {
                "message": panel.message,
                "page": as_json(as_message(page, limits)),
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
            "replayed": self.is_replayed(stored, table),
            # A keeper may have put off when the table is due.
            "listed": replace(stored.listing, due=table.due) == table.listing,
            "computers": awaited_computers(table),
            "panels": panels,
            "unseen": sorted(unseen),
        }

    def is_replayed(self, stored: Stored, table: Table) -> bool:
        """Whether a table's state follows from its log; a log that has not grown is not replayed again."""
        if self.replayed.get(table.id) == len(stored.entries):
            return True
        same: bool = Table.replay(stored.entries, table.seed_source).state == table.state
        if same:
            self.replayed[table.id] = len(stored.entries)
        return same


def run(role: Role) -> None:
    """Runs the bot in this process until its standard input ends."""
    with luck.of(role.seed):
        asyncio.run(main(role))
