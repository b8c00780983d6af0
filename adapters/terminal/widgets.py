"""The parts that the screens are made of: panes of text, buttons, the line one types in.

Knows no game and no table.
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
class Offer:
    """Something to press, by its key or with the mouse."""

    key: str
    """What a person reads before the label; empty where no key presses it."""
    label: str
    act: Callable[[], Awaitable[None]]
    bare: bool = False
    """Stands without blanks around it."""

    def __str__(self) -> str:
        return self.label if self.bare else f" {self.shown_key}{self.label} "

    @property
    def shown_key(self) -> str:
        """The key as it stands before the label; a digit needs more than a blank before a card."""
        return f"{self.key}) " if self.key.isdecimal() else f"{self.key} " if self.key else ""


def shelves(offers: Sequence[Offer], width: int) -> tuple[int, ...]:
    """The widths of the columns in which the offers take the fewest rows, as ``ls`` lists files."""
    sizes = [cells(str(offer)) for offer in offers]
    for n in range(len(sizes), 1, -1):
        widths = tuple(max(sizes[column::n]) for column in range(n))
        if sum(widths) + n - 1 <= width:
            return widths
    return (min(width, max(sizes, default=0)),)


def rows_of(offers: Sequence[Offer], width: int) -> int:
    """How many rows the offers take."""
    return -(-len(offers) // len(shelves(offers, width))) if offers else 0


class Shelf(Widget, can_focus=False):
    """Buttons in aligned columns. One of them may be chosen, for Enter."""

    ALLOW_SELECT = False

    class Pressed(Message):
        """Somebody wants what a button offers."""

        def __init__(self, offer: Offer) -> None:
            super().__init__()
            self.offer = offer

    offers: tuple[Offer, ...] = ()
    chosen: int | None = None
    _hovered: int | None = None
    _rows = 0
    _widths: tuple[int, ...] = (1,)

    def show(
        self, offers: Sequence[Offer], width: int, chosen: int | None = None, *, keep_height: bool = False
    ) -> None:
        """Puts other buttons in place.

        What is below would jump if every menu took exactly the rows it needs; a menu that follows
        from another may keep them.
        """
        same = list(map(str, offers)) == list(map(str, self.offers))
        self.chosen = self.chosen if same and chosen is None else chosen
        self.offers, self._widths = tuple(offers), shelves(offers, width)
        rows = rows_of(offers, width)
        self.styles.height = self._rows = max(rows, self._rows if keep_height else 0)
        self.refresh()

    def move(self, key: str) -> None:
        """Chooses the button in the direction of an arrow key."""
        step = {"left": -1, "right": 1, "up": -len(self._widths), "down": len(self._widths)}[key]
        if self.chosen is None:
            self.chosen = 0 if self.offers else None
        elif 0 <= self.chosen + step < len(self.offers):
            self.chosen += step
        self.refresh()

    def offset_of(self, n: int) -> tuple[int, int]:
        """Where in the widget a button can be clicked."""
        down, across = divmod(n, len(self._widths))
        return sum(self._widths[:across]) + across + 1, down

    def render(self) -> Content:
        if not self.offers:
            return Content("")
        n = len(self._widths)
        lines = [self.offers[i : i + n] for i in range(0, len(self.offers), n)]
        pieces: list[tuple[str, str] | str] = []
        for down, line in enumerate(lines):
            for across, (offer, width) in enumerate(zip(line, self._widths, strict=False)):
                pieces += self._button(down * n + across, offer, width)
                pieces.append(" ")
            pieces[-1] = "\n"
        return Content.assemble(*pieces[:-1])

    def _button(self, n: int, offer: Offer, width: int) -> Iterator[tuple[str, str]]:
        text = pad(cut(str(offer), width), width)
        back = " on $primary-darken-2" if n == self._hovered else " on $surface"
        if n == self.chosen:
            yield text, "bold $background on $accent"
            return
        key = len(offer.shown_key) + 1
        yield text[:key], f"bold $accent{back}"
        yield text[key:], f"$foreground{back}"

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._hover(self._under(event))

    def on_leave(self) -> None:
        self._hover(None)

    def on_click(self, event: events.Click) -> None:
        if (n := self._under(event)) is not None:
            self.post_message(self.Pressed(self.offers[n]))

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
            if left <= at.x < left + width and n < len(self.offers):
                return n
            left += width + 1
        return None


class Pane(VerticalScroll, can_focus=False):
    """Lines of text as they are, scrolled where there are more than fit."""

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def show(self, text: Content) -> bool:
        """Puts another text in place; whether it differs from the one before."""
        static = self.query_one(Static)
        if isinstance(static.content, Content) and static.content.is_same(text):
            return False
        static.update(text)
        return True


class CommandLine(Input):
    """The line one types in; keys that would do nothing in it when it is empty steer the screen.

    What is marked as a whole is as good as gone: the next key that writes or steers takes its place.
    """

    STEERING = frozenset(
        ("escape", "backspace", "up", "down", "left", "right", "question_mark", *"0123456789")
    )
    REPLACING = STEERING - {"escape", "backspace", "up", "down", "left", "right"}
    """Steering keys that do not edit what is marked."""
    SCROLLING = frozenset(("pageup", "pagedown", "shift+up", "shift+down"))

    class Steered(Message):
        """A key that means the screen, not the line."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, suggester: Suggester | None = None) -> None:
        # What is half typed shall not be marked by a click elsewhere.
        super().__init__(compact=True, suggester=suggester, select_on_focus=False)
        # A blinking cursor would redraw twice a second.
        self.cursor_blink = False

    def on_key(self, event: events.Key) -> None:
        if event.key == "tab":
            self.action_end()
            self.action_cursor_right()
        elif event.key in self.SCROLLING or event.key in self._steering:
            if event.key not in self.SCROLLING:
                self.value = ""
            self.post_message(self.Steered(event.key))
        elif event.key == "escape":
            self.value = ""
        else:
            return
        event.stop()
        event.prevent_default()

    @property
    def _steering(self) -> frozenset[str]:
        if not self.value:
            return self.STEERING
        return self.REPLACING if self.selected_text == self.value else frozenset()

    def on_blur(self) -> None:
        """A click elsewhere must not leave anybody typing into nothing."""
        if self.screen.is_current:
            self.focus()


