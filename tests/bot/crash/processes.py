"""The parent's side of the bot's processes: the platform's messages, and what must hold at every table."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from adapters.shared.clock import AsyncioClock
from engines import games
from tests import luck
from tests.bot.crash.child import Role, run
from tests.support.forked import Forked, piped
from tests.support.long import LONG
from tests.support.waiting import Waiting

PATIENCE = 400.0 if LONG else 100.0
"""Seconds after which work that the bot still owes counts as forgotten."""

DONE = ("", "Your table is open. The others press Join.", "The cards have been dealt.", "You cut the deck.")
"""Notices that count as the confirmation of an action; most others are refusals."""


class World:
    """The platform with its messages and people, and what the bot has confirmed to them."""

    def __init__(self, database: str, folder: Path, **role: Any) -> None:
        self._role = {"database": database, "folder": str(folder), **role}
        self.messages: dict[str, tuple[str, dict[str, Any]]] = {}
        """The chat and the page of each message that is not deleted."""
        self.posted: dict[str, list[dict[str, Any]]] = defaultdict(list)
        """The first pages of all messages that were ever posted in each chat."""
        self.sizes: dict[str, int] = {}
        """The largest length of each log that came with an answer, by game."""
        self.logs: dict[str, list[Any]] = {}
        self.drafts: dict[tuple[str, str], Any] = {}
        self.done: list[dict[str, Any]] = []
        """The deliveries that the bot confirmed as done."""
        self.sent: dict[str, dict[str, Any]] = {}
        self.logged: list[str] = []
        """The warnings and errors that the processes have logged."""
        self.scanned = 0
        """Grows with the payloads that named a card; while it is zero the secret scan has tested nothing."""
        self._n = 0
        self._heard = asyncio.Event()
        self._processes: list[BotProcess] = []

    async def process(self, **role: Any) -> BotProcess:
        """Starts a process of the bot."""
        name = f"p{len(self._processes) + 1}"
        seed = str(luck.seed(luck.name("process", name)))
        process = BotProcess(self, Role(**{**self._role, "process": name, "seed": seed, **role}))
        self._processes.append(process)
        await process.start()
        return process

    async def processes(self, *roles: Mapping[str, Any]) -> list[BotProcess]:
        """Starts several processes at the same time."""
        return list(await asyncio.gather(*(self.process(**role) for role in roles)))

    async def close(self) -> None:
        """Kills the processes that the test has not ended."""
        await asyncio.gather(*(process.kill() for process in self._processes), return_exceptions=True)

    def delivery(self) -> str:
        """The name of a new delivery."""
        self._n += 1
        return f"pipe:{self._n}"

    def press(self, user: str, chat: str, data: str) -> dict[str, Any]:
        return {"do": "press", "user": user, "chat": chat, "delivery": self.delivery(), "data": data}

    def command(self, user: str, chat: str, name: str, **given: str) -> dict[str, Any]:
        head = {"do": "command", "user": user, "chat": chat, "delivery": self.delivery()}
        return {**head, "name": name, "given": given}

    def anything(self, people: Sequence[str], chats: Sequence[str]) -> dict[str, Any]:
        """A random delivery that a player might send now: a press on a button shown, or a command."""
        # Each has luck of its own: which buttons are shown depends on the machine's speed.
        rng = luck.rng("delivery", self._n)
        user, chat = rng.choice(people), rng.choice(chats)
        keys = [
            key["data"]
            for posted_in, page in self.messages.values()
            if posted_in in (f"alone:{user}", chat)
            for row in page["rows"]
            for key in row
            if key["data"] and not key["data"].endswith((":leave", ":cut", ":log"))
        ]
        if keys and rng.random() < 0.9:
            return self.press(user, chat, rng.choice(keys))
        name, given = rng.choice(
            [
                ("new", {"game": rng.choice(sorted(games()))}),
                ("join", {}),
                ("cut", {"words": f"cut {self._n}"}),
                ("start", {}),
                ("leave", {}),
                ("settings", {"setting": "order", "value": "suit"}),
            ]
        )
        return self.command(user, chat, name, **given)

    def shown(self, chat: str) -> list[dict[str, Any]]:
        """The pages of a chat's messages, the oldest first."""
        return [page for posted_in, page in self.messages.values() if posted_in == chat]

    async def until(self, wanted: str, holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Waits until something holds that a process's report brings about; fails after these seconds."""
        waiting = Waiting(wanted, seconds)
        while not holds():
            self._heard.clear()
            await waiting.next(self._heard)

    def hear(self, report: Mapping[str, Any]) -> None:
        """Records what a process reports."""
        self._heard.set()
        match report["do"]:
            case "new":
                self.messages[report["message"]] = (report["chat"], report["page"])
                self.posted[report["chat"]].append(report["page"])
            case "edit":
                if known := self.messages.get(report["message"]):
                    self.messages[report["message"]] = (known[0], report["page"])
            case "delete":
                self.messages.pop(report["message"], None)
            case "answer" if "notice" in report:
                sent = self.sent[report["delivery"]]
                # A command that is answered by a page, such as a question, has done nothing yet.
                if report["notice"] in DONE and (report["notice"] or sent["do"] == "press"):
                    self.done.append(sent)
                print("answer", report["delivery"], repr(report["notice"]), report["sizes"])
                assert "Sorry" not in report["notice"]
                for game, size in report["sizes"].items():
                    self.sizes[game] = max(size, self.sizes.get(game, 0))
            case "log":
                print("log", report["line"])
                self.logged.append(report["line"])
            case "fault":
                raise AssertionError(report["fault"])
            case "dump":
                assert report["faults"] == []
                self.scanned += report["scanned"]


class BotProcess:
    """One process of the bot."""

    def __init__(self, world: World, role: Role) -> None:
        self.world = world
        self.role = role
        self.heard = {"commit": 0, "answer": 0, "claim": 0}
        self.kill_at: tuple[str, int] | None = None
        """Kills the process at this event (a key of ``heard``) once its total count reaches the number."""
        self._process: Forked | None = None
        self._reading: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._dump: asyncio.Future[dict[str, Any]] | None = None
        self._answers: dict[str, asyncio.Future[Mapping[str, Any]]] = {}

    async def start(self) -> None:
        self._process, self._input, output = await piped(run, self.role)
        self._reading = asyncio.create_task(self._read(output))
        await self._while_alive(asyncio.create_task(self._ready.wait()), "start")

    def limit_files(self, size: int) -> None:
        """Lets the process write into files only up to a size; -1 for any."""
        assert self._process is not None
        self._process.limit_files(size)

    async def kill(self) -> None:
        """Kills the process at once, and reads the rest of its output."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._ended()
        await self._all_read()
        self._input.close()

    async def stop(self) -> int:
        """Closes the process's input and waits until it ends; its exit code."""
        self._input.close()
        await self._all_read()
        return await self._ended()

    def send(self, sent: dict[str, Any]) -> None:
        """Sends a line and waits for no answer; after the input is closed, sends nothing."""
        if sent["do"] in ("press", "command"):
            self.world.sent[sent["delivery"]] = sent
            print(self.role.process, "sent", *sent.values())
        if not self._input.is_closing():
            self._input.write(json.dumps(sent).encode() + b"\n")

    async def ask(self, sent: dict[str, Any]) -> Mapping[str, Any]:
        """Sends a delivery or a look, and returns its answer."""
        answer = self._answers[sent["delivery"]] = asyncio.get_running_loop().create_future()
        self.send(sent)
        await self._while_alive(answer, f"answer {sent}")
        report: Mapping[str, Any] = answer.result()
        return report

    async def look(self, game: str) -> Mapping[str, Any]:
        """A table as this process sees it now."""
        return await self.ask({"do": "look", "delivery": self.world.delivery(), "game": game})

    async def dump(self) -> dict[str, Any]:
        """Tables as this process sees them, once it has been quiet for a moment.

        They are the open ones, the last finished one of each chat, and those that `check` has not seen yet.
        """
        self._dump = asyncio.get_running_loop().create_future()
        # A table opened and closed since the last dump may be in no listing, so ask for it by id.
        self.send({"do": "dump", "games": [game for game in self.world.sizes if game not in self.world.logs]})
        await self._while_alive(self._dump, "tell its tables")
        return self._dump.result()

    async def _while_alive(self, done: asyncio.Future[Any], wanted: str) -> None:
        """Waits for something that the process does; fails if it ends before, or after `PATIENCE`."""
        assert self._reading is not None
        await self._waiting(wanted).first(done, self._reading)
        if not done.done():
            done.cancel()
            await self._reading
            raise AssertionError(f"process {self.role.process} has ended")

    async def _ended(self) -> int:
        """Waits until the process has ended; its exit code."""
        assert self._process is not None
        ended = asyncio.create_task(self._process.wait())
        await self._waiting("end").first(ended)
        return ended.result()

    async def _all_read(self) -> None:
        """Waits until the process has closed its output, and all of it is read."""
        assert self._reading is not None
        await self._waiting("close its output").first(self._reading)
        await self._reading

    def _waiting(self, wanted: str) -> Waiting:
        return Waiting(f"process {self.role.process} to {wanted}", PATIENCE)

    async def _read(self, output: asyncio.StreamReader) -> None:
        while line := await output.readline():
            if not line.endswith(b"\n"):
                return
            self._hear(json.loads(line))

    def _hear(self, report: dict[str, Any]) -> None:
        if report["do"] in self.heard:
            self._count(report["do"])
        self.world.hear(report)
        match report["do"]:
            case "ready":
                self._ready.set()
            case "answer":
                answer = self._answers.pop(report["delivery"], None)
                if answer and not answer.done():
                    answer.set_result(report)
            case "dump":
                assert self._dump is not None
                self._dump.set_result(report["tables"])

    def _count(self, event: str) -> None:
        self.heard[event] += 1
        if self.kill_at and self.kill_at[0] == event and self.heard[event] >= self.kill_at[1]:
            assert self._process is not None
            print(f"{self.role.process} killed at {event} {self.heard[event]}")
            self._process.kill()


async def settled(*bots: BotProcess) -> dict[str, Any]:
    """Waits until nothing is owed to any table, and all processes see the same tables; returns the tables.

    Once `PATIENCE` is over, returns them as they are.
    """
    clock = AsyncioClock()
    end = clock.now() + PATIENCE
    while True:
        # On a busy machine a pause does not prove that all work is done.
        dumps = await asyncio.gather(*(bot.dump() for bot in bots))
        late = any(owed(bots[0].world, table) for tables in dumps for table in tables.values())
        if not late and all(tables == dumps[0] for tables in dumps):
            return dumps[0]
        if clock.now() > end:
            return next((one for one in dumps if any(owed(bots[0].world, t) for t in one.values())), dumps[0])


async def opened(world: World, bot: BotProcess, chat: str, *people: str, **given: str) -> str:
    """Opens a table at a process and seats people at it; returns its id."""
    answer = await bot.ask(world.command(people[0], chat, "new", level="easy", **given))
    game = str(list(answer["sizes"])[-1])
    for user in people[1:]:
        await bot.ask(world.press(user, chat, f"{game}:0:join"))
    return game


async def begun(world: World, bot: BotProcess, chat: str, *people: str, **given: str) -> str:
    """As `opened`; then deals."""
    game = await opened(world, bot, chat, *people, **given)
    await bot.ask(world.press(people[0], chat, f"{game}:0:start"))
    return game


def move_of(world: World, chat: str, game: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """The press of the first player by name who can move, on a random legal move."""
    user = min(table["legal"])
    move = luck.rng(game, table["size"]).choice(table["legal"][user])
    # A press on a move that cannot be undone would only ask for another press.
    action = "sure" if move.startswith("exchange ") else "move"
    return world.press(user, chat, f"{game}:{table['stamp']}:{action}:{move}")


def owed(world: World, table: Mapping[str, Any]) -> list[str]:
    """The work that the bot still owes a table, as a list of duties."""
    late = {
        "a computer plays its turn": table["computers"],
        "everybody who can be reached sees the table": table["unseen"],
        "panels are brought up to date": [
            reader
            for reader, panel in table["panels"].items()
            if panel["message"]
            and not shows(world.messages.get(panel["message"], ("", {}))[1], panel["page"])
        ],
    }
    return [f"{duty}: not {whose}" for duty, whose in late.items() if whose]


def shows(shown: Mapping[str, Any], page: Mapping[str, Any]) -> bool:
    """Whether a message shows a page; its news may begin with older ones, which were not delivered before.

    Where older news leave no room for all, only the newest of the page's must be there.
    """
    if not shown:
        return False
    (title, *shown_news), (expected, *news) = shown["above"], page["above"]
    is_cut = any(line.startswith(_CUT) for line in (*shown_news, *news)) or len(shown_news) < len(news)
    least = 1 if is_cut else len(news)
    same_news = _uncut(shown_news)[-least:] == _uncut(news)[-least:] if news else True
    others = [{**one, "above": []} for one in (shown, page)]
    return title == expected and same_news and others[0] == others[1]


_CUT = "… "
"""The mark of news before which others are left out."""


def _uncut(lines: Sequence[str]) -> list[str]:
    return [line.removeprefix(_CUT) for line in lines]


def check(world: World, tables: Mapping[str, Any]) -> None:
    """Asserts what must hold before and after every restart, and remembers the logs."""
    for game, table in tables.items():
        log = table["log"]
        assert [entry[0] for entry in log] == list(range(len(log))), "no gap, nothing doubled"
        assert len(log) >= world.sizes.get(game, 0), "nothing answered for is lost"
        before = world.logs.get(game, [])
        assert log[: len(before)] == before, "the past does not change"
        assert table["replayed"], "the log is the game"
        assert table["listed"], "the lists say what the log says"
        late = owed(world, table)
        assert late == [], f"{late}: table {game}, with {table} and the messages {world.messages}"
        for reader, panel in table["panels"].items():
            if (game, reader) in world.drafts:
                assert panel["draft"] == world.drafts[game, reader], "drafts are as before"
        world.logs[game] = log
    for game, size in world.sizes.items():
        known = tables.get(game) or world.logs.get(game)
        assert known, f"table {game} with {size} entries is lost"


def remember(world: World, tables: Mapping[str, Any]) -> None:
    """Remembers the drafts, which must be the same after a restart."""
    for game, table in tables.items():
        for reader, panel in table["panels"].items():
            world.drafts[game, reader] = panel["draft"]


async def send_again(world: World, tables: Mapping[str, Any], *bots: BotProcess) -> None:
    """Delivers the last 12 confirmed actions again, and asserts that no log grows by what a person did."""
    sizes = {game: len(table["log"]) for game, table in tables.items()}
    for sent in world.done[-12:]:
        luck.rng("again", sent["delivery"]).choice(bots).send(sent)
    after = await settled(*bots)
    check(world, after)
    # Entries without a person, such as time-outs, and players who come back may have been added meanwhile.
    new = {game: table["log"][sizes.get(game, 0) :] for game, table in after.items()}
    done = {
        game: [entry for entry in entries if entry[3] and entry[1] != "back"] for game, entries in new.items()
    }
    grown = {game: entries for game, entries in done.items() if entries}
    assert grown == {}, f"what was done is not done again: {grown}"
