"""What all screens have in common: they can be shown anew, and have a row of keys at the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.screen import Screen

from adapters.terminal.widgets import Offer, Shelf, rows_of

if TYPE_CHECKING:
    from adapters.terminal.app import TerminalApp


class Face(Screen[None]):
    """A screen that shows what is the case whenever it is told to."""

    app: TerminalApp

    def on_resize(self) -> None:
        self.redraw()

    async def on_shelf_pressed(self, message: Shelf.Pressed) -> None:
        await message.offer.act()

    def redraw(self) -> None:
        """Shows everything as it is now, in the language spoken now."""
        raise NotImplementedError

    def show_keys(self, keys: Sequence[Offer]) -> None:
        """Shows as many keys as stand in the last line, the first ones first."""
        width = self.size.width - 2
        n = next((n for n in range(len(keys), 1, -1) if rows_of(keys[:n], width) == 1), 1)
        self.query_one("#keys", Shelf).show(keys[:n], width)

    async def action_leave(self) -> None:
        """Goes back to the screen before."""
        # A screen that waited for its own removal would wait for ever.
        self.app.call_later(self.app.pop_screen)
