"""The example platform over loopback: whole games by typed lines alone, in English and in Spanish."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest

from adapters.tavern.platform import KEY, ROOM, Tavern
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.inbox.moves.menus import READING
from bot.tables.table import Table
from tests import luck
from tests.support.allowances import AMPLE
from tests.support.clock import VirtualClock, settle
from tests.support.games import every_game
from tests.support.ports import HOST, reserved_port
from tests.support.records import Sent
from tests.support.secret_scan import SecretScan
from tests.support.simulation import AccountStore
from tests.support.waiting import Waiting

_ECHO = re.compile(r"^(?P<name>[^:]+): echo (?P<number>\d+)$")
"""A line that `World.quiet` has each guest say; a guest who has read it has read all lines before it."""
_KEY = re.compile(r"^ {0,2}(\d+)\. (.+)$")
"""A private choice; those of the room have a sign before their number."""
NOT_MOVES = ("Leave", "Salir", "Back", "Atrás", "Volver")
LONGEST = 3000
"""Lines within which a game must end."""


@dataclass
class Person:
    """A guest who reads what the connection brings, and types lines."""

    world: World
    name: str
    locale: str
    lines: list[str] = field(default_factory=list)
    """All lines that the guest has read, except echoes."""
    menu: list[str] = field(default_factory=list)
    """The labels of the private choices that came last, in the order of their numbers."""
    typed: str = ""
    echo: int = 0
    """The number of the last of the guest's own echo lines that the guest has read."""

    async def enter(self) -> None:
        reader, self.writer = await asyncio.open_connection(HOST, self.world.port)
        self.reading = asyncio.create_task(self._read(reader))
        await self.types(f"{self.name} {self.locale}")

    async def types(self, line: str) -> None:
        """Types a line after having read the last menu, and waits for what follows."""
        self.typed = line
        await self.world.clock.advance(2 * READING)
        self.writer.write(f"{line}\n".encode())
        await self.world.quiet()

    async def leave(self) -> None:
        """Closes the connection, and returns when the room has noticed."""
        self.writer.write_eof()
        await asyncio.wait((self.reading,))
        self.writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while read := await reader.readline():
                line = read.decode().rstrip("\n")
                if found := _ECHO.match(line):
                    self.echo = int(found["number"]) if found["name"] == self.name else self.echo
                    continue
                self.lines.append(line)
                if found := _KEY.match(line):
                    del self.menu[int(found[1]) - 1 :]
                    self.menu.append(found[2])
                self._scan(line)

    def _scan(self, line: str) -> None:
        user = self.name.casefold()
        sent = Sent(self.world.clock.now(), "line", None, user, line, line, (), self.typed)
        self.world.scan.read(KEY, sent)

    def heard(self, words: str) -> bool:
        """Whether a line with these words came."""
        return any(words in line for line in self.lines)


class World:
    """The bot with the room, on one store and one clock over its restarts."""

    def __init__(self) -> None:
        self.store, self.clock = AccountStore(), VirtualClock(stopped=True)
        self.scan = SecretScan(self.store.who)
        self._echoes = 0
        self.port = 0
        self.people: list[Person] = []
        self._work = AsyncExitStack()
        self._starts = 0

    async def start(self) -> Dispatcher:
        self._starts += 1
        self.port = self._work.enter_context(reserved_port())
        tavern = Tavern(HOST, self.port)
        rng = luck.rng("tavern", self._starts)
        dispatcher = await self._work.enter_async_context(
            running(self.store, self.clock, {KEY: tavern}, rng=rng, pace=0.0, allowances=AMPLE)
        )
        dispatcher.service.listen(self.scan.on_commit)
        self.dispatcher = dispatcher
        serving = asyncio.create_task(tavern.run(dispatcher))
        self._work.push_async_callback(ended, serving)
        waiting = Waiting("the tavern to listen")
        while not (tavern.is_connected or serving.done()):
            waiting.check()
            await settle()
        return dispatcher

    async def stop(self) -> None:
        await self._work.aclose()
        for person in self.people:
            person.writer.close()
            await asyncio.wait((person.reading,))
            person.reading.result()

    async def enter(self, name: str, locale: str = "en") -> Person:
        person = Person(self, name, locale)
        self.people.append(person)
        await person.enter()
        return person

    async def quiet(self) -> None:
        """Waits until the bot has done what all lines ask for, and everybody has read what it sent.

        Fails if the scan has seen a secret.
        """
        await self._echo()
        await settle()
        await self._echo()
        self.scan.faults.none()

    async def _echo(self) -> None:
        """Waits until the room has handled all that was typed, and each guest has read their own echo.

        A guest's lines are handled in order, and what the room writes to them comes in order: before the
        echo they have read all that their own lines brought them.
        """
        self._echoes += 1
        here = [person for person in self.people if not person.reading.done()]
        for person in here:
            person.writer.write(f'"echo {self._echoes}\n'.encode())
        waiting = Waiting(f"echo {self._echoes} to reach everybody")
        while any(person.echo < self._echoes and not person.reading.done() for person in here):
            waiting.check()
            await settle()

    async def table(self) -> Table:
        """The table of the room."""
        listings = await self.store.tables(ROOM)
        last = await self.store.last_over(ROOM)
        game = listings[0].game if listings else last.game if last else ""
        return await self.dispatcher.service.table(game)

    async def awaited(self) -> Person:
        """The first person who may act."""
        table = await self.table()
        player = table.players[table.active()[0]].person
        return next(person for person in self.people if self.store.who(KEY, person.name.casefold()) == player)


