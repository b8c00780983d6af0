"""The widgets of the screens: panes of text, a grid of buttons.

They depend on no game and no table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Static

from engines.cards import STAR
from engines.drawing import cells, cut, pad
from engines.values import Value, replace

RED_SUITS = "♥♦"
"""The suits that are drawn in red."""
_NARROW = 80
"""The width, in cells, below which the keys may take two lines of a screen of at least `_HIGH` lines."""
_HIGH = 20
"""The least height, in lines, of a screen that may give two lines to keys."""


class Button(Value):
    """A button, pressed by its key or with the mouse."""

    key: str
    """The name of the key, shown before the label; empty if the button has no key."""
    label: str
    action: Callable[[], Awaitable[None]]
    short: str = ""
    """A shorter label where there is little room; empty if there is none."""

    def __str__(self) -> str:
        return f" {self.key_text}{self.label} "

    @property
    def key_text(self) -> str:
        """The key as shown before the label; a digit gets a bracket, since a card may follow."""
        return f"{self.key}) " if self.key.isdecimal() else f"{self.key} " if self.key else ""


def key_rows(screen: Size) -> int:
    """The lines that keys may take at the bottom of a screen."""
    return 2 if screen.width < _NARROW and screen.height >= _HIGH else 1


def column_widths(buttons: Sequence[Button], width: int) -> tuple[int, ...]:
    """The column widths with which the buttons take the fewest rows within a width, in cells."""
    sizes = [cells(str(button)) for button in buttons]
    for n in range(len(sizes), 1, -1):
        widths = tuple(max(sizes[column::n]) for column in range(n))
        if sum(widths) + n - 1 <= width:
            return widths
    return (min(width, max(sizes, default=0)),)


class ButtonCells(NamedTuple):
    """The cells of a button in its grid."""

    row: int
    left: int
    width: int


def places(buttons: Sequence[Button], width: int, *, flows: bool = False) -> tuple[ButtonCells, ...]:
    """Where buttons stand in a width: in aligned columns, or one after the other if the grid ``flows``."""
    if flows:
        return tuple(_flowing(buttons, width))
    widths = column_widths(buttons, width)
    lefts = [sum(widths[:column]) + column for column in range(len(widths))]
    return tuple(
        ButtonCells(n // len(widths), lefts[n % len(widths)], widths[n % len(widths)])
        for n in range(len(buttons))
    )


def _flowing(buttons: Sequence[Button], width: int) -> Iterator[ButtonCells]:
    """The cells of buttons that stand one after the other; a button without room begins a new row."""
    row = left = 0
    for button in buttons:
        size = min(width, cells(str(button).strip()))
        if left and left + size > width:
            row, left = row + 1, 0
        yield ButtonCells(row, left, size)
        left += size + 1


def row_count(buttons: Sequence[Button], width: int, *, flows: bool = False) -> int:
    """The number of rows that the buttons take in a width."""
    return max((place.row for place in places(buttons, width, flows=flows)), default=-1) + 1


class Paragraph(Static):
    """Text that is wrapped, in a widget as high as its lines."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        # Textual may have measured the earlier text and not have shown it yet; it would keep that size.
        # `merge_rules` without rules changes nothing, but makes it measure again.
        self.styles.merge_rules({})
        super().update(content, layout=layout)


