"""Renders a page as lines of text: what is new to its reader, then the keys as numbered lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.ports import Key, Page
from engines.drawing import cells
from engines.values import replace

_MARGIN = 5
"""The width in cells of the number before a key; the further lines of a long label are indented by it."""
_HEADING = re.compile(r"^#+ +", re.MULTILINE)
_STRESS = re.compile(r"(\*\*|`|(?<!\w)[*_](?=\S))(.+?)\1", re.DOTALL)
"""Matches bold, slanted or code text between its marks."""
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARK = re.compile(r" *(?:#+|-|\d+\.) +")
"""Matches the marker at the start of a heading or of a list item in Markdown."""


def as_lines(page: Page, before: Page | None, width: int, sign: str = "") -> list[str]:
    """A page as lines at most ``width`` cells wide; ``before`` is the page that the reader was shown last.

    The lines are the news that ``before`` does not have, the panels that it does not have, the status and
    the keys. An unchanged page is rendered with all its panels: its reader has asked to see it again. Keys
    are numbered from 1, with ``sign`` before the number. Lines of a drawing and URLs are not wrapped.
    """
    told = max((line.n for line in before.news), default=-1) if before else -1
    known = before.panels if before else ()
    lines = [part for line in page.news if line.n > told for part in wrapped(line.text, width)]
    if before and not lines and replace(page, news=()) == replace(before, news=()):
        known = ()
    for panel in page.panels:
        if panel in known:
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


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines at most ``width`` cells wide; a word is divided only if it is wider."""
    return [line for paragraph in text.split("\n") for line in _wrapped(paragraph, width)]


def filled(markdown: str, width: int) -> list[str]:
    """A Markdown text as lines at most ``width`` cells wide; re-wraps each paragraph and list item."""
    blocks: list[str] = []
    for line in markdown.split("\n"):
        if line.strip() and blocks and blocks[-1] and not _MARK.match(line):
            blocks[-1] += " " + line.strip()
        else:
            blocks.append(line.rstrip())
    return [line for block in blocks for line in _filled(block, width)]


def without_marks(markdown: str) -> str:
    """A Markdown text without the marks of headings, of stress, of code and of links.

    A heading is set off by the lines around it; an item of a list keeps its dash or its number.
    """
    return _LINK.sub(r"\1", _STRESS.sub(r"\2", _HEADING.sub("", markdown)))


def _filled(block: str, width: int) -> Iterator[str]:
    mark = _MARK.match(block)
    begun = mark.end() if mark else 0
    first, *others = wrapped(block[begun:], max(width - begun, 1))
    yield block[:begun] + first
    for line in others:
        yield " " * begun + line


def _key_lines(number: str, key: Key, width: int) -> Iterator[str]:
    """A key's number and label, and the URL that it opens."""
    first, *others = wrapped(key.label, max(width - _MARGIN, 1))
    yield f"{number:>3}. {first}".rstrip()
    for line in (*others, *((key.url,) if key.url else ())):
        yield " " * _MARGIN + line


def _wrapped(paragraph: str, width: int) -> Iterator[str]:
    if cells(paragraph) <= width:
        # Splitting it into words would lose its indentation.
        yield paragraph
        return
    line = ""
    for word in paragraph.split(" "):
        longer = f"{line} {word}" if line else word
        if cells(longer) <= width:
            line = longer
            continue
        if line:
            yield line
        *full, line = _divided(word, width)
        yield from full
    yield line


def _divided(word: str, width: int) -> list[str]:
    """A word in pieces at most ``width`` cells wide."""
    pieces = [""]
    for char in word:
        if pieces[-1] and cells(pieces[-1] + char) > width:
            pieces.append("")
        pieces[-1] += char
    return pieces
