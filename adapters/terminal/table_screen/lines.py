"""Carries out the lines typed at the screen of a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from adapters.terminal import typed_lines
from adapters.terminal.rivals import first_to_from
from adapters.terminal.table_screen.cards import TableCards
from adapters.terminal.table_screen.command_line import CommandLine
from adapters.terminal.typed_lines import TypedCards, TypedItem, TypedMove, TypedWord, Word
from adapters.terminal.widgets import ButtonGrid
from bot.inbox.moves.menus import CHANGED, READING
from bot.model.tables import Refused
from engines.game import Name, Seat, Text
from engines.values import replace

MORE = " …"
"""The end of the label of a button that leads to other buttons."""


class TableLines(TableCards):
    """Carries out typed lines: the number or name of a button, cards, a word for the screen, or a move."""

    _numbered = False
    """Whether the highlighted button is the one whose number is typed."""

    def _acts(self, digit: str) -> bool:
        if self.session.table.result:
            # Players who go on typing numbers would leave the result unread. Enter still presses a button.
            return False
        numbers = [button.key for button in self.query_one("#menu", ButtonGrid).buttons]
        # A player with nothing to decide presses the same keys as one who decides.
        if self.reader is not None and (self._moves.shown or self._idle):
            return typed_lines.acts_at_once(self.session, self.reader, digit, numbers)
        return digit in numbers

    def on_input_changed(self) -> None:
        """Highlights the button whose number is typed; removes a refusal once the refused line is empty."""
        line, menu = self.query_one(CommandLine).value.strip(), self.query_one("#menu", ButtonGrid)
        numbers = [button.key for button in menu.buttons]
        if self._numbered or line in numbers:
            self._numbered = line in numbers
            menu.highlight(numbers.index(line) if self._numbered else None)
        if self._refused and not line:
            self.notify_player(None)
        if not line:
            self._recall.leave()

    async def on_input_submitted(self) -> None:
        line = self.query_one(CommandLine).value.strip()
        menu = self.query_one("#menu", ButtonGrid)
        if line:
            self._numbered = False
            self._recall.add(self._typist(), line)
            await self._obey(line)
        elif self._has_just_ended():
            self._refuse(CHANGED)
        elif menu.highlighted is not None:
            await menu.buttons[menu.highlighted].action()
        elif self._moves.shown:
            menu.move("right")

    def on_command_line_shortened(self) -> None:
        # Moves played line by line would go by unseen, and a later one may answer another question.
        self.notify_player(
            Text("You pasted several lines, but only the first is here. Paste them one by one."), calm=True
        )

    async def on_button_grid_pressed(self, message: ButtonGrid.Pressed) -> None:
        if self._has_just_ended() and message.button in self.query_one("#menu", ButtonGrid).buttons:
            message.prevent_default()
            self._refuse(CHANGED)

    async def _obey(self, line: str) -> None:
        """Carries out a typed line."""
        keys = {button.key: button.action for button in self.query_one("#menu", ButtonGrid).buttons}
        if self._idle and line in keys:
            self._empty()
            await keys[line]()
        elif self.reader is not None and not self.session.table.result and self.next_reader is None:
            await self._carry_out(self.reader, line)
        elif (typed := typed_lines.word_of_line(line)) and typed.word in self._always():
            self._empty()
            await self._always(typed.argument)[typed.word]()
        elif self.session.table.result:
            await self._obey_after_end(line)
        elif self.next_reader is not None:
            # The line is emptied, so that Enter then does what is asked.
            self._empty()
            self.notify_player(Text("First press Enter, {who}.", who=Name(self.next_reader)))
        else:
            self._refuse(Text("Nobody at this keyboard can play right now."))

    def _always(self, argument: str = "") -> Mapping[Word, Callable[[], Awaitable[None]]]:
        """The handlers of words that may be typed at any time; ``argument`` is what was typed after one."""
        app = self.app
        return {
            "leaderboard": partial(app.show_records, "leaderboard", argument),
            "profile": partial(app.show_records, "profile", argument),
            "replay": partial(self._replay, argument),
            "history": self.action_history, "rules": app.action_rules, "help": app.action_rules,
            "quit": app.action_quit,
        }  # fmt: skip

    async def _replay(self, game: str) -> None:
        """Replays the named game, or this screen's game if it is over; else lists the finished games."""
        try:
            if game:
                await self.app.replay_again(game)
            elif self.session.table.result:
                await self.app.replay(self.session)
            else:
                await self.app.show_records("replay", "")
        except Refused as refused:
            self.notify_player(refused.reason)

    def _in_turn(self, argument: str = "") -> Mapping[Word, Callable[[], Awaitable[None]]]:
        """The handlers of the words, other than settings, that a player at the keyboard may type."""
        shown: tuple[Word, ...] = ("hand", "table", "score", "look")
        return {
            **self._always(argument), **dict.fromkeys(shown, self._show_again), "back": self._back,
            "take back": self.action_take_back, "hint": self.action_hint,
        }  # fmt: skip

    async def _show_again(self) -> None:
        self._moves.go(())
        self.notify_player(None)

    def _empty(self) -> None:
        """Empties the command line and removes an earlier refusal; the caller may then refuse this line."""
        line = self.query_one(CommandLine)
        # The message of the change would come after the new refusal, and remove it.
        with line.prevent(CommandLine.Changed):
            line.value = ""
        if self._refused:
            self.notify_player(None)

    async def _carry_out(self, seat: Seat, line: str) -> None:
        """Carries out the line of the player who has the keyboard: a button, cards, a word or a move."""
        menu = self._moves.shown
        match typed_lines.read_line(self.session, seat, line, menu):
            case TypedItem(item) if menu:
                self._empty()
                await self._press(seat, menu.stamp, item)
            case TypedCards(path):
                self._empty()
                self._open(path)
            case TypedWord("suggestions" | "forced" as word, value):
                self._empty()
                self.notify_player(typed_lines.change_setting(self.session, word, value), calm=True)
            case TypedWord(word, argument) if word in self._in_turn():
                self._empty()
                await self._in_turn(argument)[word]()
            case TypedMove(action):
                await self._play(action)
            case _:
                await self._play(line)

    async def _obey_after_end(self, line: str) -> None:
        """Carries out a line after the end: words for a look back or a match, or a button's key or label."""
        if line.isdecimal() and self._has_just_ended():
            self._refuse(CHANGED)
            return
        if line.casefold() in typed_lines.LOOK_BACK:
            self._empty()
            await self._analyse()
            return
        if first_to := first_to_from(line):
            self._empty()
            await self._begin_match(first_to)
            return
        for button in self.query_one("#menu", ButtonGrid).buttons:
            if line.casefold() in (button.key, button.label.removesuffix(MORE).casefold()):
                self._empty()
                await button.action()
                return
        self._refuse(Text("The game is over."))

    def _has_just_ended(self) -> bool:
        """Whether the game ended less than `READING` seconds ago: a choice now was meant for the old menu."""
        session = self.session
        # An end in the future is one from before the clock was set back.
        is_new = 0 <= session.service.clock.now() - session.table.changed < READING
        return bool(session.table.result) and is_new

    async def _begin_match(self, first_to: int) -> None:
        """Deals a rematch, the first game of a match to this number of wins; with 0 a single game."""
        if self.session.table.result:
            self.session.setup = replace(self.session.setup, first_to=first_to)
            await self._rematch()

    async def _rematch(self) -> None:
        """Deals a rematch, unless an earlier press has dealt it already."""
        if self.session.table.result:
            await self.session.rematch()
            self._begin()

    async def _analyse(self) -> None:
        try:
            await self.app.analyse(self.session)
        except Refused as refused:
            self.notify_player(refused.reason)
