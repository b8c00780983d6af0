"""Games at several web-hook workers, of which some are killed, on one PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from adapters.shared.ids import delivery_id
from bot.model.ids import PUBLIC
from bot.tables.table import Table
from tests import luck
from tests.adapters.telegram.emulator import BOT_ID, Shown
from tests.adapters.telegram.fleet import Fleet, Worker, fleet, until
from tests.adapters.telegram.world import Player, most_within

pytestmark = pytest.mark.real

TABLES = 3
MOVES = 6
"""How many moves the players of each table make at least."""
KILLS = 2
"""The number of kills that must each break or refuse a request to a worker."""
BETWEEN = 1.0
"""The least seconds before each kill."""
SENDS = 20
"""The most requests to a group in a minute, edits and refused ones too; Telegram limits only messages."""


@pytest.fixture
async def database(new_postgres: Callable[[], Awaitable[str]]) -> str:
    return await new_postgres()


class Play:
    """A table in a group of its own, with two people."""

    def __init__(self, fleet: Fleet, n: int) -> None:
        self.fleet = fleet
        self.chat = -2000 - n
        self.people = [fleet.player(10 * n + 11, f"Ana {n}"), fleet.player(10 * n + 12, f"Beto {n}")]
        self.made: list[str] = []
        """The deliveries of the presses that made a move."""

    async def begin(self) -> None:
        """Opens the table, seats the players and a computer, and deals.

        Boathouse, because its games mostly outlast all kills; `move` fails at a game that is over.
        """
        ana, beto = self.people
        await ana.writes("/new boathouse easy", self.chat)
        public_panel = await until(self._public_panel)
        await beto.presses(public_panel, "Join")
        await ana.presses(public_panel, "+ Computer")
        game = (await self.fleet.table(self.chat)).id
        await self.fleet.happens({"callback_query": ana.query(public_panel, f"{game}:0:start")})
        assert (await self.fleet.table(self.chat)).status == "playing"

    async def _public_panel(self) -> Shown | None:
        return next(iter(self.fleet.shown(self.chat)), None)

    async def move(self, to: Worker | None = None) -> None:
        """Presses a move on the panel of a player whose turn it is.

        Fails if the move is not stored when a worker has taken the press.
        """
        assert (await self.fleet.table(self.chat)).status == "playing"
        table, player, panel, data = await until(self._chosen)
        number = await self.fleet.happens({"callback_query": player.query(panel, data)}, to=to)
        assert (await self.fleet.table(self.chat)).stamp > table.stamp, f"{data} was taken and lost"
        self.made.append(delivery_id("telegram", BOT_ID, number))

    async def _chosen(self) -> tuple[Table, Player, Shown, str] | None:
        """The table, a player whose turn it is, their panel, and a move on it; None while there is none.

        Where a panel offers only words of moves, presses one of them, and returns None all the same.
        """
        table = await self.fleet.table(self.chat)
        for player in self.people:
            # A slow worker may count as dead. Then another sends a second panel, and one is edited no more.
            for panel in reversed(self.fleet.shown(player.user)):
                keys = [key.data.split(":", 3) for key in panel.buttons if key.data]
                current = [key for key in keys if key[:2] == [table.id, str(table.stamp)]]
                if moves := [":".join(key) for key in current if key[2] == "move"]:
                    return table, player, panel, self.fleet.rng.choice(moves)
                if picks := [":".join(key) for key in current if key[2] == "pick"]:
                    data = self.fleet.rng.choice(picks)
                    await self.fleet.happens({"callback_query": player.query(panel, data)})
        return None

    async def settled(self) -> Table:
        """Waits until no computer is awaited and all panels are sent; returns the table."""
        return await until(self._rested)

    async def _rested(self) -> Table | None:
        """The table, if no computer is awaited and all panels are sent; else None."""
        table = await self.fleet.table(self.chat)
        sent = all(panel.wanted == panel.sent for panel in await self.fleet.store.panels(table.id))
        return None if table.awaited_computers() or not sent else table

    async def _shows(self, table: Table) -> bool | None:
        """True if all panels show the table as it is; else None."""
        shown = {message_id(one): one for one in self.fleet.emulator.book.messages.values() if one.alive}
        for panel in await self.fleet.store.panels(table.id):
            message = shown.get(panel.message)
            stamps = {key.data.split(":")[1] for key in message.buttons if key.data} if message else set()
            if stamps != {str(table.stamp)}:
                return None
        return True

    async def check(self) -> None:
        """Fails unless the log has each move once, and all panels show the table as it is.

        Also fails if the group has a second public panel, or was sent more than `SENDS` in a minute.
        """
        table = await self.settled()
        stored = await self.fleet.store.load(table.id)
        assert stored
        assert [entry.n for entry in stored.entries] == list(range(len(stored.entries)))
        # An edit of a former keeper may arrive late: after a handover the panels are shown once more.
        await until(partial(self._shows, table))
        public_panels = [
            message for message in self.fleet.shown(self.chat) if f"table {table.number}" in message.plain
        ]
        assert [message_id(message) for message in public_panels] == [
            panel.message for panel in await self.fleet.store.panels(table.id) if panel.reader == PUBLIC
        ]
        for delivery in self.made:
            assert await self.fleet.store.has_delivery(delivery)
        pressed = [entry for entry in stored.entries if entry.kind == "move" and entry.person]
        assert len(pressed) == len(self.made), "a press has moved twice"
        assert most_within(self.fleet.sends(self.chat), 60.0) <= SENDS


def message_id(shown: Shown) -> str:
    return f"{shown.chat}/{shown.id}"


async def killed(fleet: Fleet) -> None:
    """Kills a worker that handles an update, and starts it again, until `KILLS` kills have cut a request."""
    hits = 0
    while hits < KILLS:
        await asyncio.sleep(BETWEEN)
        worker, before = await until(fleet.busy), fleet.cut
        await worker.kill()
        await worker.start()
        hits += fleet.cut > before


async def played(play: Play, kills: asyncio.Task[None]) -> None:
    """Lets the players of a table move until all kills are done, and at least `MOVES` times."""
    while len(play.made) < MOVES or not kills.done():
        await play.move()


@pytest.mark.timeout(400)
async def test_games_at_workers_in_turn_survive_kills(database: str, tmp_path: Path) -> None:
    async with fleet(3, database, tmp_path, luck.rng()) as workers:
        workers.twice = 0.2
        plays = [Play(workers, n) for n in range(TABLES)]
        await asyncio.gather(*(play.begin() for play in plays))
        async with asyncio.TaskGroup() as group:
            kills = group.create_task(killed(workers))
            for play in plays:
                group.create_task(played(play, kills))
        await asyncio.gather(*(play.check() for play in plays))
        workers.check()


@pytest.mark.timeout(400)
async def test_the_computer_whose_worker_is_killed_moves(database: str, tmp_path: Path) -> None:
    async with fleet(2, database, tmp_path, luck.rng()) as workers:
        play, (dying, living) = Play(workers, 0), workers.workers
        await play.begin()
        await play.move(dying)
        # A computer's move is owed by the worker that took the press before it.
        while not (await workers.table(play.chat)).awaited_computers():
            await play.move(dying)
        await dying.kill()
        table = await play.settled()
        await play.check()
        # The living worker shows a hand as it is, though the dead one has taken the moves.
        for player in play.people:
            before = set(map(message_id, workers.shown(player.user)))
            await workers.happens({"message": player.message("/hand")}, to=living)

            async def shown(player: Player = player, before: set[str] = before) -> Shown | None:
                new = [message for message in workers.shown(player.user) if message_id(message) not in before]
                return next((message for message in new if message.buttons), None)

            hand = await until(shown)
            assert {key.data.split(":")[1] for key in hand.buttons if key.data} == {str(table.stamp)}
        workers.check()
