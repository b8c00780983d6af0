"""Renders a page as one message with buttons, cut to the limits of its platform."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import ceil

from adapters.shared.rendering.phone import SCREEN, drawing_lines, fitting_news, sentence_lines
from bot.pages.callback_data import data_of
from bot.pages.long_text import cost
from bot.pages.menus.rows import rows_of
from bot.ports import Deadline, Key, Limits, Page, Reply
from engines.drawing import cut
from engines.game import MoveStyle
from engines.values import Value, replace

DEADLINE_MARKUP = 60
"""The most characters of markup that a platform needs to count down to a deadline."""
_TOO_LITTLE_ROOM = 20
"""The room, in characters, up to which a line is dropped instead of cut."""


class Button(Value):
    """A button of a message."""

    label: str
    data: str = ""
    """The callback data."""
    url: str = ""
    """The address that the button opens; such a button has no callback data."""
    style: MoveStyle = "plain"
    copy: str = ""
    """The text that the button copies; such a button has neither callback data nor an address."""


Rows = tuple[tuple[Button, ...], ...]
"""Rows of buttons."""


class Select(Value):
    """A select menu."""

    title: str
    """The placeholder, shown while nothing is selected."""
    options: tuple[Button, ...]


class Message(Value):
    """A page as plain text, which a platform puts into its own markup, and rows of buttons."""

    above: tuple[str, ...] = ()
    """Sentences before the drawing, one a line."""
    drawing: str = ""
    """Monospace text."""
    below: tuple[str, ...] = ()
    """Sentences after the drawing, one a line."""
    rows: Rows = ()
    select: Select | None = None
    """More buttons, as a list below the rows."""
    deadline: Deadline | None = None
    """The last line of the text, in which a platform counts down."""
    about: str = ""
    """The id of the message to which this one is a reply; empty if it is none."""
    folded: tuple[str, ...] = ()
    """Sentences after those ``below``, which the reader unfolds."""
    link: tuple[str, str] | None = None
    """The title and the address that it opens where a platform has links; None if it opens none."""


def as_message(page: Page, limits: Limits) -> Message:
    """A page as a message: the title of the first panel, the news, the panels, the status, the buttons.

    `fitting_news` cuts the news of a game to what a phone has room for beside the other parts.
    """
    above: list[str] = []
    before_news = 0
    drawings: list[str] = []
    below: list[str] = []
    folded: list[str] = []
    for n, panel in enumerate(page.panels):
        text = folded if panel.folds and limits.folds else below if n else above
        if panel.title:
            text.append(panel.title)
        if n == 0:
            before_news = len(above)
        if panel.wraps:
            text += panel.lines
        else:
            drawings.append("\n".join(panel.lines))
    below += page.status
    rows, select = _buttons(page, limits)
    drawing = "\n\n".join(drawings)
    title = page.panels[0].title if page.panels else ""
    link = (title, page.link) if title and page.link else None
    news = [line.text for line in page.news]
    # A single piece of news is shown even without room.
    if len(news) > 1 and page.kind in ("turn", "waiting", "over"):
        deadline = (page.deadline.sentence,) if page.deadline else ()
        taken = sentence_lines((*above, *below, *deadline)) + drawing_lines(drawing)
        news = fitting_news(page.news, SCREEN - taken - len(rows) - bool(select))
    above[before_news:before_news] = news
    message = Message(
        tuple(above), drawing, tuple(below), rows, select, page.deadline, page.about, tuple(folded), link
    )
    return fitted(message, limits)


def reply_message(reply: Reply, limits: Limits) -> Message | None:
    """The notice and the page of a reply as one message; None if it has neither."""
    if reply.page:
        return noted(as_message(reply.page, limits), reply.notice)
    return Message((reply.notice,)) if reply.notice else None


def noted(message: Message, notice: str) -> Message:
    """The message with the notice as its first line, unless it has the notice's lines already."""
    if not notice or set(notice.splitlines()) <= set(message.above):
        return message
    return replace(message, above=(notice, *message.above))


def fitted(message: Message, limits: Limits) -> Message:
    """The message with lines above the drawing dropped or cut to fit the limit; all other parts are kept.

    The first line is mostly a title or a notice, the others mostly news, the oldest first: so the second line
    is dropped until two are left, then the first one. The line that is left is cut, or dropped where there
    are no more than `_TOO_LITTLE_ROOM` characters for it.
    """
    above, room = message.above, limits.text - limits.markup
    if message.deadline:
        room -= cost(message.deadline.sentence) + DEADLINE_MARKUP
    if message.link:
        room -= len(message.link[1])
    if cost("\n".join((*above, message.drawing, *message.below, *message.folded))) <= room:
        return message
    room -= sum(map(cost, (*message.below, *message.folded))) + cost(message.drawing)
    news = list(above)
    while len(news) > 1 and sum(map(cost, news)) > room:
        del news[1 if len(news) > 2 else 0]
    if sum(map(cost, news)) > room:
        news = [cut(line, max(room - 1, 1)) for line in news] if room > _TOO_LITTLE_ROOM else []
    return replace(message, above=tuple(news))


