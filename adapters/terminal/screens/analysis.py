"""The screen of the analysis of a finished game: its progress, then its result."""

from __future__ import annotations

from textual.content import Content
from textual.visual import VisualType

from adapters.terminal.saved_games.analysis import analysis_lines, follow
from adapters.terminal.screens.text import TextScreen
from adapters.terminal.session import Session
from adapters.terminal.widgets import colour_suits
from bot.table_service.analysis_jobs import AnalysisJob
from engines.game import Text

_WIDEST = 78
"""The most cells of a line."""
_PROGRESS_INTERVAL = 0.5
"""Seconds between two updates of the progress."""


class AnalysisScreen(TextScreen):
    """Shows the analysis of the game of a session."""

    def __init__(self, session: Session, job: AnalysisJob) -> None:
        super().__init__()
        self._session = session
        self._job = job
        self._progress: Text | None = None
        """The progress of the analysis."""
        self._found = ""
        """The analysis."""
        self._written: object = None
        """The language, the style of suits and the width in which the analysis is written."""

    def on_mount(self) -> None:
        self.run_worker(self._follow(), group="analysis")

    def redraw(self) -> None:
        super().redraw()
        if self._job.is_over and self._written != self._style():
            self.run_worker(self._write(), group="write", exclusive=True)

    def text(self) -> VisualType:
        if self._found:
            return colour_suits(self._found)
        return Content(self.app.say(self._progress) if self._progress else "")

    async def _follow(self) -> None:
        await follow(self._session, self._job, self._tell, _PROGRESS_INTERVAL)
        self.redraw()

    def _tell(self, progress: Text) -> None:
        self._progress = progress
        self.redraw()

    def _style(self) -> object:
        setup = self._session.setup
        return setup.locale, setup.letters, self.size.width

    async def _write(self) -> None:
        self._written = self._style()
        width = min(_WIDEST, self.text_width)
        self._found = "\n".join(await analysis_lines(self._session, self._job, width))
        self.redraw()
