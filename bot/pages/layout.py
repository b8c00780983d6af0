"""How a page is laid out: buttons in rows, sentences cut to what a message may hold."""

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
"""Stands in a button that belongs to no table."""

_ROW_WIDTH = 36
"""Cells of labels that fit beside each other on a phone."""
_MANY = 10
"""Buttons that one takes in at a glance, even if they are wide."""

Rows = tuple[tuple[Key, ...], ...]

KeySpec = tuple[Text, Action, Style]
"""A button in words: its label, what it does, how it looks."""


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes about a table, in a language, for a platform."""

    table: Table
    say: Speech
    limits: Limits

    @property
    def title(self) -> str:
        """What the table is called."""
        return self.say(Text("{game}, table {n}", game=self.table.game.title, n=self.table.number))

    def key(self, action: Action, words: str, label: str, style: Style = "plain") -> Key:
        """A button that does something at the table."""
        data = CallbackData(self.table.id, self.table.stamp, action, words).spelled(self.limits.data)
        return Key(cut(label, self.limits.label), data, style=style)

    def row(self, *offers: KeySpec) -> tuple[Key, ...]:
        """Buttons beside each other."""
        return tuple(self.key(action, "", self.say(label), style) for label, action, style in offers)


def fitted(page: Page, limits: Limits) -> Page:
    """A page that a platform takes: the oldest sentences before the drawing go first."""
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
    """Buttons in rows as wide as a phone likes them, wider where there are many."""
    if not keys:
        return ()
    wide = min(limits.row, max(_wide(keys, limits), ceil(len(keys) / rows)))
    return tuple(tuple(keys[n : n + wide]) for n in range(0, len(keys), wide))


def spread(
    keys: Sequence[Key], limits: Limits, rows: int, say: Speech, stay: Collection[Key] = ()
) -> tuple[Rows, Chooser | None]:
    """Buttons in rows; of more than a phone likes, the first ones, and a list of the others below them.

    Those that are to ``stay`` are buttons anyway, below the first ones.
    """
    others = [key for key in keys if key not in stay]
    foot = _at_ease([key for key in keys if key in stay], limits)
    if len(foot) > rows - 2:
        others, foot = list(keys), ()
    if not limits.choices or len(keys) <= _MANY or len(others) < 3 or len(_at_ease(keys, limits)) <= rows:
        return rows_of(keys, limits, rows), None
    room = rows - 1 - len(foot)
    # A list of one would only hide it.
    shown = next(n for n in range(len(others) - 2, -1, -1) if len(_at_ease(others[:n], limits)) <= room)
    title = say(Text("{n} more to choose from", n=len(others) - shown))
    head = _at_ease(others[:shown], limits)
    return (*head, *foot), Chooser(cut(title, limits.label), tuple(others[shown:]))


def _at_ease(keys: Sequence[Key], limits: Limits) -> Rows:
    """Buttons in as many rows as a phone needs to break or cut none."""
    return rows_of(keys, limits, max(len(keys), 1))


def _wide(keys: Sequence[Key], limits: Limits) -> int:
    """How many buttons beside each other a phone shows without breaking or cutting any."""
    widest = max(cells(key.label) for key in keys)
    return max(1, min(limits.row, _ROW_WIDTH // (widest + 4)))


def leaf(text: str, number: int, action: Action, words: str, limits: Limits) -> Page:
    """A page of a long text, from 0, with buttons to its neighbours."""
    leaves = list(_leaves(text, limits.text - limits.markup - 100))
    number = min(max(number, 0), len(leaves) - 1)
    turns = turns_at(number, len(leaves))
    keys = tuple(
        Key(label, CallbackData(NO_GAME, 0, action, f"{words} {n}").spelled(limits.data))
        for n, label in turns
    )
    return Page((leaves[number],), rows=(keys,) if keys else ())


def turns_at(page: int, pages: int) -> list[tuple[int, str]]:
    """The pages beside one, counted from 0, and what leads there is called."""
    beside = ((page - 1, f"‹ {page}/{pages}"), (page + 1, f"{page + 2}/{pages} ›"))
    return [(n, label) for n, label in beside if 0 <= n < pages]


def _cost(text: str) -> int:
    """How many characters a line or a drawing takes when it is written with escapes and a line end."""
    return len(text) + sum(map(text.count, "*_~|`\\[]()#")) + 4 * sum(map(text.count, "<>&")) + 1


def _leaves(text: str, room: int) -> Iterator[str]:
    """A long text in parts, divided between paragraphs where that can be."""
    leaf = ""
    for paragraph in text.split("\n\n"):
        if leaf and _cost(leaf) + _cost(paragraph) + 2 > room:
            yield leaf
            leaf = ""
        leaf = f"{leaf}\n\n{paragraph}" if leaf else paragraph
        while _cost(leaf) > room:
            end = leaf.rfind("\n", 0, room // 2) if "\n" in leaf[: room // 2] else room // 2
            yield leaf[:end]
            leaf = leaf[end:].lstrip("\n")
    yield leaf
