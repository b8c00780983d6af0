"""The widgets of the screens: panes of text, a grid of buttons, the command line.

They depend on no game and no table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.suggester import Suggester
from textual.widget import Widget
from textual.widgets import Input, Static

from engines.drawing import cells, cut, pad

RED_SUITS = "♥♦"


@dataclass(frozen=True, slots=True)
class Button:
    """A button, pressed by its key or with the mouse."""

    key: str
    """The name of the key, shown before the label; empty if the button has no key."""
    label: str
    action: Callable[[], Awaitable[None]]
    bare: bool = False
    """Whether the label is shown alone, without blanks around it and without the key."""

    def __str__(self) -> str:
        return self.label if self.bare else f" {self.key_text}{self.label} "

    @property
    def key_text(self) -> str:
        """The key as shown before the label; a digit gets a bracket, since a card may follow."""
        return f"{self.key}) " if self.key.isdecimal() else f"{self.key} " if self.key else ""


def column_widths(buttons: Sequence[Button], width: int) -> tuple[int, ...]:
    """The column widths with which the buttons take the fewest rows within a width, in cells."""
    sizes = [cells(str(button)) for button in buttons]
    for n in range(len(sizes), 1, -1):
        widths = tuple(max(sizes[column::n]) for column in range(n))
        if sum(widths) + n - 1 <= width:
            return widths
    return (min(width, max(sizes, default=0)),)


def row_count(buttons: Sequence[Button], width: int) -> int:
    """The number of rows that the buttons take in a width."""
    return -(-len(buttons) // len(column_widths(buttons, width))) if buttons else 0


class ButtonGrid(Widget, can_focus=False):
    """Buttons in aligned columns; Enter presses the highlighted one."""

    ALLOW_SELECT = False

    class Pressed(Message):
        """A button was clicked."""

        def __init__(self, button: Button) -> None:
            super().__init__()
            self.button = button

    buttons: tuple[Button, ...] = ()
    highlighted: int | None = None
    _hovered: int | None = None
    _rows = 0
    _widths: tuple[int, ...] = (1,)

    def show(
        self,
        buttons: Sequence[Button],
        width: int,
        highlighted: int | None = None,
        *,
        keep_height: bool = False,
    ) -> None:
        """Replaces the buttons; the highlight stays if they read the same and no other is given.

        With ``keep_height`` the grid does not shrink, so that the widgets below it do not jump.
        """
        same = list(map(str, buttons)) == list(map(str, self.buttons))
        self.highlighted = self.highlighted if same and highlighted is None else highlighted
        self.buttons, self._widths = tuple(buttons), column_widths(buttons, width)
        rows = row_count(buttons, width)
        self.styles.height = self._rows = max(rows, self._rows if keep_height else 0)
        self.refresh()

    def move(self, key: str) -> None:
        """Highlights the button in the direction of an arrow key."""
        step = {"left": -1, "right": 1, "up": -len(self._widths), "down": len(self._widths)}[key]
        if self.highlighted is None:
            self.highlighted = 0 if self.buttons else None
        elif 0 <= self.highlighted + step < len(self.buttons):
            self.highlighted += step
        self.refresh()

    def offset_of(self, n: int) -> tuple[int, int]:
        """The column and row of a button's second cell in the widget."""
        down, across = divmod(n, len(self._widths))
        return sum(self._widths[:across]) + across + 1, down

    def render(self) -> Content:
        if not self.buttons:
            return Content("")
        n = len(self._widths)
        lines = [self.buttons[i : i + n] for i in range(0, len(self.buttons), n)]
        pieces: list[tuple[str, str] | str] = []
        for down, line in enumerate(lines):
            for across, (button, width) in enumerate(zip(line, self._widths, strict=False)):
                pieces += self._button(down * n + across, button, width)
                pieces.append(" ")
            pieces[-1] = "\n"
        return Content.assemble(*pieces[:-1])

    def _button(self, n: int, button: Button, width: int) -> Iterator[tuple[str, str]]:
        text = pad(cut(str(button), width), width)
        back = " on $primary-darken-2" if n == self._hovered else " on $surface"
        if n == self.highlighted:
            yield text, "bold $background on $accent"
            return
        key = len(button.key_text) + 1
        yield text[:key], f"bold $accent{back}"
        yield text[key:], f"$foreground{back}"

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._hover(self._under(event))

    def on_leave(self) -> None:
        self._hover(None)

    def on_click(self, event: events.Click) -> None:
        if (n := self._under(event)) is not None:
            self.post_message(self.Pressed(self.buttons[n]))

    def _hover(self, n: int | None) -> None:
        if n != self._hovered:
            self._hovered = n
            self.refresh()

    def _under(self, event: events.MouseEvent) -> int | None:
        at = event.get_content_offset(self)
        if at is None:
            return None
        left = 0
        for across, width in enumerate(self._widths):
            n = at.y * len(self._widths) + across
            if left <= at.x < left + width and n < len(self.buttons):
                return n
            left += width + 1
        return None


