"""The news of a table as one of its readers knows it."""

from __future__ import annotations

from bot.tables.table import Table
from engines.game import Event, Seat


def news_for(table: Table, seat: Seat | None, since: int = 0) -> list[Event]:
    """The events that a seat (None: the public) may know, after the first ``since`` pieces of news."""
    return [piece.event for piece in table.news[since:] if piece.event.to in (None, seat)]
