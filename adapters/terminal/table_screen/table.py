"""The screen of a game: its buttons, its keys and its command line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType

from adapters.terminal.rendering import ScreenLayout
from adapters.terminal.rivals import LENGTHS, first_to_label
from adapters.terminal.table_screen.command_line import CommandLine
from adapters.terminal.table_screen.lines import MORE, TableLines
from adapters.terminal.widgets import Button, ButtonGrid, TextPane
from engines.game import Name, Text


class TableScreen(TableLines):
    """Shows a table as the player at the keyboard may see it, and takes their moves."""

    is_table = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "pass_keyboard"),
        Binding("f6", "take_back"),
        Binding("f7", "hint"),
    ]

    _chooses_match = False
    """Whether the buttons of a finished game are the lengths of a match."""

    def on_mount(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._chooses_match = False
        super()._begin()

    async def on_unmount(self) -> None:
        await self.session.end()

    def _show_keys(self) -> None:
        self.show_keys(self._keys())

    def _keys(self) -> list[Button]:
        """The keys in the last lines, the most important first."""
        app, say = self.app, self.session.say
        suits, short = (Text("Suits"), "♠♥♦") if self.session.setup.letters else (Text("Letters"), "SHD")
        letters = Button("F4", say(suits), app.action_letters, short=short)
        return [*self._playing_keys(), Button("F3", say(Text("Games")), app.action_games), letters]

    def _playing_keys(self, *others: Button) -> list[Button]:
        """The keys for this game, with others after those for its rules and for quitting."""
        app = self.app
        scroll = [Button("PgDn", self.session.say(Text("More")), self._page_down)] if self._overflows else []
        history = Button("PgUp", self.session.say(Text("History")), self.action_history)
        return [
            app.rules_key(), app.quit_key(), *others, *self._pass_keys(), *self._take_back_keys(),
            *self._hint_keys(), history, *scroll, app.language_key(),
        ]  # fmt: skip

    def _pass_keys(self) -> list[Button]:
        """The F5 key, with which a player with an optional move takes the keyboard, if there is one."""
        seat = self._next_optional_player()
        if seat is None:
            return []
        return [Button("F5", self.session.say(Text("I am {who}", who=Name(seat))), self.action_pass_keyboard)]

    def _take_back_keys(self) -> list[Button]:
        """The F6 key, which takes the last move at this keyboard back, if there is one."""
        if self.session.last_mover() is None:
            return []
        say = self.session.say
        return [Button("F6", say(Text("Take back")), self.action_take_back, short=say(Text("Undo it")))]

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
            return [
                Button("Enter", say(Text("I am {who}", who=Name(self.next_reader))), self._take_keyboard)
            ], 0
        if session.table.result:
            buttons = self._match_buttons() if self._chooses_match else self._end_buttons()
            # At a shared keyboard, Enter only says that a player is there.
            return buttons, None if session.shared or self._chooses_match else 0
        if self.reader is None:
            return [], None
        if self.reader not in session.table.active():
            # A player with nothing to decide must press a key too, to hide who has a decision.
            self._idle = session.shared
            return ([Button("1", say(Text("Continue")), self._continue)] if self._idle else []), None
        picked = self._moves.picks.words
        leads_back = self._moves.path or picked or self._has_only_optional_move(self.reader)
        back = [Button("Esc", say(Text("Back")), self._back)] if leads_back else []
        buttons = self._moves.buttons(self.reader, layout.menu, self._press, self._turn_page, back)
        return buttons, 0 if self._moves.is_decided else None

    def _end_buttons(self) -> Sequence[Button]:
        """The buttons of a finished game."""
        say = self.session.say
        return [
            Button("1", say(Text("Rematch")), self._rematch),
            Button("2", say(Text("Match")) + MORE, self._choose_match),
            Button("3", say(Text("Another game")), self.app.action_games),
            Button("4", say(Text("Look back")), self._analyse),
            Button("5", say(Text("Check the deal")), partial(self.app.check_deal, self.session)),
            Button("6", say(Text("Quit")), self.app.action_quit),
        ]

    def _match_buttons(self) -> Sequence[Button]:
        """The lengths of a match that a rematch can begin; also single games if a match is on."""
        say, running = self.session.say, self.session.setup.first_to
        lengths = [n for n in (0, *LENGTHS) if n or running]
        labels = [say(first_to_label(n) if n else Text("single games")) for n in lengths]
        buttons = [
            Button(str(key), label[0].upper() + label[1:], partial(self._begin_match, n))
            for key, (n, label) in enumerate(zip(lengths, labels, strict=True), 1)
        ]
        return [*buttons, Button("Esc", say(Text("Back")), self._back)]

    async def _choose_match(self) -> None:
        """Shows the lengths of a match instead of the other buttons of a finished game."""
        self._chooses_match = True
        self.notify_player(None)

    async def _back(self) -> None:
        if self._chooses_match:
            self._chooses_match = False
            self.notify_player(None)
        else:
            await super()._back()

    async def on_command_line_navigated(self, message: CommandLine.Navigated) -> None:
        menu, key = self.query_one("#menu", ButtonGrid), message.key
        if key in ("pageup", "pagedown", "shift+up", "shift+down"):
            await self._scroll(key)
        elif key in ("up", "down", "left", "right"):
            self._steer(key)
        elif key == "tab":
            menu.move("right")
        elif key == "space":
            self._keep_cursor()
        elif key == "question_mark":
            await self.app.action_rules()
        elif key in ("escape", "backspace"):
            self._recall.leave()
            await (self._escape() if key == "escape" else self._back())
        elif not (key.isdecimal() and self.session.table.result):
            # A digit may have been meant for the menu before the game ended; it presses no button of the end.
            for button in menu.buttons:
                if button.key == {"plus": "+"}.get(key, key):
                    await button.action()

    async def _page_down(self) -> None:
        await self._scroll("pagedown")

    async def _scroll(self, key: str) -> None:
        """Scrolls the table, or with Shift the news; PgUp at the top of the table shows the whole history."""
        table, log = self.query_one("#table", TextPane), self.query_one("#log", TextPane)
        pane = log if "shift" in key else table
        if key == "pageup" and not table.scroll_y:
            await self.action_history()
        elif key.endswith("up"):
            pane.scroll_page_up(animate=False)
        else:
            pane.scroll_page_down(animate=False)
