"""A bot that is killed without warning loses no confirmed action, repeats none, and tells no secret.

While its disk is full, it refuses presses in words.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import luck
from tests.bot.crash.child import CHATS, PEOPLE
from tests.bot.crash.processes import BotProcess, World, begun, check, move_of, remember, send_again, settled
from tests.support.long import LONG

KILLS = 300 if LONG else 6
NOT_DONE = "That wasn't done: I can't save anything at the moment. Try again in a little while."


@pytest.mark.real
@pytest.mark.timeout(3600 if LONG else 400)
async def test_a_killed_bot_goes_on_where_it_was(new_world: Callable[..., World], tmp_path: Path) -> None:
    # When the bot is killed follows from the seed; how far it is by then depends on the machine's speed,
    # so all that was sent and answered is printed if the test fails.
    rng = luck.rng("kills")
    world = new_world(str(tmp_path / "bot.db"))
    bot, commits = await world.process(), 0
    # Random deliveries alone may deal no cards before the last kill.
    for delivery in (
        world.command("ana", "square", "new", game="casino", players="2"),
        world.command("ana", "square", "start"),
    ):
        await bot.ask(delivery)
    for round_ in range(KILLS):
        for _ in range(rng.randrange(3, 12)):
            bot.send(world.anything(PEOPLE, CHATS))
            await asyncio.sleep(rng.uniform(0, 0.02))
        tables = await settled(bot)
        check(world, tables)
        match round_ % 3:
            case 0:
                bot.kill_at = ("commit", bot.heard["commit"] + rng.randrange(1, 6))
            case 1:
                # Answered, but perhaps not yet shown to all readers, nor answered by a computer's move.
                bot.kill_at = ("answer", bot.heard["answer"] + rng.randrange(1, 4))
            case 2:
                remember(world, tables)
        if bot.kill_at:
            for _ in range(12):
                bot.send(world.anything(PEOPLE, CHATS))
            await asyncio.sleep(rng.uniform(0, 0.5))
        await bot.kill()
        commits += bot.heard["commit"]
        bot = await world.process()
        tables = await settled(bot)
        check(world, tables)
        print(f"restarted after kill {round_ + 1}: {len(world.logs)} tables, {commits} commits")
        world.drafts.clear()
        await send_again(world, tables, bot)
    assert commits > KILLS
    assert world.scanned > 0
    assert await bot.stop() == 0


@dataclass
class Disk:
    """A disk of a few megabytes, or a folder that is filled by limiting the size of the bot's files."""

    folder: Path
    is_real: bool

    def fill(self, bot: BotProcess) -> None:
        if not self.is_real:
            bot.limit_files(0)
            return
        with suppress(OSError), self._ballast.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass

    def empty(self, bot: BotProcess) -> None:
        self._ballast.unlink(missing_ok=True)
        bot.limit_files(-1)

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"


@asynccontextmanager
async def small_disk(folder: Path) -> AsyncIterator[Disk]:
    """A small disk mounted at a folder; where that is not allowed, as `no_growth`."""
    is_real = await _succeeds("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder))
    try:
        yield Disk(folder, is_real)
    finally:
        if is_real:
            assert await _succeeds("umount", "--lazy", str(folder))


@asynccontextmanager
async def no_growth(folder: Path) -> AsyncIterator[Disk]:
    """A folder that can be filled only by limiting the bot's files."""
    yield Disk(folder, is_real=False)


async def _succeeds(*words: str) -> bool:
    """Runs a program; returns whether it has succeeded."""
    try:
        process = await asyncio.create_subprocess_exec(*words, stderr=asyncio.subprocess.DEVNULL)
    except OSError:
        return False
    return await process.wait() == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    (folder := tmp_path / "disk").mkdir()
    return folder


@pytest.mark.real
@pytest.mark.parametrize("limited", [small_disk, no_growth])
async def test_presses_are_refused_in_words_while_the_disk_is_full_and_play_goes_on_afterwards(
    new_world: Callable[..., World],
    folder: Path,
    limited: Callable[[Path], AbstractAsyncContextManager[Disk]],
) -> None:
    async with limited(folder) as disk:
        world = new_world(str(disk.folder / "bot.db"), slowed=1.0)
        bot = await world.process()
        game = await begun(world, bot, "square", "ana", "beto", game="casino", players="2")
        table = await bot.look(game)
        disk.fill(bot)
        refused = await bot.ask(move_of(world, "square", game, table))
        assert refused["notice"] == NOT_DONE
        assert refused["sizes"] == {game: table["size"]}
        disk.empty(bot)
        made = await bot.ask(move_of(world, "square", game, table))
        assert made["notice"] == ""
        check(world, tables := await settled(bot))
        assert [entry[1] for entry in tables[game]["log"]].count("move") == 1
        assert await bot.stop() == 0
    reports = [line for line in world.logged if line.startswith("the database ")]
    assert reports[0].startswith("the database does not store changes: OperationalError: d")
    assert reports[-1] == "the database stores changes again"
