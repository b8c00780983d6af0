"""The screen of a look back at a finished game: its progress, then the analysis."""

from __future__ import annotations

from textual.content import Content
from textual.visual import VisualType

from adapters.terminal.analysis import follow, look_back_lines
from adapters.terminal.screens.text import TextScreen
from adapters.terminal.session import Session
from adapters.terminal.widgets import colour_suits
from bot.tables.analyses import LookBack
from engines.game import Text

_WIDEST = 78
"""The most cells of a line."""
_PROGRESS = 0.5
"""Seconds between two updates of the progress."""


class LookBackScreen(TextScreen):
    """Shows a look back at the game of a session."""

    def __init__(self, session: Session, look: LookBack) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._progress: Text | None = None
        """The progress of the look back."""
        self._found = ""
        """The analysis."""
        self._written: object = None
        """The language, the style of suits and the width in which the analysis is written."""

    def on_mount(self) -> None:
        self.run_worker(self._follow(), group="look back")

    def redraw(self) -> None:
        super().redraw()
        if self._look.is_over and self._written != self._style():
            self.run_worker(self._write(), group="write", exclusive=True)

    def text(self) -> VisualType:
        if self._found:
            return colour_suits(self._found)
        return Content(self.app.say(self._progress) if self._progress else "")

    async def _follow(self) -> None:
        await follow(self._session, self._look, self._tell, _PROGRESS)
        self.redraw()

    def _tell(self, progress: Text) -> None:
        self._progress = progress
        self.redraw()

    def _style(self) -> object:
        setup = self._session.setup
        return setup.locale, setup.letters, self.size.width

    async def _write(self) -> None:
        self._written = self._style()
        width = max(20, min(_WIDEST, self.size.width - 4))
        self._found = "\n".join(await look_back_lines(self._session, self._look, width))
        self.redraw()
