"""The screen of a game: its buttons, its keys and its command line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType

from adapters.terminal import typed_lines
from adapters.terminal.rendering import ScreenLayout
from adapters.terminal.screens.table_play import TablePlay
from adapters.terminal.typed_lines import Asked, Picked, Played, Pressed
from adapters.terminal.widgets import Button, ButtonGrid, CommandLine, TextPane
from bot.model import Refused
from engines.game import Name, Text

_QUIT = frozenset(("quit", "exit", "salir"))
_RULES = frozenset(("?", "help", "ayuda", "rules", "reglas"))


class TableScreen(TablePlay):
    """Shows a table as the player at the keyboard may see it, and takes their moves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "call"),
        Binding("f6", "take_back"),
        Binding("f7", "hint"),
    ]

    def on_mount(self) -> None:
        self._begin()

    async def on_unmount(self) -> None:
        await self.session.end()

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
            ], None if session.shared else 0
        if self.reader is None:
            return [], None
        if self.reader not in session.table.active():
            # A player with nothing to decide must press a key too, to hide who has a decision.
            self._idle = session.shared
            return ([Button("1", say(Text("Continue")), self._continue)] if self._idle else []), None
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
        else:
            await self._carry_out(line)

    async def _carry_out(self, line: str) -> None:
        """Carries out the reader's line: a button of the menu, cards to go on from, a word, or a move."""
        assert self.reader is not None
        menu = self._moves.shown
        match typed_lines.meaning(self.session, self.reader, line, menu):
            case Pressed(item) if menu:
                self.query_one(CommandLine).value = ""
                await self._press(self.reader, menu.stamp, item)
            case Picked(path):
                self.query_one(CommandLine).value = ""
                self._moves.go(path)
                self._tell_path()
            case Asked("take back"):
                await self.action_take_back()
            case Asked("hint"):
                self.query_one(CommandLine).value = ""
                await self.action_hint()
            case Played(action):
                await self._play(action)
            case _:
                await self._play(line)

    async def _end_with(self, line: str) -> None:
        """Presses the button of a finished game that a typed line names by its key or its label."""
        if line.casefold() in typed_lines.LOOK_BACK:
            self.query_one(CommandLine).value = ""
            await self._look_back()
            return
        for button in self.query_one("#menu", ButtonGrid).buttons:
            if line.casefold() in (button.key, button.label.casefold()):
                self.query_one(CommandLine).value = ""
                await button.action()
                return
        self._refuse(Text("The game is over."))

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
