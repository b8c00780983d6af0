"""The screen of a replay: a position of a finished game with the hands of all, and keys to step."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from adapters.shared.clock import local_zone
from adapters.terminal.saved_games.replaying import scene
from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.widgets import Button, ButtonGrid, TextPane, colour_suits, hanging_indent
from bot.replays.films import Film
from engines.game import Text
from engines.values import replace


class ReplayScreen(BaseScreen):
    """Shows a film frame by frame; the last frame comes with the result."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # The letters also under caps lock.
        Binding("right,space,enter,n,N", "step(1)"),
        Binding("left,backspace,p,P", "step(-1)"),
        Binding("home", "go(0)"),
        Binding("end", "go(-1)"),
        Binding("up", "step(-10)"),
        Binding("down", "step(10)"),
        Binding("pageup", "scroll(-1)"),
        Binding("pagedown", "scroll(1)"),
        Binding("escape,q,Q", "leave"),
    ]

    def __init__(self, film: Film, *, alone: bool = False) -> None:
        super().__init__()
        self._film = film
        self._n = 0
        self._alone = alone
        """Whether the app was started for the replay, and ends with it."""

    def compose(self) -> ComposeResult:
        yield TextPane(id="replay")
        yield ButtonGrid(id="keys")

    def on_mount(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        if not self.is_mounted or not self.size:
            return
        say, width = replace(self.app.say, zone=local_zone()), max(20, self.size.width - 3)
        shown = scene(self._film, self._n, say, width, self.size.height - 4)
        sentences = [hanging_indent("› ", line, width, "$foreground") for line in shown.sentences]
        hands = [colour_suits(line) for line in shown.hands]
        drawing = colour_suits(shown.drawing)
        heading = Content.styled(shown.heading, "bold $accent")
        blank = [Content("")] if hands else []
        self.query_one("#replay", TextPane).show(
            Content("\n").join([heading, *sentences, drawing, *blank, *hands])
        )
        self.show_keys(
            [
                Button("→", say(Text("Next")), self._on),
                Button("←", say(Text("Back")), self._back),
                Button("Home", say(Text("First")), self._first),
                Button("End", say(Text("Last")), self._last),
                self.app.language_key(),
                Button("Esc", say(Text("Leave the replay")), self.action_leave),
            ]
        )

    def action_step(self, by: int) -> None:
        """Shows a later or an earlier position."""
        self._n = max(0, min(self._n + by, self._film.last))
        self.query_one("#replay").scroll_home(animate=False)
        self.redraw()

    def action_go(self, n: int) -> None:
        """Shows the first position, or the last for a negative number."""
        self._n = 0
        self.action_step(self._film.last if n < 0 else 0)

    def action_scroll(self, pages: int) -> None:
        """Scrolls a position that does not fit on the screen."""
        pane = self.query_one("#replay")
        if pages > 0:
            pane.scroll_page_down(animate=False)
        else:
            pane.scroll_page_up(animate=False)

    async def action_leave(self) -> None:
        if self._alone:
            self.app.exit()
        else:
            await super().action_leave()

    async def _on(self) -> None:
        self.action_step(1)

    async def _back(self) -> None:
        self.action_step(-1)

    async def _first(self) -> None:
        self.action_go(0)

    async def _last(self) -> None:
        self.action_go(-1)
