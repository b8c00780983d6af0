"""The screens of a guided first hand: its offer, and a table with a sentence above the menu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from adapters.terminal.guide import GUIDE_LEFT, SKIP, GuideMemory, guide_question, guided, marked
from adapters.terminal.rendering import ScreenLayout
from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.setup import Setup
from adapters.terminal.table_screen.table import TableScreen
from adapters.terminal.typed_lines import word_unless_move
from adapters.terminal.widgets import Button, ButtonGrid, Paragraph
from bot.tables.log.table_state import AnyGame
from engines import games
from engines.game import Say, Seat, Text


class GuideOffer(BaseScreen):
    """Asks whether to begin a game with its guide; `offers_guide` says when."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back")]

    def __init__(self, setup: Setup, memory: GuideMemory) -> None:
        super().__init__()
        self._setup = setup
        self._memory = memory

    def compose(self) -> ComposeResult:
        yield Paragraph(id="title", markup=False)
        yield OptionList(id="games", markup=False)
        yield ButtonGrid(id="keys")

    @property
    def game(self) -> AnyGame:
        """The game to be dealt."""
        return games()[self._setup.key]

    def redraw(self) -> None:
        say, options = self.app.say, self.query_one(OptionList)
        self.query_one("#title", Static).update(Content(say(guide_question(self._setup.key))))
        cursor = options.highlighted or 0
        answers = (Text("Guide me through a first hand"), Text("Just play"))
        options.set_options(f"{n}  {say(answer)}" for n, answer in enumerate(answers, 1))
        options.highlighted = cursor
        choose = Button("Enter", say(Text("Choose")), self._choose)
        back = [Button("Esc", say(Text("Back")), self.action_back)] if self._is_on_a_form else []
        self.show_keys(
            [*back, self.app.rules_key(), self.app.quit_key(), choose, self.app.language_key()],
        )

    @property
    def _is_on_a_form(self) -> bool:
        """Whether the game was set up on a screen below, and not on the command line."""
        # Below all screens is an empty one of Textual's.
        return len(self.app.screen_stack) > 2

    async def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        await self._choose()

    async def on_key(self, event: events.Key) -> None:
        if event.key in ("1", "2"):
            self._begin(with_guide=event.key == "1")

    async def action_back(self) -> None:
        """Goes back to the form; without one, deals without the guide, and does not offer it again."""
        if self._is_on_a_form:
            await self.action_leave()
        else:
            self._begin(with_guide=False)

    async def _choose(self) -> None:
        self._begin(with_guide=not self.query_one(OptionList).highlighted)

    def _begin(self, *, with_guide: bool) -> None:
        if not with_guide:
            self._memory.settle(self._setup.key)
        self.leave_by(self.app.begin, guided(self._setup) if with_guide else self._setup)


def guide_rows(game: AnyGame, say: Say, width: int) -> int:
    """The rows of a guide's longest sentence, kept free at every step, so that the drawing keeps its form."""
    steps = game.guide.steps if game.guide else ()
    # `#guide` in `terminal.tcss` leaves a column free on either side.
    return max((len(Content(say(step.text)).wrap(width - 2)) for step in steps), default=0)


class GuidedTable(TableScreen):
    """A table whose player is led by a guide; once the guide is over, it is like any other."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if widget.id == "menu":
                yield Paragraph(id="guide", markup=False)
            yield widget

    def redraw(self) -> None:
        super().redraw()
        if self.is_mounted and self.size:
            static, sentence = self.query_one("#guide", Static), self._sentence()
            static.display = sentence is not None
            static.update(sentence or Content(""))

    def _layout(self) -> ScreenLayout:
        guide = self.session.guide
        if guide is None or guide.is_over:
            return super()._layout()
        return ScreenLayout.of(self.size, guide_rows(self.game, self.session.say, self.size.width))

    def _sentence(self) -> Content | None:
        """The sentence of the current step; None while the others play, and once the guide is over."""
        guide = self.session.guide
        step = guide.step(self.session.table) if guide else None
        return Content(self.session.say(step.text)) if step else None

    def _keys(self) -> list[Button]:
        guide, table = self.session.guide, self.session.table
        if guide is None or guide.is_over or table.result:
            return super()._keys()
        # The menu of an explanation has this key; while a move is begun, Esc leaves the move first.
        is_left_out = guide.explanation(table) or self._moves.is_begun
        return self._playing_keys(*[] if is_left_out else [self._leave_key()])

    def _leave_key(self) -> Button:
        return Button("Esc", self.session.say(Text("Leave the guide")), self._leave_guide)

    def _buttons(self, layout: ScreenLayout) -> tuple[Sequence[Button], int | None]:
        guide, say = self.session.guide, self.session.say
        if guide is None or guide.is_over or self.session.table.result:
            return super()._buttons(layout)
        if guide.explanation(self.session.table):
            self._moves.shown = None
            return [Button("Enter", say(Text("Continue")), self._read_on), self._leave_key()], 0
        buttons, highlighted = super()._buttons(layout)
        if (shown := self._moves.shown) and (move := guide.request(self.session.table)):
            wanted = marked(shown, move)
            # The move may be on another page.
            more = next((n for n, button in enumerate(buttons) if button.key == "+"), None)
            highlighted = next((n for n in (wanted, highlighted, more) if n is not None), None)
        return buttons, highlighted

    async def _carry_out(self, seat: Seat, line: str) -> None:
        guide = self.session.guide
        if guide and not guide.is_over and line.casefold() in SKIP:
            self._empty()
            await self._leave_guide()
        elif (
            guide and guide.explanation(self.session.table) and not word_unless_move(self.session, seat, line)
        ):
            # Enter goes on, as the prompt asks, only while the line is empty.
            self._empty()
            self.notify_player(guide.prompt(self.session.table))
        else:
            await super()._carry_out(seat, line)

    async def _escape(self) -> None:
        # Backspace does not leave the guide: whoever empties a line may press it once too often.
        guide = self.session.guide
        if guide and not guide.is_over and not self._moves.is_begun:
            await self._leave_guide()
        else:
            await super()._escape()

    async def _read_on(self) -> None:
        """Shows the guide's next step; at a step that asks for a move, a second click does nothing."""
        guide = self.session.guide
        if guide and guide.explanation(self.session.table):
            self.session.read_on()
            self.notify_player(None)

    async def _leave_guide(self) -> None:
        self.session.leave_guide()
        self.notify_player(GUIDE_LEFT, calm=True)
