"""Analyses finished games in the background, one after the other, and stores the analyses."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from bot.errors import origin
from bot.model.ids import GameId, PersonId
from bot.model.tables import Refused
from bot.ports import Clock
from bot.recent import Recent
from bot.storage import Store, StoreError
from bot.table_service.service import TableService
from bot.tables.analysis import (
    Analysis,
    Decision,
    Judged,
    PlayedMove,
    confirm,
    decision_of,
    doubtful,
    judge,
    most_doubtful,
    must_be_analysable,
    played_moves,
    sample,
    scattered,
)
from bot.tables.table import Table
from bot.thinking.thinker import Thinker
from engines.game import Text

log = logging.getLogger(__name__)

_MOST_WAITING = 20
"""The most games that wait to be analysed, the one under way among them."""
_MOST_OF_ONE = 3
"""The most waiting games that one person may have asked for."""
_JUDGING_TIME = 240.0
"""Seconds for judging the decisions of a game; after them no further one is judged."""
_CONFIRMING_TIME = 120.0
"""Seconds after the first judgements for judging again the decisions that seem to have cost most."""
_MOST_VAIN = 4
"""The number of decisions after which an analysis gives up, if none of them could be judged."""
_ANALYSES_KEPT = 50
"""The most analyses that are kept in memory; the others are read from the store."""


@dataclass(eq=False, slots=True)
class AnalysisJob:
    """The analysis of a game: waiting, under way, finished or failed."""

    game: GameId
    person: PersonId | None = None
    """The person who asked for it first; None at a keyboard, and if the analysis was found in the store."""
    done: int = 0
    """The judgements that have been tried or are not needed; a decision judged again counts twice."""
    total: int = 0
    """The most judgements that the game can need; 0 while that is not known."""
    analysis: Analysis | None = None
    failed: bool = False
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    @property
    def percent(self) -> int:
        """Its progress, from 0 to 100; it never falls."""
        return 100 * self.done // self.total if self.total else 0

    def end(self, analysis: Analysis | None) -> None:
        """Ends the job with its analysis, or with None if the job has failed."""
        self.analysis, self.failed = analysis, analysis is None
        self._over.set()

    async def wait(self, clock: Clock, seconds: float) -> None:
        """Waits until the job is over, at most ``seconds``."""
        waiting = (asyncio.create_task(self._over.wait()), asyncio.create_task(clock.sleep(seconds)))
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)


class Analyses:
    """Analyses the games that people ask for."""

    def __init__(self, store: Store, service: TableService, thinker: Thinker) -> None:
        self._store = store
        self._service = service
        self._thinker = thinker
        self._waiting: dict[GameId, AnalysisJob] = {}
        """The jobs that are not over, in their order; the first is under way."""
        self._found: Recent[GameId, AnalysisJob] = Recent(_ANALYSES_KEPT)
        self._task: asyncio.Task[None] | None = None

    async def ask(self, table: Table, person: PersonId | None = None) -> AnalysisJob:
        """The job of analysing a game: an earlier one, or a new one that waits for its turn.

        Raises `StoreError`, and `Refused` if the game cannot be analysed, or too many wait, of all people or
        of this one.
        """
        must_be_analysable(table)
        if found := self._found.get(table.id) or self._waiting.get(table.id):
            return found
        if kept := await self._stored(table.id):
            return kept
        own = sum(person is not None and job.person == person for job in self._waiting.values())
        if len(self._waiting) >= _MOST_WAITING or own >= _MOST_OF_ONE:
            raise Refused(Text("I'm busy looking back at other games. Ask again in a few minutes."))
        job = self._waiting.setdefault(table.id, AnalysisJob(table.id, person))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        return job

    async def close(self) -> None:
        """Stops, and ends unfinished jobs as failed; the next request for such a game begins anew."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for job in self._waiting.values():
            job.end(None)
        self._waiting.clear()

    async def _stored(self, game: GameId) -> AnalysisJob | None:
        """The job of an analysis that any process has stored; None if there is none that can be read."""
        text = await self._store.analysis(game)
        if text is None or (analysis := Analysis.from_json(text)) is None:
            return None
        job = AnalysisJob(game)
        job.end(analysis)
        self._found.put(game, job)
        return job

    async def _work(self) -> None:
        """Does the waiting jobs one after the other, until none is left."""
        while self._waiting:
            job = next(iter(self._waiting.values()))
            try:
                analysis = await self._analysed(job)
            except Exception as error:
                # The error's message may name cards; what fails costs only its own game.
                log.error("the bot could not analyse table %s: %s", job.game, origin(error))
                analysis = None
            del self._waiting[job.game]
            if analysis:
                self._found.put(job.game, job)
            job.end(analysis)

    async def _analysed(self, job: AnalysisJob) -> Analysis | None:
        """Judges a sample of the decisions of a game and stores the analysis.

        None if there are decisions, but no verdict on any.
        """
        table = await self._service.whole(job.game)
        decisions = await _decisions(table)
        chosen = sample(decisions)
        judged = await self._judged(job, table, chosen)
        if chosen and not judged:
            return None
        analysis = Analysis(len(decisions), await self._confirmed(job, table, chosen, judged))
        try:
            await self._store.save_analysis(table.id, analysis.to_json())
        except StoreError as error:
            # The result is in memory all the same.
            log.warning("the analysis of table %s is not stored: %s", table.id, origin(error))
        return analysis

    async def _judged(
        self, job: AnalysisJob, table: Table, decisions: Sequence[Decision]
    ) -> Sequence[Judged]:
        """The verdicts that can be had in time, in game order; none if `_MOST_VAIN` tries have given none."""
        job.total = len(decisions) + most_doubtful(decisions)
        judged, end = list[Judged](), self._service.clock.now() + _JUDGING_TIME
        for choice in scattered(decisions):
            if (job.done >= _MOST_VAIN and not judged) or self._service.clock.now() > end:
                break
            if found := await judge(table.game, choice, _luck(table, choice), self._thinker):
                judged.append(found)
            job.done += 1
            await asyncio.sleep(0)
        return sorted(judged, key=attrgetter("n"))

    async def _confirmed(
        self, job: AnalysisJob, table: Table, decisions: Sequence[Decision], judged: Sequence[Judged]
    ) -> tuple[Judged, ...]:
        """The verdicts; those on decisions that seem to have cost most are made again, if there is time."""
        unsure, choices = doubtful(judged), {choice.n: choice for choice in decisions}
        job.done = job.total - len(unsure)
        verdicts = {verdict.n: verdict for verdict in judged}
        end = self._service.clock.now() + _CONFIRMING_TIME
        for verdict in scattered(unsure):
            if self._service.clock.now() > end:
                break
            choice = choices[verdict.n]
            luck = _luck(table, choice)
            verdicts[choice.n] = await confirm(table.game, choice, verdict, luck, self._thinker)
            job.done += 1
            await asyncio.sleep(0)
        return tuple(verdicts.values())


def _luck(table: Table, choice: Decision) -> str:
    """The luck for the estimates of a decision, the same for each analysis of it."""
    return f"analysis:{table.id}:{choice.n}"


async def _decisions(table: Table) -> Sequence[Decision]:
    """The decisions of a whole table; other tasks may run after each."""
    found = []
    for played in played_moves(table):
        if choice := decision_of(table.game, played):
            found.append(choice)
        await asyncio.sleep(0)
    return found


async def moves_at(table: Table, wanted: Sequence[Judged]) -> Mapping[int, PlayedMove]:
    """The moves of a whole table at these decisions, by the number of the entry; lets other tasks run."""
    numbers, found = {judged.n for judged in wanted}, dict[int, PlayedMove]()
    for played in played_moves(table):
        if played.n in numbers:
            found[played.n] = played
        if len(found) == len(numbers):
            break
        await asyncio.sleep(0)
    return found