class ButtonGrid(Widget, can_focus=False):
    """Buttons in aligned columns, or one after the other; Enter presses the highlighted one."""

    ALLOW_SELECT = False

    class Pressed(Message):
        """A button was clicked."""

        def __init__(self, button: Button) -> None:
            super().__init__()
            self.button = button

    buttons: tuple[Button, ...] = ()
    highlighted: int | None = None
    is_steered = False
    """Whether the arrows have led to the highlighted button."""
    _hovered: int | None = None
    _rows = 0
    _places: tuple[ButtonCells, ...] = ()
    _flows = False

    def show(
        self,
        buttons: Sequence[Button],
        width: int,
        highlighted: int | None = None,
        *,
        keep_height: bool = False,
        flows: bool = False,
    ) -> None:
        """Replaces the buttons; the highlight stays if they read the same and no other is given.

        With ``keep_height`` the grid does not shrink, so that the widgets below it do not jump.
        """
        same = list(map(str, buttons)) == list(map(str, self.buttons))
        if not same or highlighted is not None:
            self.highlight(highlighted)
        self.buttons, self._flows = tuple(buttons), flows
        self._places = places(buttons, width, flows=flows)
        rows = row_count(buttons, width, flows=flows)
        self.styles.height = self._rows = max(rows, self._rows if keep_height else 0)
        self.refresh()

    @property
    def is_in_first_row(self) -> bool:
        """Whether the highlighted button is in the first row."""
        return self.highlighted is not None and self._places[self.highlighted].row == 0

    def highlight(self, n: int | None) -> None:
        """Highlights the button that Enter would press; None for no button."""
        self.highlighted, self.is_steered = n, False
        self.refresh()

    def move(self, key: str) -> None:
        """Highlights the button in the direction of an arrow key, or the first if none is highlighted."""
        self.is_steered = bool(self.buttons)
        if self.highlighted is None:
            self.highlighted = 0 if self.buttons else None
        elif key in ("left", "right"):
            step = 1 if key == "right" else -1
            self.highlighted = min(max(0, self.highlighted + step), len(self.buttons) - 1)
        else:
            self.highlighted = self._beyond(self.highlighted, -1 if key == "up" else 1)
        self.refresh()

    def offset_of(self, n: int) -> tuple[int, int]:
        """A place to click a button: the column and row of its second cell in the widget."""
        return self._places[n].left + 1, self._places[n].row

    def render(self) -> Content:
        pieces: list[tuple[str, str] | str] = []
        row = end = 0
        for n, (button, place) in enumerate(zip(self.buttons, self._places, strict=True)):
            if place.row > row:
                pieces.append("\n")
                row, end = place.row, 0
            pieces.append(" " * (place.left - end))
            pieces += self._button(n, button, place.width)
            end = place.left + place.width
        return Content.assemble(*pieces)

    def _button(self, n: int, button: Button, width: int) -> Iterator[tuple[str, str]]:
        """The pieces of a button's text with their styles."""
        label = str(button).strip() if self._flows else str(button)
        text = pad(cut(label, width), width)
        ground = " on $primary-darken-2" if n == self._hovered else " on $surface"
        if n == self.highlighted:
            yield text, "bold $background on $accent"
            return
        key = len(button.key_text) + (not self._flows)
        yield text[:key], f"bold $accent{ground}"
        yield text[key:], f"$foreground{ground}"

    def _beyond(self, n: int, step: int) -> int:
        """The button above or below a button, or the button itself if there is none."""
        here = self._places[n]
        row = [m for m, place in enumerate(self._places) if place.row == here.row + step]
        return min(row, key=lambda m: abs(self._places[m].left - here.left), default=n)

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
        """The button under the mouse; None if there is none."""
        at = event.get_content_offset(self)
        if at is None:
            return None
        for n, (row, left, width) in enumerate(self._places):
            if row == at.y and left <= at.x < left + width:
                return n
        return None


class TextPane(VerticalScroll, can_focus=False):
    """Monospace text that scrolls when it does not fit."""

    def compose(self) -> ComposeResult:
        yield Paragraph(markup=False)

    def show(self, text: Content) -> bool:
        """Shows a text; returns whether it differs from the text shown before."""
        static = self.query_one(Static)
        if isinstance(static.content, Content) and static.content.is_same(text):
            return False
        static.update(text)
        return True


def colour_suits(drawing: str) -> Content:
    """A drawing with red cards in red and stars in gold; text that looks like markup is shown literally."""
    content = Content(drawing).highlight_regex(f"[AKQJ0-9]*[{RED_SUITS}]", style="$error")
    return content.highlight_regex(STAR, style="$accent")


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
    """Divides buttons into pages that fit ``room``, and gives each the number that presses it.

    Every page leaves room for the ``back`` buttons, and for ``more`` if there are several pages. It has at
    least one button, even if that does not fit.
    """
    everything = _numbered(buttons)
    if row_count([*everything, *back], room.width) <= room.height:
        return [everything]
    pages, rest = [], list(buttons)
    while rest:
        n = next(
            (
                n
                for n in range(len(rest), 1, -1)
                if row_count([*_numbered(rest[:n]), more, *back], room.width) <= room.height
            ),
            1,
        )
        pages.append(_numbered(rest[:n]))
        rest = rest[n:]
    return pages


def _numbered(buttons: Sequence[Button]) -> list[Button]:
    """The buttons of a page, with their numbers from 1 as keys."""
    return [replace(button, key=str(n)) for n, button in enumerate(buttons, 1)]
