"""The menu of moves on the table screen: the words picked so far, and the page of buttons shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from textual.geometry import Size

from adapters.terminal.session import Session
from adapters.terminal.widgets import Button, paginate
from bot.pages.menu import Menu, MenuItem, Words
from engines.game import Seat, Text

_LISTED = 10
"""Moves that are listed whole before a card is asked for first: as many as there are digits."""


class MoveMenu:
    """The menu of the player at the keyboard."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.path: Words = ()
        """The words picked so far."""
        self._page = 0
        self.shown: Menu | None = None
        """The part of the menu on the screen; None where the buttons are no moves."""

    @property
    def is_begun(self) -> bool:
        """Whether words were picked or another page is shown."""
        return bool(self.path or self._page)

    def go(self, path: Words) -> None:
        """Continues from these words."""
        self.path, self._page = path, 0

    def turn_page(self) -> None:
        self._page += 1

    def menu(self, seat: Seat) -> Menu:
        """The whole menu after the words picked."""
        return self._session.menu(seat, _LISTED, self.path)

    def buttons(
        self,
        seat: Seat,
        room: Size,
        press: Callable[[Seat, int, MenuItem], Awaitable[None]],
        turn_page: Callable[[], Awaitable[None]],
        back: Sequence[Button],
    ) -> list[Button]:
        """The buttons of the page; ``press`` gets the seat, the menu's stamp and the item."""
        menu, say = self.menu(seat), self._session.say
        labels = [item.label + ("" if item.done else " …") for item in menu.items]
        buttons = [
            Button("", label, partial(press, seat, menu.stamp, item))
            for label, item in zip(labels, menu.items, strict=True)
        ]
        more = Button("0", say(Text("More")) + " 1/2", turn_page)
        pages = paginate(buttons, back, more, room)
        page = self._page % len(pages)
        more = replace(more, label=f"{say(Text('More'))} {page + 1}/{len(pages)}")
        shown, first = pages[page], sum(map(len, pages[:page]))
        self.shown = replace(menu, items=menu.items[first : first + len(shown)])
        return [*shown, *([more] if len(pages) > 1 else []), *back]

    def goes_on(self, seat: Seat, stamp: int) -> bool:
        """Whether the words picked at an earlier stamp still lead to a move of their player."""
        return self._leads_on(seat, self.path) and not self._session.table.acted_since(seat, stamp)

    def is_meant(self, seat: Seat, stamp: int, item: MenuItem) -> bool:
        """Whether a button still means what its player saw when they pressed it."""
        table = self._session.table
        if stamp == table.stamp:
            return True
        return (item.done or self._leads_on(seat, item.words)) and not table.acted_since(seat, stamp)

    def _leads_on(self, seat: Seat, words: Words) -> bool:
        """Whether more words can follow these."""
        return bool(self._session.game.choices(self._session.table.state, seat, words).words)
