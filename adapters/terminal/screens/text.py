"""The screens that show a text: the rules of a game, and how to check a deal."""

from __future__ import annotations

from typing import ClassVar

from rich.markdown import Markdown
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.visual import VisualType
from textual.widgets import Static

from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.session import Session
from adapters.terminal.widgets import Button, ButtonGrid
from bot.pages.captions import commitment_captions, seed_captions
from bot.tables.table_state import AnyGame
from engines.game import Text


class TextScreen(BaseScreen):
    """Shows a text that scrolls; Escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q,question_mark,enter", "leave")]

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="text"):
            yield Static(markup=False)
        yield ButtonGrid(id="keys")

    def redraw(self) -> None:
        say = self.app.say
        self.query_one("#text > Static", Static).update(self.text())
        self.show_keys(
            [
                Button("Esc", say(Text("Back")), self.action_leave),
                self.app.language_key(),
                Button("PgUp PgDn", say(Text("Scroll")), self._scroll),
            ]
        )

    def text(self) -> VisualType:
        """The text in the current language."""
        raise NotImplementedError

    async def _scroll(self) -> None:
        self.query_one("#text").scroll_page_down(animate=False)


class RulesScreen(TextScreen):
    """Shows the rules of a game."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self._game = game

    def text(self) -> VisualType:
        # Textual's own Markdown widget makes a widget for every paragraph and takes a second to appear.
        return Markdown(self._game.help(self.app.say), hyperlinks=False)


class DealScreen(TextScreen):
    """Shows how to check the deal of a finished game."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def text(self) -> VisualType:
        table, say = self._session.table, self._session.say
        return Content("\n\n").join(
            Content(say(text)) for text in (*commitment_captions(table), *seed_captions(table))
        )
