"""The screen with a game's rules."""

from __future__ import annotations

from typing import ClassVar

from rich.markdown import Markdown
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from adapters.terminal.face import Face
from adapters.terminal.widgets import Offer, Shelf
from bot.table import AnyGame
from engines.game import Text


class RulesScreen(Face):
    """The rules, scrolled with arrows and pages; Escape leads back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q,question_mark,enter", "leave")]

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="rules"):
            yield Static(markup=False)
        yield Shelf(id="keys")

    def redraw(self) -> None:
        say = self.app.say
        # The framework's own widget makes one part of every paragraph and takes a second to appear.
        self.query_one("#rules > Static", Static).update(Markdown(self._game.help(say), hyperlinks=False))
        self.show_keys(
            [
                Offer("Esc", say(Text("Back")), self.action_leave),
                self.app.language_key(),
                Offer("PgUp PgDn", say(Text("Scroll")), self._scroll),
            ]
        )

    async def _scroll(self) -> None:
        self.query_one("#rules").scroll_page_down(animate=False)
