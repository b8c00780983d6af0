"""The menu of moves on the table screen: the words picked so far, and the page of buttons shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from textual.geometry import Size

from adapters.terminal.session import Session
from adapters.terminal.table_screen.picks import Picks
from adapters.terminal.widgets import Button, paginate, row_count
from bot.pages.menus.menu import can_begin
from bot.pages.menus.menu_items import Menu, MenuItem, Words
from engines.cards import is_card
from engines.game import Seat, Text
from engines.values import replace

_MOST_LISTED = 24
"""The most moves that a menu lists whole; more are grouped, as `bot.pages.menus.menu` says."""


class MoveMenu:
    """The state of the menu of the player at the keyboard."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.path: Words = ()
        """The words picked so far."""
        self.picks = Picks(session)
        """The cards picked on the drawing; the menu then has only the moves with all of them."""
        self._page = 0
        self.shown: Menu | None = None
        """The menu with only the items of the page on the screen; None if the buttons there are not moves."""

        self._length = 0
        """The number of items of the menu on all its pages."""

    @property
    def is_begun(self) -> bool:
        """Whether words or cards were picked, or the page was turned."""
        return bool(self.path or self._page or self.picks.words)

    @property
    def is_decided(self) -> bool:
        """Whether cards are picked and the menu has only one item with them, counting all its pages."""
        return bool(self.picks.words and self.shown and self._length == 1)

    def go(self, path: Words) -> None:
        """Sets the words picked so far, drops the picked cards and shows the first page."""
        self.path, self._page = path, 0
        self.picks.clear()

    def turn_page(self) -> None:
        """Shows the next page of buttons; after the last one, the first."""
        self._page += 1

    def pick(self, words: Words) -> None:
        """Sets the cards picked on the drawing, drops the picked words and shows the first page."""
        self.path, self._page = (), 0
        self.picks.words = words

    def menu(self, seat: Seat, room: Size | None = None) -> Menu:
        """The menu after the picked words or cards, all its pages.

        Moves that do not fit into ``room`` are grouped, unless a cell or a group is picked.
        """
        picked = self.picks.words
        if not all(map(is_card, picked)):
            return Menu(self._session.table.stamp, (), tuple(self.picks.items(seat)))
        return self._session.menu(
            seat, _MOST_LISTED, picked or self.path, partial(_fits, room) if room else None
        )

    def buttons(
        self,
        seat: Seat,
        room: Size,
        press: Callable[[Seat, int, MenuItem], Awaitable[None]],
        turn_page: Callable[[], Awaitable[None]],
        back: Sequence[Button],
    ) -> list[Button]:
        """The buttons of the current page; also sets ``shown``.

        ``press`` is called with the seat, the menu's stamp and the item.
        """
        menu, say = self.menu(seat, room), self._session.say
        labels = [item.label + ("" if item.done else " …") for item in menu.items]
        buttons = [
            Button("", label, partial(press, seat, menu.stamp, item))
            for label, item in zip(labels, menu.items, strict=True)
        ]
        # About as wide as the button will be: how many pages there are is not known yet.
        more = Button("+", say(Text("More")) + " 1/2", turn_page)
        pages = paginate(buttons, back, more, room)
        page = self._page = self._page % len(pages)
        more = replace(more, label=f"{say(Text('More'))} {page + 1}/{len(pages)}")
        self._length = len(menu.items)
        shown, first = pages[page], sum(map(len, pages[:page]))
        self.shown = replace(menu, items=menu.items[first : first + len(shown)])
        return [*shown, *([more] if len(pages) > 1 else []), *back]

    def goes_on(self, seat: Seat, stamp: int) -> bool:
        """Whether the picked words still begin a move; False if the player has `acted_since` the stamp."""
        if self._session.table.acted_since(seat, stamp):
            return False
        if self.picks.words:
            return bool(self.picks.items(seat))
        return self._leads_on(seat, self.path)

    def is_meant(self, seat: Seat, stamp: int, item: MenuItem) -> bool:
        """Whether a button still works; one of the current menu always does.

        One of an earlier menu does not after a move of its player or a take-back, nor if it opens a menu that
        has no moves any more.
        """
        table = self._session.table
        if stamp == table.stamp:
            return True
        return (item.done or self._leads_on(seat, item.words)) and not table.acted_since(seat, stamp)

    def _leads_on(self, seat: Seat, words: Words) -> bool:
        """Whether a menu can go on from these words."""
        return not words or can_begin(self._session.table, seat, words)


def _fits(room: Size, labels: Sequence[str]) -> bool:
    """Whether numbered buttons with these labels fit into the room."""
    return (
        row_count([Button(str(n), label, _nothing) for n, label in enumerate(labels, 1)], room.width)
        <= room.height
    )


async def _nothing() -> None: ...