def _buttons(page: Page, limits: Limits) -> tuple[Rows, Select | None]:
    """The keys as rows of buttons and a select menu.

    A group without offers is one row, if the platform's rows are that long; on a player's menu, and where all
    buttons of a row are equally wide, it has as many rows as its labels need, if the message has enough. A
    group with offers has the rows that the groups without offers leave.
    """
    groups = [group for group in page.keys if group]
    without_offers = {
        n: [_button(key, limits) for key in group] for n, group in enumerate(groups) if not _has_offers(group)
    }
    # No label is cut if there are enough rows; else each row is filled.
    fixed: dict[int, Rows] = {}
    if page.kind == "turn" or limits.even:
        fixed = {n: _uncut_rows(row, limits) for n, row in without_offers.items()}
        with_offers = (keys for n, keys in enumerate(groups) if n not in without_offers)
        needed = sum(_rows_needed(page, keys, limits) for keys in with_offers)
        if needed + sum(map(len, fixed.values())) > limits.rows:
            fixed = {}
    fixed = fixed or {n: _full_rows(row, limits) for n, row in without_offers.items()}
    # A player's menu reserves a row for the keys that lead back or to another page even when it has none, so
    # that the offers stay in place when these keys come and go.
    room = limits.rows - max(sum(map(len, fixed.values())), page.kind == "turn")
    rows: list[tuple[Button, ...]] = []
    select = None
    for n, group in enumerate(groups):
        if n in fixed:
            rows += fixed[n]
            continue
        offers, select = _offer_rows(group, page.more, limits, room)
        rows += offers
    return tuple(rows), select


def _rows_needed(page: Page, offers: Sequence[Key], limits: Limits) -> int:
    """The rows that offers need to show their labels in full.

    On a player's menu fewer will do: one row and a select menu, or without select menus as few as can be.
    """
    if page.kind != "turn":
        return len(_uncut_counts([_button(key, limits) for key in offers], limits))
    return 2 if limits.choices and page.more else ceil(len(offers) / limits.row_keys)


def _full_rows(row: Sequence[Button], limits: Limits) -> Rows:
    """Buttons in one row, if the platform's rows are that long; else in as few as can be."""
    return tuple(tuple(row[n : n + limits.row_keys]) for n in range(0, len(row), limits.row_keys))


def _has_offers(group: Sequence[Key]) -> bool:
    """Whether a group has offers, whose number differs from page to page."""
    return any(key.offer for key in group)


def _offer_rows(keys: Sequence[Key], more: str, limits: Limits, rows: int) -> tuple[Rows, Select | None]:
    """Keys in at most ``rows`` rows; if a phone has no room for all, the last offers become a select menu.

    The select menu takes up one of the rows. Keys that are no offers stay buttons, below the offers, unless
    that would leave these fewer than two rows: then such keys count as offers. Without select menus, or with
    fewer than three offers, all keys stay buttons, in rows as full as they must be.
    """
    buttons = [_button(key, limits) for key in keys]
    counts = _uncut_counts(buttons, limits)
    if limits.choices and more and len(counts) > rows:
        offers = [button for key, button in zip(keys, buttons, strict=True) if key.offer]
        others = [button for key, button in zip(keys, buttons, strict=True) if not key.offer]
        foot = _uncut_rows(others, limits)
        if len(foot) > rows - 2:
            offers, foot = buttons, ()
        if len(offers) >= 3:
            room = rows - 1 - len(foot)
            # A select menu of one option would only hide it.
            shown = min(sum(_uncut_counts(offers, limits)[:room]), len(offers) - 2)
            head = _uncut_rows(offers[:shown], limits)
            return (*head, *foot), Select(_label(more, limits.label), tuple(offers[shown:]))
    if len(counts) > rows:
        # A row has more than a phone shows only if it must.
        per_row = min(limits.row_keys, ceil(len(buttons) / rows))
        counts = [per_row] * ceil(len(buttons) / per_row)
    return _divided(buttons, counts), None


def _divided(buttons: Sequence[Button], counts: Sequence[int]) -> Rows:
    """Divides buttons into rows with these numbers of buttons; the last row may have fewer."""
    ends = list(accumulate(counts))
    return tuple(tuple(buttons[end - count : end]) for count, end in zip(counts, ends, strict=True))


def _uncut_rows(buttons: Sequence[Button], limits: Limits) -> Rows:
    """Buttons in as many rows as a phone needs to show all labels in full."""
    return _divided(buttons, _uncut_counts(buttons, limits))


def _uncut_counts(buttons: Sequence[Button], limits: Limits) -> list[int]:
    """The number of buttons in each of the rows that a phone needs to show all labels in full."""
    return rows_of([button.label for button in buttons], limits)


def _button(key: Key, limits: Limits) -> Button:
    return Button(_label(key.label, limits.label), data_of(key, limits.data), key.url, key.style, key.copy)


@lru_cache(1 << 12)
def _label(words: str, most: int) -> str:
    """The words of a button, cut to ``most`` characters and cells; cached, since pages repeat most of them.

    Platforms count each combining mark of a name as a character.
    """
    short = cut(words, most)
    return short if len(short) <= most else short[: most - 1].rstrip() + "…"
