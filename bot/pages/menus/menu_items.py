"""A menu and its items, and how a typed line names one of them."""

from __future__ import annotations

from bot.pages.menus.labels import is_named
from engines.values import Value

Words = tuple[str, ...]
"""The words of a move, or of the path to a menu."""


class MenuItem(Value):
    """A button of a menu."""

    label: str
    words: Words
    """A whole move if ``done``; else the path of the menu that the button opens."""
    done: bool


class Menu(Value):
    """The menu of a seat, before its items are laid out as buttons."""

    stamp: int
    """The table's stamp when the menu was built."""
    path: Words
    """The words picked so far; empty at the beginning."""
    items: tuple[MenuItem, ...]
    begun: Words = ()
    """Words with which all items begin, shown above them in a terminal; a page shows ``path`` instead."""
    bare: str = ""
    """The verb of the items whose label is a card alone; empty if there are none."""


def pressed(menu: Menu, line: str) -> MenuItem | None:
    """The item that a typed line names: by number from 1 or by label; None if it names none.

    An item that opens a menu is also named by its last word, and by the letter of its group.
    """
    for number, item in enumerate(menu.items, 1):
        if line.strip() == str(number):
            return item
    found = [item for item in menu.items if is_named(line, item.label)]
    found += (item for item in menu.items if not item.done and is_named(line, item.label, item.words[-1]))
    return next(iter(found), None)
