"""A bot that is killed without warning loses no confirmed action, repeats none, and tells no secret."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from engines import games
from tests import luck
from tests.bot.crash.child import CHATS, PEOPLE

ROOT = Path(__file__).parents[3]
KILLS = 200 if os.environ.get("SOBREMESA_LONG") else 6
DUMPS = 200
"""Dumps to try; work still owed after them counts as forgotten."""

DONE = ("", "Your table is open. The others press Join.", "The cards have been dealt.", "You cut the deck.")
"""Notices with which the dispatcher confirms an action; any other notice is a refusal."""


class BotProcess:
    """The bot's process, with the messages it has sent and the deliveries sent to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.messages: dict[str, tuple[str, dict[str, Any]]] = {}
        self.sizes: dict[str, int] = {}
        """The largest length of each log that came with an answer, by game."""
        self.logs: dict[str, list[Any]] = {}
        self.drafts: dict[tuple[str, str], Any] = {}
        self.done: list[dict[str, Any]] = []
        """The deliveries that the bot confirmed as done."""
        self.sent: dict[str, dict[str, Any]] = {}
        self.heard = {"commit": 0, "answer": 0}
        self.scanned = 0
        """Grows with the payloads that named a card; while it is zero the secret scan has tested nothing."""
        self._n = 0
        self._starts = 0
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._dump: asyncio.Future[dict[str, Any]] | None = None
        self._ready = asyncio.Event()
        self.kill_at: tuple[str, int] | None = None
        """Kills the process at this event (commit or answer) once its total count reaches the number."""

    async def start(self) -> None:
        self._ready.clear()
        self._starts += 1
        seed = str(luck.seed(luck.name("process", self._starts)))
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bot.crash.child", str(self.path), seed,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=ROOT, limit=1 << 24,
        )  # fmt: skip
        self._reading = asyncio.create_task(self._read())
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait((ready, self._reading), return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            await self._reading
            raise AssertionError("the process has ended before it was ready")

    async def kill(self) -> None:
        """Kills the process at once, and reads the rest of its output."""
        assert self._process is not None
        assert self._reading is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    async def stop(self) -> int:
        """Closes the process's input and waits until it ends; its exit code."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        return await self._process.wait()

    def send(self, sent: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        if sent["do"] != "dump":
            self.sent[sent["delivery"]] = sent
            print("sent", *sent.values())
        if not self._process.stdin.is_closing():
            self._process.stdin.write(json.dumps(sent).encode() + b"\n")

    async def dump(self) -> dict[str, Any]:
        self._dump = asyncio.get_running_loop().create_future()
        # A table opened and closed since the last dump may be in no listing, so ask for it by id.
        self.send({"do": "dump", "games": [game for game in self.sizes if game not in self.logs]})
        assert self._reading is not None
        await asyncio.wait((self._dump, self._reading), return_when=asyncio.FIRST_COMPLETED)
        if not self._dump.done():
            await self._reading
            raise AssertionError("the process has ended during a dump")
        return self._dump.result()

    async def settled(self) -> dict[str, Any]:
        """A dump of the tables once nothing is owed to them; the last one after `DUMPS` tries."""
        for _ in range(DUMPS):
            tables = await self.dump()
            # On a busy machine a pause does not prove that all work is done.
            if not any(owed(self, table) for table in tables.values()):
                break
        return tables

    def anything(self) -> dict[str, Any]:
        """A random delivery that a player might send now: a press on a button shown, or a command."""
        self._n += 1
        # Each has luck of its own: which buttons are shown depends on the machine's speed.
        rng = luck.rng("delivery", self._n)
        user, chat = rng.choice(PEOPLE), rng.choice(CHATS)
        head = {"user": user, "chat": chat, "delivery": f"pipe:{self._n}"}
        keys = [
            key["data"]
            for where, page in self.messages.values()
            if where in (f"alone:{user}", chat)
            for row in page["rows"]
            for key in row
            if key["data"] and not key["data"].endswith((":leave", ":cut", ":log"))
        ]
        if keys and rng.random() < 0.9:
            return {**head, "do": "press", "data": rng.choice(keys)}
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
        return {**head, "do": "command", "name": name, "given": given}

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            if not line.endswith(b"\n"):
                return
            self._hear(json.loads(line))

    def _perhaps_kill(self, what: str) -> None:
        if what in self.heard:
            self.heard[what] += 1
            if self.kill_at and self.kill_at[0] == what and self.heard[what] >= self.kill_at[1]:
                assert self._process is not None
                print(f"killed at {what} {self.heard[what]}")
                self._process.kill()

    def _hear(self, told: dict[str, Any]) -> None:
        self._perhaps_kill(told["do"])
        match told["do"]:
            case "ready":
                self._ready.set()
            case "new":
                self.messages[told["message"]] = (told["chat"], told["page"])
            case "edit":
                self.messages[told["message"]] = (self.messages[told["message"]][0], told["page"])
            case "delete":
                self.messages.pop(told["message"], None)
            case "answer":
                if told["notice"] in DONE:
                    self.done.append(self.sent[told["delivery"]])
                print("answer", told["delivery"], repr(told["notice"]), told["sizes"])
                assert "Sorry" not in told["notice"]
                for game, size in told["sizes"].items():
                    self.sizes[game] = max(size, self.sizes.get(game, 0))
            case "fault":
                raise AssertionError(told["fault"])
            case "dump":
                assert told["faults"] == []
                self.scanned += told["scanned"]
                assert self._dump is not None
                self._dump.set_result(told["tables"])


def owed(bot: BotProcess, table: dict[str, Any]) -> list[str]:
    """The work that the bot still owes a table, as a list of duties."""
    late = {
        "a computer plays its turn": table["computers"],
        "everybody who can be reached sees the table": table["unseen"],
        "panels are brought up to date": [
            reader
            for reader, panel in table["panels"].items()
            if panel["message"] and not shows(bot.messages[panel["message"]][1], panel["page"])
        ],
    }
    return [f"{duty}: not {whose}" for duty, whose in late.items() if whose]


def shows(shown: dict[str, Any], page: dict[str, Any]) -> bool:
    """Whether a message shows a page; it may begin with older news, which were not delivered before."""
    above, (title, *news) = shown["above"], page["above"]
    rest = above[len(above) - len(news) :]
    return {**shown, "above": [*above[:1], *rest]} == {**page, "above": [title, *news]}


def check(bot: BotProcess, tables: dict[str, Any]) -> None:
    """Asserts what must hold before and after every restart, and remembers the logs."""
    for game, table in tables.items():
        log = table["log"]
        assert [entry[0] for entry in log] == list(range(len(log))), "no gap, nothing doubled"
        assert len(log) >= bot.sizes.get(game, 0), "nothing answered for is lost"
        before = bot.logs.get(game, [])
        assert log[: len(before)] == before, "the past does not change"
        assert table["replayed"], "the log is the game"
        assert table["listed"], "the lists say what the log says"
        assert owed(bot, table) == [], f"table {game}, with the log {log}"
        for reader, panel in table["panels"].items():
            if (game, reader) in bot.drafts:
                assert panel["draft"] == bot.drafts[game, reader], "drafts are as before"
        bot.logs[game] = log
    for game, size in bot.sizes.items():
        known = tables.get(game) or bot.logs.get(game)
        assert known, f"table {game} with {size} entries is lost"


def remember(bot: BotProcess, tables: dict[str, Any]) -> None:
    for game, table in tables.items():
        for reader, panel in table["panels"].items():
            bot.drafts[game, reader] = panel["draft"]


@pytest.mark.real
@pytest.mark.timeout(3600)
async def test_a_killed_bot_goes_on_where_it_was(tmp_path: Path) -> None:
    # When it is killed follows from the seed; how far the bot is by then depends on the machine's speed,
    # so all that was sent and answered is printed if the test fails.
    rng = luck.rng("kills")
    bot = BotProcess(tmp_path / "bot.db")
    await bot.start()
    for round_ in range(KILLS):
        for _ in range(rng.randrange(3, 12)):
            bot.send(bot.anything())
            await asyncio.sleep(rng.uniform(0, 0.02))
        tables = await bot.settled()
        check(bot, tables)
        match round_ % 3:
            case 0:
                bot.kill_at = ("commit", bot.heard["commit"] + rng.randrange(1, 6))
            case 1:
                # Answered, but perhaps not yet shown to all readers, nor answered by a computer's move.
                bot.kill_at = ("answer", bot.heard["answer"] + rng.randrange(1, 4))
            case 2:
                remember(bot, tables)
        if bot.kill_at:
            for _ in range(12):
                bot.send(bot.anything())
            await asyncio.sleep(rng.uniform(0, 0.5))
        await bot.kill()
        bot.kill_at = None
        await bot.start()
        tables = await bot.settled()
        check(bot, tables)
        print(f"restarted after kill {round_ + 1}: {len(bot.logs)} tables, {bot.heard['commit']} commits")
        bot.drafts.clear()
        await send_again(bot, tables)
    assert bot.heard["commit"] > KILLS
    assert bot.scanned > 0
    assert await bot.stop() == 0


async def send_again(bot: BotProcess, tables: dict[str, Any]) -> None:
    """Delivers confirmed actions a second time, and asserts that no log grows."""
    sizes = {game: len(table["log"]) for game, table in tables.items()}
    for sent in bot.done[-12:]:
        bot.send(sent)
    after = await bot.settled()
    check(bot, after)
    grown = {game for game, table in after.items() if len(table["log"]) != sizes.get(game)}
    assert not grown, "what was done is not done again"
