"""Layout: buttons in rows, and texts cut to the limits of a message."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from bot.i18n import Speech
from bot.pages.callback_data import Action, CallbackData
from bot.ports import Chooser, Key, Limits, Page, Style
from bot.tables.table import Table
from engines.drawing import cells, cut
from engines.game import Text

NO_GAME = "0" * 10
"""Stands for the table's id in the data of buttons that belong to no table."""

_ROW_WIDTH = 36
"""Cells that a row of buttons has on a phone."""
_MANY = 10
"""The most buttons that are always shown as buttons, without a select menu."""

Rows = tuple[tuple[Key, ...], ...]

KeySpec = tuple[Text, Action, Style]
"""A button as declared: its label, its action, its style."""


@dataclass(frozen=True, slots=True)
class Composer:
    """Composes the title and buttons of a table's pages, in a reader's language and a platform's limits."""

    table: Table
    say: Speech
    limits: Limits

    @property
    def title(self) -> str:
        """The name of the table."""
        return self.say(Text("{game}, table {n}", game=self.table.game.title, n=self.table.number))

    def key(self, action: Action, words: str, label: str, style: Style = "plain") -> Key:
        """A button of the table."""
        data = CallbackData(self.table.id, self.table.stamp, action, words).spelled(self.limits.data)
        return Key(cut(label, self.limits.label), data, style=style)

    def key_row(self, *specs: KeySpec) -> tuple[Key, ...]:
        """A row of buttons."""
        return tuple(self.key(action, "", self.say(label), style) for label, action, style in specs)


def fitted(page: Page, limits: Limits) -> Page:
    """A page cut to the limits of a message; the oldest news above the drawing is dropped first."""
    if not all(page.rows):
        page = replace(page, rows=tuple(filter(None, page.rows)))
    if _cost("\n".join((*page.above, page.drawing, *page.below))) <= limits.text - limits.markup:
        return page
    room = limits.text - limits.markup - sum(map(_cost, page.below)) - _cost(page.drawing)
    above = list(page.above)
    while len(above) > 1 and sum(map(_cost, above)) > room:
        del above[1 if len(above) > 2 else 0]
    if sum(map(_cost, above)) > room:
        above = [cut(line, max(room - 1, 1)) for line in above] if room > 20 else []
    return replace(page, above=tuple(above))


def rows_of(keys: Sequence[Key], limits: Limits, rows: int) -> Rows:
    """Buttons in at most ``rows`` rows; a row has more than a phone shows whole only if it must."""
    if not keys:
        return ()
    per_row = min(limits.row_keys, max(_fitting_in_row(keys, limits), ceil(len(keys) / rows)))
    return tuple(tuple(keys[n : n + per_row]) for n in range(0, len(keys), per_row))


def with_chooser(
    keys: Sequence[Key], limits: Limits, rows: int, say: Speech, stay: Collection[Key] = ()
) -> tuple[Rows, Chooser | None]:
    """Buttons in rows; if a phone has no room for all, the last become a select menu.

    The buttons in ``stay`` are kept out of the select menu, below the others, unless they need nearly
    all rows.
    """
    others = [key for key in keys if key not in stay]
    foot = _uncut_rows([key for key in keys if key in stay], limits)
    if len(foot) > rows - 2:
        others, foot = list(keys), ()
    if not limits.choices or len(keys) <= _MANY or len(others) < 3 or _uncut_height(keys, limits) <= rows:
        return rows_of(keys, limits, rows), None
    room = rows - 1 - len(foot)
    # A select menu of one option would only hide it.
    shown = next(n for n in range(len(others) - 2, -1, -1) if _uncut_height(others[:n], limits) <= room)
    title = say(Text("{n} more to choose from", n=len(others) - shown))
    head = _uncut_rows(others[:shown], limits)
    return (*head, *foot), Chooser(cut(title, limits.label), tuple(others[shown:]))


def _uncut_rows(keys: Sequence[Key], limits: Limits) -> Rows:
    """Buttons in as many rows as a phone needs to show all labels in full."""
    return rows_of(keys, limits, max(len(keys), 1))


def _uncut_height(keys: Sequence[Key], limits: Limits) -> int:
    """The number of rows that a phone needs to show all labels in full."""
    return ceil(len(keys) / _fitting_in_row(keys, limits)) if keys else 0


def _fitting_in_row(keys: Sequence[Key], limits: Limits) -> int:
    """The number of buttons that a phone shows in a row with all labels in full."""
    widest = max(cells(key.label) for key in keys)
    return max(1, min(limits.row_keys, _ROW_WIDTH // (widest + 4)))


def text_page(text: str, number: int, action: Action, words: str, limits: Limits) -> Page:
    """One page of a long text, with buttons to the pages before and after; ``number`` counts from 0."""
    parts = list(_parts(text, limits.text - limits.markup - 100))
    number = min(max(number, 0), len(parts) - 1)
    turns = neighbours(number, len(parts))
    keys = tuple(
        Key(label, CallbackData(NO_GAME, 0, action, f"{words} {n}").spelled(limits.data))
        for n, label in turns
    )
    return Page((parts[number],), rows=(keys,) if keys else ())


def neighbours(page: int, pages: int) -> list[tuple[int, str]]:
    """The pages before and after a page, counted from 0, and the labels of their buttons."""
    beside = ((page - 1, f"‹ {page}/{pages}"), (page + 1, f"{page + 2}/{pages} ›"))
    return [(n, label) for n, label in beside if 0 <= n < pages]


def _cost(text: str) -> int:
    """The most characters that a text takes in a message, with escapes and a line end."""
    return len(text) + sum(map(text.count, "*_~|`\\[]()#")) + 4 * sum(map(text.count, "<>&")) + 1


def _parts(text: str, room: int) -> Iterator[str]:
    """A long text in parts that fit in ``room``, divided between paragraphs if possible."""
    part = ""
    for paragraph in text.split("\n\n"):
        if part and _cost(part) + _cost(paragraph) + 2 > room:
            yield part
            part = ""
        part = f"{part}\n\n{paragraph}" if part else paragraph
        while _cost(part) > room:
            end = part.rfind("\n", 0, room // 2) if "\n" in part[: room // 2] else room // 2
            yield part[:end]
            part = part[end:].lstrip("\n")
    yield part
