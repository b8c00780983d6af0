"""A fake of the search that analyses finished games, since the real one takes seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial

from bot.inbox.dispatcher import Dispatcher
from bot.table_service.analysis_jobs import Analyses
from bot.table_service.service import TableService
from bot.tables.table import Table
from bot.thinking.query import Query
from bot.thinking.thinker import InlineThinker
from engines.game import Move


class Judge(InlineThinker):
    """Estimates by the letters of a move's words; a gated judge waits for `open` before it answers.

    By these estimates the first move of the list is the worst in most positions of Cardlebones.
    """

    def __init__(self, *, gated: bool = False) -> None:
        self.asked = 0
        """The number of estimates so far."""
        self.gate = asyncio.Semaphore(0 if gated else 10**6)

    async def estimate(self, query: Query) -> Mapping[Move, float] | None:
        await self.gate.acquire()
        self.asked += 1
        return {move: sum(map(ord, str(move))) * 7 % 97 / 97 for move in query.moves}

    def open(self) -> None:
        """Releases a thousand answers."""
        for _ in range(1000):
            self.gate.release()


def use(dispatcher: Dispatcher, judge: Judge) -> Judge:
    """Makes the bot analyse games with this judge."""
    dispatcher._analyses = Analyses(dispatcher._store, dispatcher.service, judge)
    return judge


async def finish(service: TableService, table: Table) -> None:
    """Plays a game to its end, always the first move."""
    while (table := await service.table(table.id)).status == "playing":
        seat = table.active()[0]
        move = str(next(iter(table.game.moves(table.state, seat))))
        await service.change(table.id, partial(Table.play, seat=seat, action=move))
