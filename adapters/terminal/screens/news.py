"""The screen that shows all that a reader may know of what has happened in a game."""

from __future__ import annotations

from collections.abc import Sequence

from textual.visual import VisualType

from adapters.terminal import rendering
from adapters.terminal.screens.text import TextScreen
from adapters.terminal.session import Session
from bot.tables.table import Table
from engines.game import Seat


class HistoryScreen(TextScreen):
    """Shows all news of a game that a reader may see, scrolled to the latest.

    Marks the news since the last move or take-back of the ``actors``.
    """

    def __init__(self, session: Session, table: Table, reader: Seat | None, actors: Sequence[Seat]) -> None:
        super().__init__()
        self._session = session
        self._table = table
        self._reader = reader
        self._actors = actors

    def on_mount(self) -> None:
        self.call_after_refresh(self._show_latest)

    def text(self) -> VisualType:
        news = rendering.news(self._session, self._table, self._reader, self._actors, most=None)
        return rendering.news_content(news, self.text_width)

    def _show_latest(self) -> None:
        self.query_one("#text").scroll_end(animate=False)