class TextPane(VerticalScroll, can_focus=False):
    """Monospace text that scrolls when it does not fit."""

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def show(self, text: Content) -> bool:
        """Shows a text; returns whether it differs from the text shown before."""
        static = self.query_one(Static)
        if isinstance(static.content, Content) and static.content.is_same(text):
            return False
        static.update(text)
        return True


class CommandLine(Input):
    """The input line for moves; while it is empty, digits, arrows and Escape operate the menu instead.

    While the whole line is selected, a digit or question mark also goes to the menu and clears the line.
    """

    NAVIGATION = frozenset(
        ("escape", "backspace", "up", "down", "left", "right", "question_mark", *"0123456789")
    )
    REPLACING = NAVIGATION - {"escape", "backspace", "up", "down", "left", "right"}
    """The navigation keys that would replace a selected line rather than edit it."""
    SCROLLING = frozenset(("pageup", "pagedown", "shift+up", "shift+down"))

    class Navigated(Message):
        """A key was pressed that operates the screen, not the line."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, suggester: Suggester | None = None) -> None:
        # A click elsewhere must not select a half typed line.
        super().__init__(compact=True, suggester=suggester, select_on_focus=False)
        # A blinking cursor would redraw twice a second.
        self.cursor_blink = False

    def on_key(self, event: events.Key) -> None:
        if event.key == "tab":
            self.action_end()
            self.action_cursor_right()
        elif event.key in self.SCROLLING or event.key in self._navigation_keys:
            if event.key not in self.SCROLLING:
                self.value = ""
            self.post_message(self.Navigated(event.key))
        elif event.key == "escape":
            self.value = ""
        else:
            return
        event.stop()
        event.prevent_default()

    @property
    def _navigation_keys(self) -> frozenset[str]:
        if not self.value:
            return self.NAVIGATION
        return self.REPLACING if self.selected_text == self.value else frozenset()

    def on_blur(self) -> None:
        """Takes the focus back after a click elsewhere, so that keys are not lost."""
        if self.screen.is_current:
            self.focus()


def colour_suits(drawing: str) -> Content:
    """A drawing with red cards in red; text that looks like markup is shown literally."""
    return Content(drawing).highlight_regex(f"[AKQJ0-9]*[{RED_SUITS}]", style="$error")


def centred(content: Content, size: Size) -> Content:
    """Text in the middle of a pane, wrapped to its width."""
    lines = [line.center(size.width) for line in content.wrap(max(1, size.width))]
    above = max(0, (size.height - len(lines)) // 2)
    return Content("\n").join([*[Content("")] * above, *lines])


def hanging_indent(marker: str, text: str, width: int, style: str) -> Content:
    """A sentence after a marker, wrapped to a width, its later lines indented by the marker's width."""
    lines = _wrapped(text, max(1, width - cells(marker)))
    return Content.styled(marker + ("\n" + " " * cells(marker)).join(lines), style)


@lru_cache(1024)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    """The lines of a wrapped sentence; cached, since all news are laid out again after every move."""
    return tuple(line.plain for line in Content(text).wrap(width))


def paginate(
    buttons: Sequence[Button], back: Sequence[Button], more: Button, room: Size
) -> list[list[Button]]:
    """Divides buttons into pages that fit ``room``, and gives each the digit that presses it.

    Every page leaves room for the ``back`` buttons, and for ``more`` if there are several pages.
    """
    everything = _numbered(buttons)
    if len(buttons) <= len(_DIGITS) and row_count([*everything, *back], room.width) <= room.height:
        return [everything]
    pages, left = [], list(buttons)
    while left:
        n = next(
            (
                n
                for n in range(min(len(left), len(_DIGITS) - 1), 1, -1)
                if row_count([*_numbered(left[:n]), more, *back], room.width) <= room.height
            ),
            1,
        )
        pages.append(_numbered(left[:n]))
        left = left[n:]
    return pages


def _numbered(buttons: Sequence[Button]) -> list[Button]:
    return [replace(button, key=key) for button, key in zip(buttons, _DIGITS, strict=False)]


_DIGITS = "1234567890"
