"""Follows the analysis of a finished game, and formats its result."""

from __future__ import annotations

from collections.abc import Callable

from adapters.shared.rendering.lines import as_lines
from adapters.terminal.session import Session
from bot.pages.results.analysis_page import finished_page, progress
from bot.ports import Limits
from bot.table_service.analysis_jobs import AnalysisJob
from bot.tables.names.titles import table_title
from engines.game import Text


async def follow(session: Session, job: AnalysisJob, tell: Callable[[Text], object], every: float) -> None:
    """Waits for the end of an analysis; tells its progress at once and then after each ``every`` seconds."""
    while not job.is_over:
        tell(progress(job))
        await job.wait(session.service.clock, every)


async def analysis_lines(
    session: Session, job: AnalysisJob, width: int, height: int | None = None
) -> list[str]:
    """The lines of a finished analysis: of the moves of the only player at this keyboard, or of all players.

    A ``height`` of 1 asks for sentences alone, for screen readers.
    """
    reader = None if session.shared or not session.people else session.people[0]
    table = await session.service.whole(session.table.id)
    page = await finished_page(table, job, reader, session.say, Limits(text=10_000, height=height))
    # Tables at a terminal have no numbers that players see.
    numbered = session.say(table_title(table.game.title, table.number))
    return [
        session.say(table.game.title) if line == numbered else line for line in as_lines(page, None, width)
    ]
