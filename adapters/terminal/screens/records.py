"""The screen of a leaderboard, a profile or the last games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from textual.content import Content
from textual.visual import VisualType

from adapters.terminal.screens.text import TextScreen
from bot.i18n import Speech
from bot.model.tables import Refused
from engines.game import Text


class RecordsScreen(TextScreen):
    """Shows lines that are made for the language and the width of the screen."""

    def __init__(self, make: Callable[[Speech, int], Awaitable[Sequence[str]]]) -> None:
        super().__init__()
        self._make = make
        self._lines: Sequence[str] = ()
        self._written: object = None
        """The language and the width for which the lines were made."""

    def on_mount(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        super().redraw()
        style = (self.app.defaults.locale, self.size.width)
        if self.size and self._written != style:
            self._written = style
            self.run_worker(self._write(), group="write", exclusive=True)

    def text(self) -> VisualType:
        return Content("\n".join(self._lines or (self.app.say(Text("Waiting …")),)))

    async def _write(self) -> None:
        try:
            self._lines = await self._make(self.app.say, self.text_width)
        except Refused as refused:
            self._lines = (self.app.say(refused.reason),)
        super().redraw()
