"""The command line of a table, into which moves are typed."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from adapters.terminal.typed_lines import LONGEST_LINE


class CommandLine(Input):
    """The input line for moves; while it is empty, some keys operate the screen instead.

    Digits are typed like letters, but operate the screen if ``acts`` says so. While the whole line is
    selected, as after a refusal, these digits and the keys of `REPLACING` still operate the screen.
    """

    ANYWHERE = frozenset(("up", "down", "pageup", "pagedown", "shift+up", "shift+down"))
    """The keys that operate the screen whatever is typed."""
    WHILE_EMPTY = frozenset(("escape", "backspace", "left", "right", "tab", "space"))
    """The keys that operate the screen only while the line is empty."""
    REPLACING = frozenset(("question_mark", "plus"))
    """The keys that, like digits that ``acts`` accepts, need a line that is empty or wholly selected."""

    class Navigated(Message):
        """A key was pressed that operates the screen, not the line."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Shortened(Message):
        """Several lines were pasted, and only the first of them is in the command line."""

    def __init__(self, suggester: Suggester, acts: Callable[[str], bool]) -> None:
        # A click elsewhere must not select a half typed line.
        super().__init__(compact=True, suggester=suggester, select_on_focus=False, max_length=LONGEST_LINE)
        self._acts = acts
        # A blinking cursor would redraw twice a second.
        self.cursor_blink = False

    def on_key(self, event: events.Key) -> None:
        if event.key in self.ANYWHERE or self._operates(event):
            if event.key not in self.ANYWHERE:
                self.value = ""
            self.post_message(self.Navigated(event.key))
        elif event.key == "tab":
            # At the end of the line, a step to the right accepts the suggestion.
            self.action_end()
            self.action_cursor_right()
        elif event.key == "escape":
            self.value = ""
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Keeps the first line that is not blank, which Enter carries out; Textual then inserts it.

        A long line is cut, since Textual inserts nothing of a text for which there is no room.
        """
        lines = [line for line in event.text.splitlines() if line.strip()]
        room = LONGEST_LINE - len(self.value) + len(self.selected_text)
        event.text = next(iter(lines), "")[:room]
        if len(lines) > 1:
            self.post_message(self.Shortened())

    def on_blur(self) -> None:
        """Takes the focus back after a click elsewhere, so that keys are not lost."""
        if self.screen.is_active:
            self.focus()

    def _operates(self, event: events.Key) -> bool:
        """Whether a key operates the screen, given what is typed."""
        if self.value and self.selected_text != self.value:
            return False
        if not self.value and event.key in self.WHILE_EMPTY:
            return True
        return event.key in self.REPLACING or (event.key.isdecimal() and self._acts(event.key))
