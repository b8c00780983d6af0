"""What all screens have in common: they can be shown anew, and have a row of keys at the bottom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.screen import Screen

from adapters.terminal.widgets import Offer, Shelf, rows_of

if TYPE_CHECKING:
    from adapters.terminal.app import TerminalApp


class Face(Screen[None]):
    """A screen that shows what is the case whenever it is told to."""

    app: TerminalApp
    _keys_page = 0

    def on_resize(self) -> None:
        self.redraw()

    async def on_shelf_pressed(self, message: Shelf.Pressed) -> None:
        await message.offer.act()

    def redraw(self) -> None:
        """Shows everything as it is now, in the language spoken now."""
        raise NotImplementedError

    def show_keys(self, keys: Sequence[Offer]) -> None:
        """Shows the keys in the last line; of more than fit the first ones, and a way to the others."""
        width = self.size.width - 1
        more = Offer("", "…", self._turn_keys, bare=True)
        pages = list(_lines(keys, more, width))
        page = pages[self._keys_page % len(pages)]
        self.query_one("#keys", Shelf).show([*page, more] if len(pages) > 1 else page, width)

    async def _turn_keys(self) -> None:
        self._keys_page += 1
        self.redraw()

    async def action_leave(self) -> None:
        """Goes back to the screen before."""
        # A screen that waited for its own removal would wait for ever.
        self.app.call_later(self.app.pop_screen)


def _lines(keys: Sequence[Offer], more: Offer, width: int) -> Iterator[Sequence[Offer]]:
    """The keys, as many at a time as stand in a line; several lines leave room for ``more``."""
    if rows_of(keys, width) <= 1:
        yield keys
        return
    while keys:
        n = next((n for n in range(len(keys), 1, -1) if rows_of([*keys[:n], more], width) == 1), 1)
        yield keys[:n]
        keys = keys[n:]
