"""Computer players: chooses and plays their moves after a pause."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

from bot.errors import origin
from bot.model.ids import GameId
from bot.model.tables import Refused
from bot.storage import StoreError
from bot.table_service.commits import NotKept
from bot.table_service.service import TableService
from bot.tables.names.paces import PACES
from bot.tables.table import Table
from bot.thinking.query import Query
from bot.thinking.thinker import InlineThinker, Thinker
from engines.game import Move, Seat

_RETRY_AFTER = 5.0
"""Seconds after which a computer player that failed tries again."""

log = logging.getLogger(__name__)

_PAUSE = (0.7, 1.3)
"""The shortest and longest pause before a move, as multiples of `Manner.pace`."""
_SECRET_PAUSE = (2.0, 6.0)
"""`_PAUSE` where players may not learn whether a computer is thinking."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How computer players think, and how fast they move."""

    rng: random.Random
    """Determines their pauses, but no move."""
    pace: float
    """About the seconds that a move takes at a table of natural pace."""
    thinker: Thinker = field(default_factory=InlineThinker)
    luck: str = ""
    """Determines their random choices, with the table's stamp and the seat; if empty, the table's id does."""
    ready: Callable[[], Awaitable[object]] | None = None
    """Awaited before each move."""

    def pause(self, table: Table) -> float:
        """Seconds from the turn of a computer to its move: about `pace`, or less at a table of faster pace.

        As long as a person might take, if it is secret for whom the game waits.
        """
        if table.awaited(None).secret:
            return self.pace * self.rng.uniform(*_SECRET_PAUSE)
        return self.pace * PACES[table.pace].factor * self.rng.uniform(*_PAUSE)


async def play_computers(service: TableService, game: GameId, manner: Manner) -> Table:
    """Plays all computer seats of a table until the game waits for none of them; returns the table then.

    Each seat plays independently of the others.
    """
    playing: dict[Seat, asyncio.Task[None]] = {}
    changed: asyncio.Task[Table] | None = None
    try:
        while True:
            table = await service.table(game)
            for seat in table.awaited_computers():
                if seat not in playing:
                    playing[seat] = asyncio.create_task(_play(service, game, seat, manner))
            if not playing:
                return table
            changed = asyncio.create_task(service.changed(game, len(table.entries)))
            await asyncio.wait((changed, *playing.values()), return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
            for seat, task in list(playing.items()):
                if task.done():
                    playing.pop(seat).result()
    finally:
        tasks = [*playing.values(), *((changed,) if changed else ())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _play(service: TableService, game: GameId, seat: Seat, manner: Manner) -> None:
    """Plays the computer's moves in a seat until the game no longer waits for that seat."""
    clock = service.clock
    while seat in (table := await service.table(game)).awaited_computers():
        stamp, end, rested = table.stamp, clock.now() + manner.pause(table), False
        while seat in table.awaited_computers() and not table.acted_since(seat, stamp):
            # The computer thinks during the pause, and again whenever its view has changed meanwhile.
            query = _query(table, seat, manner.luck or table.id)
            move = table.only_move(seat) or await manner.thinker.choose(query)
            if not rested:
                await clock.sleep(max(end - clock.now(), 0.0))
                rested = True
            if manner.ready:
                await manner.ready()
            played = partial(_move, seat=seat, stamp=stamp, query=query, move=move)
            table = await service.keep(game, played)


class ComputerPlayers:
    """Plays the computer seats at the tables that this process keeps, each seat in a task of its own."""

    def __init__(self, service: TableService, manner: Manner) -> None:
        self._service = service
        self._manner = manner
        self._tasks: dict[tuple[GameId, Seat], asyncio.Task[None]] = {}
        """One task for each computer seat that its game waits for."""
        self._closed = False
        service.listen(self._on_change)

    async def close(self) -> None:
        """Stops all computer players; the next process continues from the stored tables."""
        # A move that is being stored still calls `_on_change` afterwards, which must not start a task.
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _on_change(self, table: Table, before: Table | None) -> None:
        if self._closed or not self._service.leases.keeps(table.place):
            return
        if table.level == "hard" and table.status != "over":
            self._manner.thinker.warm()
        for seat in table.awaited_computers():
            if (table.id, seat) not in self._tasks:
                self._tasks[table.id, seat] = asyncio.create_task(self._attend(table.id, seat))

    async def _attend(self, game: GameId, seat: Seat) -> None:
        try:
            while not await self._played(game, seat):
                await self._service.clock.sleep(_RETRY_AFTER)
            # No await from here on: `_on_change` starts no task for a seat that still has this one.
        finally:
            self._tasks.pop((game, seat), None)

    async def _played(self, game: GameId, seat: Seat) -> bool:
        """Plays a computer seat while the game waits for it and this process keeps the table's chat.

        Returns False if that failed and must be tried again. If the computer player fails, the clock moves
        in its place, so that the game goes on.
        """
        try:
            await _play(self._service, game, seat, self._manner)
        except (Refused, NotKept):
            return True
        except StoreError as error:
            # The computer has not failed: once the store works again, it plays.
            log.warning("a computer player waits for the store at table %s: %s", game, origin(error))
            return False
        except Exception as error:
            log.error("a computer player failed at table %s: %s", game, origin(error))
        else:
            return True
        try:
            await self._service.keep(game, partial(_time_out, seat=seat))
        except NotKept:
            return True
        except Exception as error:
            log.error("table %s cannot go on: %s", game, origin(error))
        return False


def _query(table: Table, seat: Seat, luck: str) -> Query:
    """The query to the computer in a seat; a restart does not change its luck."""
    level = table.players[seat].level
    assert level
    moves = tuple(table.game.moves(table.state, seat))
    return Query(table.key, table.view(seat), moves, level, f"{luck}:{table.stamp}:{seat}")


def _move(table: Table, seat: Seat, stamp: int, query: Query, move: Move) -> Table:
    """The table after a computer's move and, if it was forced, the forced moves of computers that follow.

    Unchanged if the seat need not move, if since ``stamp`` it has moved or a move was taken back, or if its
    view or level is no longer that of the query.
    """
    if table.acted_since(seat, stamp) or seat not in table.awaited_computers():
        return table
    if (query.level, query.view) != (table.players[seat].level, table.view(seat)):
        return table
    is_forced = table.only_move(seat) is not None and not table.awaited(None).secret
    table = table.play(seat, str(move))
    return _with_forced_moves(table, {seat}) if is_forced else table


def _with_forced_moves(table: Table, moved: set[Seat]) -> Table:
    """The table after the forced moves of the computers, one each, up to the next decision.

    The seats in ``moved`` have moved already; those that move are added. None moves while it is secret who
    must move.
    """
    while not table.awaited(None).secret:
        left = [seat for seat in table.awaited_computers() if seat not in moved]
        forced = next(((seat, move) for seat in left if (move := table.only_move(seat))), None)
        if forced is None:
            break
        seat, move = forced
        moved.add(seat)
        table = table.play(seat, str(move))
    return table


def _time_out(table: Table, seat: Seat) -> Table:
    return table.time_out(seat) if seat in table.awaited_computers() else table
