"""The screen of a game: the table, the news, the buttons and the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widgets import Static

from adapters.terminal import rendering
from adapters.terminal.rendering import ScreenLayout
from adapters.terminal.screens.base import BaseScreen
from adapters.terminal.screens.completion import Completion
from adapters.terminal.screens.move_menu import MoveMenu
from adapters.terminal.session import EVERYBODY_ASKED, LOOK_BACK, Session
from adapters.terminal.widgets import Button, ButtonGrid, CommandLine, TextPane, colour_suits
from bot.model import Refused
from bot.pages.menu import MenuItem, pressed
from bot.tables.table_state import AnyGame
from engines.game import IllegalMove, Name, Seat, Text

_QUIT = frozenset(("quit", "exit", "salir"))
_RULES = frozenset(("?", "help", "ayuda", "rules", "reglas"))


class TableScreen(BaseScreen):
    """Shows a table as the player at the keyboard may see it, and takes their moves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "call"),
        Binding("f6", "take_back"),
        Binding("f7", "hint"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.reader: Seat | None = None
        """The player whose hand is on the screen; None if no hand is."""
        self.next_reader: Seat | None = None
        """The player to whom the keyboard is being passed; None if it is not being passed."""
        self._moment: tuple[int, Seat | None] = (0, None)
        """The table's stamp (its moves so far) and the reader when the menu was made."""
        self._moves = MoveMenu(session)
        self._drawn = 0
        """The length of the table's log when the screen was last drawn."""
        self._notice: Text | None = None
        self._refused = False
        """Whether the notice is a refusal, which no longer holds after the next move."""
        self._calm = False
        """Whether the notice is advice rather than a refusal or a warning."""
        self._idle = False
        """Whether the reader has nothing to decide, and must press a key only to hide who has a decision."""
        self._overflows = False
        """Whether the table is higher than its pane."""
        self._asked_at = -1
        """The stamp at which the players were asked whether they take a move back; negative before that."""

    def compose(self) -> ComposeResult:
        with Container(id="middle"):
            yield TextPane(id="table")
            yield TextPane(id="log")
        yield Static(id="status", markup=False)
        yield ButtonGrid(id="menu")
        yield Static(id="notice", markup=False)
        with Horizontal(id="line"):
            yield Static("›", id="prompt", markup=False)
            yield CommandLine(Completion(self.session, lambda: self.reader))
        yield ButtonGrid(id="keys")

    def on_mount(self) -> None:
        self._begin()

    async def on_unmount(self) -> None:
        await self.session.end()

    @property
    def game(self) -> AnyGame:
        """The game of this table."""
        return self.session.game

    def redraw(self) -> None:
        if not self.is_mounted or not self.size:
            return
        self._drawn = len(self.session.table.entries)
        self._seat_down()
        layout = ScreenLayout.of(self.size)
        with self.app.batch_update():
            self._show_table(layout)
            self._show_news(layout)
            self._show_status(layout)
            self._show_menu(layout)
            self._show_notice()
            self._show_keys()

    def notify_player(self, notice: Text | None, *, calm: bool = False) -> None:
        """Shows a notice above the command line until the next action; None removes it."""
        self._notice, self._calm, self._refused = notice, calm, False
        self.redraw()

    def _begin(self) -> None:
        """Starts a game: its computer players, and the task that redraws the screen after each change."""
        self._moves.go(())
        self._notice, self.reader = self.app.new_warning() or next(iter(self.session.warnings()), None), None
        self._drawn = 0
        self.session.begin().add_done_callback(self._attended)
        self.run_worker(self._watch(), group="watch", exclusive=True)

    async def _watch(self) -> None:
        while True:
            if self._drawn != len(self.session.table.entries):
                self.redraw()
            await self.session.changed(self._drawn)

    def _attended(self, attendance: asyncio.Task[None]) -> None:
        """Quits if a computer player has failed, since the table would wait for its move for ever."""
        if not attendance.cancelled() and (error := attendance.exception()):
            self.app.fail(error)

    def _seat_down(self) -> None:
        """Updates the reader, and drops picked words and notices that no longer apply.

        At a shared keyboard, a hand is shown only after its player has confirmed the handover.
        """
        session = self.session
        if not session.shared:
            self.reader = session.people[0] if session.people else None
        else:
            wanted = session.at_keyboard()
            if wanted != self.reader and self.reader is not None:
                # The next player must not read the previous player's unfinished line.
                self.query_one(CommandLine).value = ""
            self.next_reader = None if wanted == self.reader else wanted
            self.reader = self.reader if wanted == self.reader else None
        moment = (session.table.stamp, self.reader)
        if moment != self._moment:
            if not self._goes_on(self._moment):
                self._moves.go(())
            self._moment = moment
            if self._refused or session.table.result:
                # A refused move may be legal now.
                self._notice, self._refused = None, False
            if session.table.result:
                self.query_one(CommandLine).value = ""

    def _goes_on(self, moment: tuple[int, Seat | None]) -> bool:
        """Whether the words picked at an earlier stamp still begin a move of the same reader."""
        stamp, seat = moment
        if seat is None or seat != self.reader or self.session.table.result:
            return False
        return self._moves.goes_on(seat, stamp)

    def _show_table(self, layout: ScreenLayout) -> None:
        pane, size = self.query_one("#table", TextPane), layout.table
        if self.next_reader is not None:
            text = rendering.handover(self.session, self.next_reader, size)
        elif self.session.table.result:
            ending = rendering.game_over(self.session, size.width)
            left = max(1, size.height - ending.plain.count("\n") - 1)
            drawing = colour_suits(self.session.draw(self.reader, size.width, left))
            text = Content("\n").join([ending, drawing])
        else:
            text = colour_suits(self.session.draw(self.reader, size.width, size.height))
        height = text.plain.count("\n") + 1
        self._overflows = height > size.height
        pane.styles.height = "100%" if layout.side else min(height, size.height)
        pane.styles.width = size.width + 2 if layout.side else "100%"
        if pane.show(text) and not self._overflows:
            pane.scroll_home(animate=False)

    def _show_news(self, layout: ScreenLayout) -> None:
        self.query_one("#middle").set_class(layout.side, "side")
        pane, session = self.query_one("#log", TextPane), self.session
        actors = session.people if self.reader is None else (self.reader,)
        if self.next_reader is not None:
            actors = (self.next_reader,)
        if pane.show(rendering.news_content(rendering.news(session, self.reader, actors), layout.log_width)):
            pane.anchor()

    def _show_status(self, layout: ScreenLayout) -> None:
        mine = self.reader is not None and self.session.at_keyboard() == self.reader
        hidden = self.next_reader is not None
        line = rendering.status_line(self.session, self.reader, layout.menu.width, mine=mine, hidden=hidden)
        self.query_one("#status", Static).update(line, layout=False)

    def _show_notice(self) -> None:
        static, notice = self.query_one("#notice", Static), self._notice
        calm = self._calm or notice is None
        if notice is None and self._idle:
            notice = EVERYBODY_ASKED
        if static.display or notice:
            static.display = notice is not None
            static.set_class(calm, "calm")
            static.update(Content(self.session.say(notice) if notice else ""))

    def _show_menu(self, layout: ScreenLayout) -> None:
        buttons, highlighted = self._buttons(layout)
        inside = self._moves.is_begun or not buttons
        self.query_one("#menu", ButtonGrid).show(buttons, layout.menu.width, highlighted, keep_height=inside)
        prompt = Text("Type a move, or press its number")
        self.query_one(CommandLine).placeholder = self.session.say(prompt) if self._moves.shown else ""

    def _show_keys(self) -> None:
        app, say = self.app, self.session.say
        suits = Text("Suits") if self.session.setup.letters else Text("Letters")
        letters = Button("F4", say(suits), app.action_letters)
        games = Button("F3", say(Text("Games")), app.action_games)
        scroll = [Button("PgDn", say(Text("More")), self._page_down)] if self._overflows else []
        self.show_keys(
            [
                app.rules_key(), app.quit_key(), *self._call_keys(), *scroll, app.language_key(),
                *self._take_back_keys(), *self._hint_keys(), games, letters,
            ]
        )  # fmt: skip

    def _call_keys(self) -> list[Button]:
        """The F5 key, with which a player with an optional move takes the keyboard, if there is one."""
        seat = self._next_to_call()
        if seat is None:
            return []
        return [Button("F5", self.session.say(Text("I am {who}", who=Name(seat))), self.action_call)]

    def _take_back_keys(self) -> list[Button]:
        """The F6 key, which takes the last move at this keyboard back, if there is one."""
        if self.session.last_mover() is None:
            return []
        return [Button("F6", self.session.say(Text("Take back")), self.action_take_back)]

    def _hint_keys(self) -> list[Button]:
        """The F7 key, which gives the reader a hint while it is their turn."""
        if self.reader is None or self.reader not in self.session.table.active():
            return []
        return [Button("F7", self.session.say(Text("Hint")), self.action_hint)]

    async def action_hint(self) -> None:
        """Shows a hint for the reader above the command line."""
        self.app.cancel_quit()
        if self.reader is None or self.session.table.result:
            return
        try:
            hint = await self.session.hint(self.reader)
        except Refused as refused:
            self.notify_player(refused.reason)
            # It may be the reader's turn soon.
            self._refused = True
        else:
            self.notify_player(hint, calm=True)

    async def action_take_back(self) -> None:
        """Takes the last move at this keyboard back; at a shared one, only when pressed twice."""
        self.app.cancel_quit()
        mover, stamp = self.session.last_mover(), self.session.table.stamp
        if mover is not None and self.session.shared and self._asked_at != stamp:
            self._asked_at = stamp
            self.notify_player(
                Text("Take back {who}'s last move? Press F6 again if everyone agrees.", who=Name(mover))
            )
            return
        try:
            await self.session.take_back()
        except Refused as refused:
            self.notify_player(refused.reason)
            return
        self._moves.go(())
        self.query_one(CommandLine).value = ""
        self.notify_player(None)

    def _next_to_call(self) -> Seat | None:
        session = self.session
        if not session.shared:
            return None
        at_keyboard = self.reader if self.next_reader is None else self.next_reader
        seats = [seat for seat in session.keyboard.optional(session.table) if seat != at_keyboard]
        later = [seat for seat in seats if at_keyboard is not None and seat > at_keyboard]
        return next(iter([*later, *seats]), None)

    async def action_call(self) -> None:
        """Passes the keyboard to the next player with an optional move."""
        if (seat := self._next_to_call()) is not None:
            self.session.keyboard.call(seat)
            self.notify_player(None)

    def _buttons(self, layout: ScreenLayout) -> tuple[Sequence[Button], int | None]:
        """The buttons, and the index of the one that Enter presses, if any."""
        self._moves.shown, self._idle = None, False
        session, say = self.session, self.session.say
        if self.next_reader is not None:
            return [Button("Enter", say(Text("I am {who}", who=Name(self.next_reader))), self._sit_down)], 0
        if session.table.result:
            return [
                Button("1", say(Text("Rematch")), self._rematch),
                Button("2", say(Text("Another game")), self.app.action_games),
                Button("3", say(Text("Look back")), self._look_back),
                Button("4", say(Text("Check the deal")), partial(self.app.check_deal, session)),
                Button("5", say(Text("Quit")), self.app.action_quit),
            ], 0
        if self.reader is None:
            return [], None
        if self.reader not in session.table.active():
            # A player with nothing to decide must press a key too, to hide who has a decision.
            self._idle = session.shared
            onward = [Button("Enter", say(Text("Continue")), self._continue)]
            return (onward, 0) if self._idle else ([], None)
        leads_back = self._moves.path or self._is_optional(self.reader)
        back = [Button("Esc", say(Text("Back")), self._back)] if leads_back else []
        room = layout.menu
        return self._moves.buttons(self.reader, room, self._press, self._turn_page, back), None

    async def on_command_line_navigated(self, message: CommandLine.Navigated) -> None:
        menu, key = self.query_one("#menu", ButtonGrid), message.key
        if key in CommandLine.SCROLLING:
            self._scroll(key)
        elif key in ("up", "down", "left", "right"):
            menu.move(key)
        elif key == "question_mark":
            await self.app.action_rules()
        elif key in ("escape", "backspace"):
            await self._back()
        else:
            for button in menu.buttons:
                if button.key == key:
                    await button.action()

    def on_input_changed(self) -> None:
        """Removes the notice of a refusal once the refused line is empty."""
        if self._refused and not self.query_one(CommandLine).value:
            self.notify_player(None)

    async def on_input_submitted(self) -> None:
        line = self.query_one(CommandLine).value.strip()
        menu = self.query_one("#menu", ButtonGrid)
        if line.casefold() in _QUIT | _RULES:
            self.query_one(CommandLine).value = ""
            await (self.app.action_quit() if line.casefold() in _QUIT else self.app.action_rules())
        elif line:
            await self._hear(line)
        elif menu.highlighted is not None:
            await menu.buttons[menu.highlighted].action()

    async def _hear(self, line: str) -> None:
        """Presses the button that a typed line names, or else plays the line as a move."""
        session = self.session
        if session.table.result:
            await self._end_with(line)
        elif self.next_reader is not None:
            self._refuse(Text("First press Enter, {who}.", who=Name(self.next_reader)))
        elif self.reader is None:
            self._refuse(Text("Nobody at this keyboard can play right now."))
        elif (menu := self._moves.shown) and (item := pressed(menu, line)):
            self.query_one(CommandLine).value = ""
            await self._press(self.reader, menu.stamp, item)
        elif session.means_take_back(self.reader, line):
            await self.action_take_back()
        elif session.means_hint(self.reader, line):
            self.query_one(CommandLine).value = ""
            await self.action_hint()
        else:
            await self._play(session.action(self.reader, line))

    async def _end_with(self, line: str) -> None:
        """Presses the button of a finished game that a typed line names by its key or its label."""
        if line.casefold() in LOOK_BACK:
            self.query_one(CommandLine).value = ""
            await self._look_back()
            return
        for button in self.query_one("#menu", ButtonGrid).buttons:
            if line.casefold() in (button.key, button.label.casefold()):
                self.query_one(CommandLine).value = ""
                await button.action()
                return
        self._refuse(Text("The game is over."))

    async def _press(self, seat: Seat, stamp: int, item: MenuItem) -> None:
        """Carries out a menu item; one of an earlier menu is valid until its player has acted."""
        self.app.cancel_quit()
        if seat != self.reader or not self._moves.is_meant(seat, stamp, item):
            self.notify_player(Text("That button was out of date. These are the current ones."))
        elif item.done:
            await self._play(" ".join(item.words))
        else:
            self._moves.go(item.words)
            self._tell_path()

    def _is_optional(self, seat: Seat) -> bool:
        """Whether a player at a shared keyboard has only an optional move."""
        session = self.session
        return session.shared and seat in session.keyboard.optional(session.table)

    async def _play(self, action: str) -> None:
        assert self.reader is not None
        self.app.cancel_quit()
        # It is cleared before the move, so that a notice that arrives during the move stays.
        self._notice = None
        try:
            await self.session.play(self.reader, action)
        except IllegalMove as illegal:
            self._refuse(self.session.reason(self.reader, action, illegal))
            return
        self._moves.go(())
        self.query_one(CommandLine).value = ""
        self._tell_notice()

    def _tell_notice(self) -> None:
        """Shows the reader why their held move (see `Session.play`) was not made, if so; redraws."""
        mine = self.reader is not None and self.session.at_keyboard() == self.reader
        notice = self.session.take_notice(self.reader) if self.reader is not None and mine else None
        if notice:
            self.notify_player(notice)
        else:
            self.redraw()

    def _refuse(self, reason: Text) -> None:
        """Shows why a line is refused, and selects the line, so that it can be corrected or typed over."""
        self.notify_player(reason)
        self._refused = True
        self.query_one(CommandLine).select_all()

    async def _back(self) -> None:
        if not self._moves.path and self.reader is not None and self._is_optional(self.reader):
            self.session.decline(self.reader)
            self.notify_player(None)
            return
        self._moves.go(self._moves.path[:-1])
        self._tell_path()

    def _tell_path(self) -> None:
        """Shows the words of a move picked so far."""
        assert self.reader is not None
        menu = self._moves.menu(self.reader)
        self.notify_player(self.session.begun(self.reader, menu), calm=True)

    async def _turn_page(self) -> None:
        self._moves.turn_page()
        self.notify_player(None)

    async def _sit_down(self) -> None:
        """Confirms the handover: makes the next reader the reader, and shows their table."""
        assert self.next_reader is not None
        self.reader, self.next_reader = self.next_reader, None
        self.session.keyboard.sit_down(self.reader)
        self.query_one("#table", TextPane).scroll_home(animate=False)
        self.notify_player(self.session.take_notice(self.reader))

    async def _continue(self) -> None:
        assert self.reader is not None
        self._notice = None
        await self.session.has_seen(self.reader)
        self._tell_notice()

    async def _look_back(self) -> None:
        try:
            await self.app.look_back(self.session)
        except Refused as refused:
            self.notify_player(refused.reason)

    async def _rematch(self) -> None:
        await self.session.rematch()
        self._begin()

    async def _page_down(self) -> None:
        self._scroll("pagedown")

    def _scroll(self, key: str) -> None:
        table, log = self.query_one("#table", TextPane), self.query_one("#log", TextPane)
        pane = table if table.max_scroll_y and "shift" not in key else log
        if key.endswith("up"):
            pane.scroll_page_up(animate=False)
        else:
            pane.scroll_page_down(animate=False)
