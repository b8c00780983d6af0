"""A thinker with worker processes, so that computer players never block the event loop."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping

from bot.measures import Measures, moment
from bot.ports import Clock
from bot.seldom_log import SeldomLog
from bot.thinking.crew import Crew, Unanswered
from bot.thinking.query import Query, think
from bot.thinking.worker import Request
from engines.game import Level, Move

DEADLINE = 1.0
"""Seconds after which a computer player no longer waits for a worker, and plays as ``normal``."""
HUNG = 10.0
"""Seconds of work on one query after which a worker is killed."""
ESTIMATE_DEADLINE = 60.0
"""Seconds after which an estimate is given up; a worker that works on one for as long is killed."""

_CHEAP, _HARD = 0, 1
"""The ranks of queries; cheap ones are answered first."""
ROOM = {_CHEAP: 64, _HARD: 6}
"""By rank, how many queries of it or lower may wait for each worker, so that most are answered in time."""
_MOST_ESTIMATES = 64
"""The most estimates that may wait."""

log = logging.getLogger(__name__)


class WorkerPool:
    """Thinks in worker processes, which are started when they are first needed.

    If no worker answers a query for a move by the deadline, if too many queries wait, or if the worker fails,
    this process answers it as ``normal`` would. Estimates have a worker of their own, since they may take
    long.
    """

    def __init__(
        self, clock: Clock, most: int, measures: Measures | None = None, inline: Collection[Level] = ()
    ) -> None:
        """At most ``most`` workers choose moves; the levels ``inline`` think in this process."""
        self._measures = measures or Measures()
        self._inline = frozenset(inline)
        self._log = SeldomLog(clock, log, logging.WARNING)
        self._thinkers = Crew(clock, most, HUNG)
        self._estimators = Crew(clock, 1, ESTIMATE_DEADLINE)

    async def choose(self, query: Query) -> Move:
        """The move that a computer player chooses; that of ``normal`` if no worker answers by `DEADLINE`."""
        if query.level in self._inline:
            return think(query)
        began, rank = moment(), _HARD if query.level == "hard" else _CHEAP
        try:
            move = await self._thinkers.ask(("think", query), DEADLINE, rank=rank, room=ROOM[rank])
        except Unanswered as failure:
            self._measures.unanswered[(str(failure),)] += 1
            self._log.log(f"a computer player got no answer from a worker: {failure}")
            move = think(query._replace(level="normal"))
        self._measures.thoughts.since(began)
        assert isinstance(move, Move)
        return move

    async def estimate(self, query: Query) -> Mapping[Move, float] | None:
        """The chances to win after moves (see `Game.estimate`); None if no worker answers in time."""
        request: Request = ("estimate", query)
        try:
            chances = await self._estimators.ask(request, ESTIMATE_DEADLINE, rank=0, room=_MOST_ESTIMATES)
        except Unanswered as failure:
            self._log.log(f"no worker has told the chances of moves: {failure}")
            return None
        assert isinstance(chances, dict)
        return chances

    def warm(self) -> None:
        """Starts a worker ahead of the first query."""
        self._thinkers.warm()

    async def close(self) -> None:
        """Ends all workers; their queries for moves are answered in this process."""
        await self._thinkers.close()
        await self._estimators.close()
