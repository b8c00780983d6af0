"""Shows a table: the drawing, the news, the status line, the menu, the notice and the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from adapters.terminal import rendering
from adapters.terminal.drawn_cards import Drawn, find
from adapters.terminal.rendering import ScreenLayout
from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.session import EVERYBODY_ASKED, Session
from adapters.terminal.table_screen.command_line import CommandLine
from adapters.terminal.table_screen.completion import Completion
from adapters.terminal.table_screen.move_menu import MoveMenu
from adapters.terminal.widgets import Button, ButtonGrid, Paragraph, TextPane, colour_suits
from bot.tables.log.table_state import AnyGame
from engines.cards import Card, is_card
from engines.game import Seat, Text

_PARTS = (
    "#table > Static", "#log > Static", "#status", "#menu", "#notice", "#line > CommandLine", "#keys",
)  # fmt: skip
"""The widgets that a redraw changes."""
_PICKED = "bold $background on $accent"
"""The style of picked cards."""
_COMBINABLE = "bold underline"
"""The style of the cards that have a move together with those picked."""


class TableView(BaseScreen):
    """The parts of the screen of a table; its subclasses say which buttons and keys it has."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.reader: Seat | None = None
        """The player whose hand is on the screen; None if no hand is."""
        self.next_reader: Seat | None = None
        """The player to whom the keyboard is being passed; None if it is not being passed."""
        self._moment: tuple[int, Seat | None] = (0, None)
        """The table's stamp and the reader at the last redraw."""
        self._moves = MoveMenu(session)
        self._drawn_entries = 0
        """The length of the table's log at the last call of `redraw`."""
        self.notice: Text | None = None
        """The sentence that is shown above the command line; `notify_player` replaces it."""
        self._reworded: Callable[[], Text | None] | None = None
        """Makes the notice in the current language and suits; None if the notice stays as it was made."""
        self._worded: tuple[str, bool] = ("", False)
        """The language and the suits, as letters or not, in which the notice names moves and cards."""
        self._refused = False
        """Whether the notice is a refusal, which no longer holds after the next move."""
        self._calm = False
        """Whether the notice is advice rather than a refusal or a warning."""
        self._idle = False
        """Whether the reader has nothing to decide, and must press a key only to hide who has a decision."""
        self._found: tuple[Drawn, ...] = ()
        """The cards, cells and groups found in the drawing."""
        self._overflows = False
        """Whether the table is higher than its pane."""

    def compose(self) -> ComposeResult:
        with Container(id="middle"):
            yield TextPane(id="table")
            yield TextPane(id="log")
        yield Static(id="status", markup=False)
        yield ButtonGrid(id="menu")
        yield Paragraph(id="notice", markup=False)
        with Horizontal(id="line"):
            yield Static("›", id="prompt", markup=False)
            yield CommandLine(Completion(self.session, lambda: self.reader), self._acts)
        yield ButtonGrid(id="keys")

    @property
    def game(self) -> AnyGame:
        """The game of this table."""
        return self.session.game

    def redraw(self) -> None:
        self._drawn_entries = len(self.session.table.entries)
        # When the program ends, the parts of the screen are removed before the screen itself.
        if not self.is_mounted or not self.size or len(self.query(", ".join(_PARTS))) < len(_PARTS):
            return
        self._update_reader()
        self._reword_notice()
        layout = self._layout()
        with self.app.batch_update():
            self._show_table(layout)
            self._show_news(layout)
            self._show_status(layout)
            self._show_menu(layout)
            self._show_notice()
            self._show_keys()

    def _layout(self) -> ScreenLayout:
        """The sizes of the parts of the screen."""
        return ScreenLayout.of(self.size)

    def notify_player(
        self, notice: Text | None, *, calm: bool = False, reworded: Callable[[], Text | None] | None = None
    ) -> None:
        """Shows a notice above the command line until the next action; None removes it.

        ``reworded`` makes a notice that names moves or cards again, in another language or with other suits.
        """
        self._set_notice(notice, calm=calm, reworded=reworded)
        self.redraw()

    def _set_notice(
        self, notice: Text | None, *, calm: bool = False, reworded: Callable[[], Text | None] | None = None
    ) -> None:
        """Replaces the notice, which the next redraw shows."""
        self.notice, self._calm, self._refused = notice, calm, False
        self._reworded, self._worded = reworded, self._wording

    @property
    def _wording(self) -> tuple[str, bool]:
        """The language, and whether suits are letters."""
        return self.session.setup.locale, self.session.setup.letters

    def _reword_notice(self) -> None:
        """Makes the notice again if the language or the suits have changed."""
        if self.notice and self._reworded and self._worded != self._wording:
            self.notice, self._worded = self._reworded(), self._wording

    def _show_table(self, layout: ScreenLayout) -> None:
        pane, size = self.query_one("#table", TextPane), layout.table
        self._found = ()
        if self.next_reader is not None:
            text = rendering.handover(self.session, self.next_reader, size)
        elif self.session.table.result:
            ending = rendering.game_over(self.session, size.width)
            left = max(1, size.height - ending.plain.count("\n") - 1)
            drawing = colour_suits(self.session.draw(self.reader, size.width, left))
            text = Content("\n").join([ending, drawing])
        else:
            text = self._drawing(size)
        height = text.plain.count("\n") + 1
        # A table that is too high takes spare rows of the news, unless a notice takes them.
        room = size.height + (0 if self.notice else layout.spare)
        self._overflows = height > room
        pane.styles.height = "100%" if layout.side else min(height, room)
        pane.styles.width = size.width + 2 if layout.side else "100%"
        if pane.show(text) and not self._overflows:
            pane.scroll_home(animate=False)

    def _drawing(self, size: Size) -> Content:
        """Draws the table; marks what is picked (cards, cells, groups) and what could be picked with it."""
        drawing = self.session.draw(self.reader, size.width, size.height)
        text = colour_suits(drawing)
        if self.reader is None or not self._can_pick(self.reader):
            return text
        picks = self._moves.picks
        combinable = picks.pickable(self.reader, picks.words) if picks.words else frozenset()
        self._found = find(drawing, picks.names(self.reader), two_packs=self._has_two_packs())
        starts = [0]
        for line in drawing.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        for drawn in self._found:
            style = _PICKED if drawn.word in picks.words else _COMBINABLE if drawn.word in combinable else ""
            if style:
                start = starts[drawn.line]
                text = text.stylize(style, start + drawn.start, start + drawn.end)
        return text

    def _can_pick(self, seat: Seat) -> bool:
        """Whether a player may pick cards for a move now."""
        return seat in self.session.table.active() and not self.session.table.result

    def _has_two_packs(self) -> bool:
        """Whether cards have backs, judging by the reader's hand and the cards that the reader may pick."""
        words = self._moves.picks.pickable(self.reader) if self.reader is not None else ()
        message = self.game.message(self.session.table.view(self.reader)) or {}
        held = (*words, *message.get("hand", ()))
        return any(is_card(word) and Card(word).back for word in held)

    def _show_news(self, layout: ScreenLayout) -> None:
        self.query_one("#middle").set_class(layout.side, "side")
        pane, session = self.query_one("#log", TextPane), self.session
        news = rendering.news(session, session.table, self.reader, self._actors())
        if pane.show(rendering.news_content(news, layout.log_width)):
            pane.anchor()

    def _actors(self) -> Sequence[Seat]:
        """The players whose moves and take-backs make earlier news old: only later ones are fresh."""
        if self.next_reader is not None:
            return (self.next_reader,)
        return self.session.people if self.reader is None else (self.reader,)

    def _show_status(self, layout: ScreenLayout) -> None:
        mine = self.reader is not None and self.session.at_keyboard() == self.reader
        hidden = self.next_reader is not None or self._is_explaining()
        line = rendering.status_line(self.session, self.reader, layout.menu.width, mine=mine, hidden=hidden)
        self.query_one("#status", Static).update(line, layout=False)

    def _show_notice(self) -> None:
        static, notice = self.query_one("#notice", Static), self.notice
        calm = self._calm or notice is None
        if notice is None and self._idle:
            notice = EVERYBODY_ASKED
        if static.display or notice:
            static.display = notice is not None
            static.set_class(calm, "calm")
            static.update(Content(self.session.say(notice) if notice else ""))

    def _show_menu(self, layout: ScreenLayout) -> None:
        buttons, highlighted = self._buttons(layout)
        keep_height = self._moves.is_begun or not buttons
        menu, line = self.query_one("#menu", ButtonGrid), self.query_one(CommandLine)
        if buttons and not menu.buttons and line.value.isdecimal():
            # The next character replaces a number that was typed before there were buttons.
            line.select_all()
        menu.show(buttons, layout.menu.width, highlighted, keep_height=keep_height)
        prompt = Text("Type a move, a card or a number")
        line.placeholder = self.session.say(prompt) if self._moves.shown else ""

    def _is_explaining(self) -> bool:
        """Whether the table waits until the player has read a sentence of a guide."""
        guide = self.session.guide
        return bool(guide and guide.explanation(self.session.table))

    def _acts(self, digit: str) -> bool:
        """Whether a digit that begins a line acts at once, like a button's key."""
        raise NotImplementedError

    def _show_keys(self) -> None:
        """Shows the keys in the last lines."""
        raise NotImplementedError

    def _buttons(self, layout: ScreenLayout) -> tuple[Sequence[Button], int | None]:
        """The buttons, and the index of the one that Enter presses, if any."""
        raise NotImplementedError

    def _update_reader(self) -> None:
        """Updates the reader, and drops picked words and notices that no longer apply."""
        raise NotImplementedError