async def ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait((task,))
    assert task.cancelled()


@asynccontextmanager
async def opened() -> AsyncIterator[World]:
    world = World()
    await world.start()
    try:
        yield world
    finally:
        await world.stop()
    world.scan.faults.none()


async def seated(world: World, key: str, locale: str) -> tuple[Person, Person]:
    """Two people in a lobby of the room, which they have opened and joined by commands of their language."""
    ana, beto = await world.enter("Ana", locale), await world.enter("Beto", locale)
    await ana.types({"en": f"!new {key} 2", "es": f"!nueva {key} 2"}[locale])
    await beto.types({"en": "!join", "es": "!unirse"}[locale])
    return ana, beto


def line_for(person: Person, table: Table, rng: random.Random, n: int) -> str:
    """What a person types next: by turns a number, a label, a move in words, and a command."""
    offered = [label for label in person.menu if label not in NOT_MOVES]
    whole = [label for label in offered if not label.endswith("…") and not label.startswith("✓")]
    label = next((one for one in whole if one.startswith("▶")), (whole or offered)[0])
    if rng.random() < 0.1:
        label = rng.choice(offered)
    if n % 4 > 1:
        move = next(iter(table.game.moves(table.state, table.active()[0])))
        command = {"en": "!play", "es": "!jugar"}[person.locale]
        return f"{move}" if n % 4 == 2 else f"{command} {move}"
    return label if n % 4 else str(person.menu.index(label) + 1)


async def played(world: World, rng: random.Random, lines: int = LONGEST) -> Table:
    """The table after the people have typed so many lines, or when its game is over."""
    table = await world.table()
    for n in range(lines):
        if table.status == "over":
            break
        person = await world.awaited()
        await person.types(line_for(person, table, rng, n))
        table = await world.table()
    return table


@pytest.mark.real
@pytest.mark.parametrize("locale", ["en", "es"])
@every_game
async def test_a_whole_game_by_typed_lines_goes_on_after_a_restart(key: str, locale: str) -> None:
    rng = luck.rng(key, locale)
    async with opened() as world:
        people = await seated(world, key, locale)
        await people[0].types({"en": "cut", "es": "cortar"}[locale])
        await people[0].types("good luck")
        await people[1].types({"en": "start", "es": "empezar"}[locale])
        begun = await played(world, rng, 5)
        assert (begun.status, begun.cuts) == ("playing", ((0, "good luck"),))
        await world.stop()
        await world.start()
        for person in people:
            person.menu.clear()
            await person.enter()
        table = await played(world, rng)
        assert table.result is not None
        assert not any(player.is_held for player in table.players)
        assert world.scan.read_with_cards > 20
        await people[0].types({"en": "!log", "es": "!registro"}[locale])
        await people[0].types({"en": "!check", "es": "!comprobar"}[locale])
        assert people[0].heard("SHA-256")


@pytest.mark.real
async def test_a_guest_speaks_to_the_room_and_nobody_takes_their_name() -> None:
    async with opened() as world:
        ana, beto = await world.enter("Ana"), await world.enter("Beto")
        await ana.types('"hello \x1b[2J all')
        assert beto.lines[-1] == "Ana: hello [2J all"
        thief = await world.enter("ANA")
        assert (thief.lines, thief.reading.done()) == ([], True)


@pytest.mark.real
async def test_a_player_who_comes_back_sees_their_table_again() -> None:
    async with opened() as world:
        people = await seated(world, "svoi", "en")
        await people[0].types("start")
        await people[0].leave()
        people[0].lines.clear()
        await people[0].enter()
        assert people[0].heard("Svoi Kozyri, table 1")
        assert people[0].menu


@pytest.mark.real
async def test_the_log_is_lines_where_there_are_no_files() -> None:
    async with opened() as world:
        people = await seated(world, "svoi", "en")
        await people[0].types("!end")
        await people[0].types("!log")
        assert people[0].lines[-1].startswith("Nobody cut")


@pytest.mark.real
async def test_a_bare_new_in_the_room_opens_the_table_there() -> None:
    async with opened() as world:
        ana = await world.enter("Ana")
        await ana.types("!new")
        number = next(line for line in ana.lines if line.endswith(". Casino")).partition(".")[0].strip()
        assert number.startswith("!")
        await ana.types(number)
        assert (await world.table()).game.key == "casino"


@pytest.mark.real
async def test_a_refusal_that_its_page_repeats_is_printed_once() -> None:
    async with opened() as world:
        ana = await world.enter("Ana")
        await ana.types("!hand")
        assert sum("No table is open here." in line for line in ana.lines) == 1


@pytest.mark.real
async def test_nobody_is_sent_back_to_a_room_that_is_in_the_same_window() -> None:
    async with opened() as world:
        people = await seated(world, "svoi", "en")
        await people[0].leave()
        await people[0].enter()
        assert people[0].heard("Here are your tables.")
        assert not people[0].heard("I have no link")
