"""Renders a page as lines of text: what is new to its reader, then the keys as numbered lines."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.shared.rendering.wrapping import wrapped
from bot.ports import Key, Page
from engines.values import replace

_NUMBER_WIDTH = 5
"""The cells before the label of a key: three for number and sign, a full stop, a space."""


def as_lines(page: Page, before: Page | None, width: int, sign: str = "") -> list[str]:
    """A page as lines at most ``width`` cells wide; ``before`` is the page that the reader was shown last.

    The lines are the news later than that of ``before``, the panels that it does not have, the status, the
    deadline and the keys. If the page differs from ``before`` at most in old news, all panels are shown
    again: the reader has asked to see the page. Keys are numbered from 1, with ``sign`` before the number.
    Lines of a drawing and URLs are not wrapped.
    """
    last_shown = max((line.n for line in before.news), default=-1) if before else -1
    shown_panels = before.panels if before else ()
    lines = [part for line in page.news if line.n > last_shown for part in wrapped(line.text, width)]
    if before and not lines and replace(page, news=()) == replace(before, news=()):
        shown_panels = ()
    for panel in page.panels:
        if panel in shown_panels:
            continue
        if panel.title:
            lines += wrapped(panel.title, width)
        for line in panel.lines:
            lines += wrapped(line, width) if panel.wraps else line.split("\n")
    for line in page.status:
        lines += wrapped(line, width)
    if page.deadline:
        lines += wrapped(page.deadline.sentence, width)
    for n, key in enumerate(page.numbered, 1):
        lines += _key_lines(f"{sign}{n}", key, width)
    return lines


def _key_lines(number: str, key: Key, width: int) -> Iterator[str]:
    """A key's number and label, and the URL that it opens."""
    first, *others = wrapped(key.label, max(width - _NUMBER_WIDTH, 1))
    yield f"{number:>3}. {first}".rstrip()
    for line in (*others, *((key.url,) if key.url else ())):
        yield " " * _NUMBER_WIDTH + line
