"""Follows a look back at a finished game, and formats what it finds."""

from __future__ import annotations

from collections.abc import Callable

from adapters.shared.lines import as_lines
from adapters.terminal.session import Session
from bot.pages.analysis_page import found_page, progress
from bot.ports import Limits
from bot.tables.analyses import LookBack
from engines.game import Text


async def follow(session: Session, look: LookBack, tell: Callable[[Text], object], every: float) -> None:
    """Waits for the end of a look back; tells its progress at once and then every few seconds."""
    while not look.is_over:
        tell(progress(look))
        await look.wait(session.service.clock, every)


async def look_back_lines(
    session: Session, look: LookBack, width: int, height: int | None = None
) -> list[str]:
    """The analysis of a look back that is over, for the only player at this keyboard or for all.

    A ``height`` of one line asks for sentences alone, for screen readers.
    """
    reader = None if session.shared or not session.people else session.people[0]
    table = await session.service.whole(session.table.id)
    page = await found_page(table, look, reader, session.say, Limits(text=10_000, height=height))
    return as_lines(page, None, width)