def inked(drawing: str) -> Content:
    """A drawing, its red suits red; nothing else is changed, since it is monospace text."""
    return Content(drawing).highlight_regex(f"[AKQJ0-9]*[{RED_SUITS}]", style="$error")


def centred(content: Content, size: Size) -> Content:
    """Text in the middle of a pane, wrapped to its width."""
    lines = [line.center(size.width) for line in content.wrap(max(1, size.width))]
    above = max(0, (size.height - len(lines)) // 2)
    return Content("\n").join([*[Content("")] * above, *lines])


def hanging(marker: str, text: str, width: int, style: str) -> Content:
    """A sentence after a marker, its further lines under its first."""
    lines = _wrapped(text, max(1, width - cells(marker)))
    return Content.styled(marker + ("\n" + " " * cells(marker)).join(lines), style)


@lru_cache(1024)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    """The lines of a sentence; kept, since all the news are laid out again after every move."""
    return tuple(line.plain for line in Content(text).wrap(width))


def paged(offers: Sequence[Offer], back: Sequence[Offer], more: Offer, room: Size) -> list[list[Offer]]:
    """The offers by page, with the digits that press them; several pages leave room for ``more``."""
    everything = _numbered(offers)
    if len(offers) <= len(_DIGITS) and rows_of([*everything, *back], room.width) <= room.height:
        return [everything]
    pages, left = [], list(offers)
    while left:
        n = next(
            (
                n
                for n in range(min(len(left), len(_DIGITS) - 1), 1, -1)
                if rows_of([*_numbered(left[:n]), more, *back], room.width) <= room.height
            ),
            1,
        )
        pages.append(_numbered(left[:n]))
        left = left[n:]
    return pages


def _numbered(offers: Sequence[Offer]) -> list[Offer]:
    return [replace(offer, key=key) for offer, key in zip(offers, _DIGITS, strict=False)]


_DIGITS = "1234567890"
