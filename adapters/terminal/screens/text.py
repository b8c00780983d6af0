"""The base of the screens that show a text; the screens of the rules and of the check of a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.visual import VisualType
from textual.widgets import Static

from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.session import Session
from adapters.terminal.widgets import Button, ButtonGrid, Paragraph
from bot.pages.captions import commitment_captions, seed_captions
from bot.tables.log.table_state import AnyGame
from engines.game import Text

if TYPE_CHECKING:
    from bot.replays.checks import CheckResult
    from bot.replays.films import Film


_LEAST_WIDTH = 20
"""The least width of a text, in cells, however narrow the screen is."""
_BESIDE_TEXT = 4
"""The cells of a line that are kept for the padding of the text and its scrollbar."""
_LAST_CHECKS = 3
"""How many of the last findings are shown: deal, moves and result. The others repeat the captions."""


class TextScreen(BaseScreen):
    """Shows a text that scrolls; Escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q,question_mark,enter", "leave")]

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="text"):
            yield Paragraph(markup=False)
        yield ButtonGrid(id="keys")

    def redraw(self) -> None:
        if not (self.query("#text > Static") and self.query("#keys")):
            # A worker may still run while the parts of the screen are removed one by one.
            return
        say = self.app.say
        self.query_one("#text > Static", Static).update(self.text())
        self.show_keys(
            [
                Button("Esc", say(Text("Back")), self.action_leave),
                self.app.language_key(),
                Button("PgUp PgDn", say(Text("Scroll")), self._scroll),
                *self.more_keys(),
            ]
        )

    @property
    def text_width(self) -> int:
        """The width of the text's lines, in cells."""
        return max(_LEAST_WIDTH, self.size.width - _BESIDE_TEXT)

    def more_keys(self) -> list[Button]:
        """The keys that only this text has."""
        return []

    def text(self) -> VisualType:
        """The text in the current language."""
        raise NotImplementedError

    async def _scroll(self) -> None:
        """Scrolls down a page, and from the end back to the beginning."""
        text = self.query_one("#text")
        if text.is_vertical_scroll_end:
            text.scroll_home(animate=False)
        else:
            text.scroll_page_down(animate=False)


class RulesScreen(TextScreen):
    """Shows the rules of a game."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self._game = game

    def text(self) -> VisualType:
        # rich.markdown takes long to import; the first screen does not wait for it.
        from rich.markdown import Markdown

        # Textual's own Markdown widget makes a widget for every paragraph and takes a second to appear.
        return Markdown(self._game.help(self.app.say), hyperlinks=False)


class DealScreen(TextScreen):
    """Shows how to check the deal of a finished game, and what a check finds; `r` shows the game again."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("r,R", "replay")]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._film: Film | None = None
        self._found: tuple[CheckResult, ...] = ()

    async def on_mount(self) -> None:
        from bot.replays.checks import findings
        from bot.replays.export import game_file
        from bot.replays.films import film

        file = game_file(await self._session.service.whole(self._session.table.id))
        self._film, self._found = film(file), tuple(findings(file))
        self.redraw()

    def text(self) -> VisualType:
        table, say = self._session.table, self._session.say
        captions = (*commitment_captions(table), *seed_captions(table))
        checked = "\n".join(say(finding.text) for finding in self._found[-_LAST_CHECKS:])
        return Content("\n\n").join(Content(line) for line in (*map(say, captions), checked))

    def more_keys(self) -> list[Button]:
        return [Button("r", self.app.say(Text("Replay")), self.action_replay)] if self._film else []

    async def action_replay(self) -> None:
        """Shows the game again, step by step."""
        from adapters.terminal.screens.replay import ReplayScreen

        if self._film and self._film.frames:
            await self.app.push_screen(ReplayScreen(self._film))
