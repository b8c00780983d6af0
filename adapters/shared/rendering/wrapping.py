"""Wraps text and Markdown at a width in terminal cells, and removes the syntax of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engines.drawing import cells

_HEADING = re.compile(r"^#+ +")
"""Matches the marker at the start of a heading."""
_EMPHASIS = re.compile(r"(\*\*|`|(?<!\w)[*_](?=\S))(.+?)\1", re.DOTALL)
"""Matches bold, italic or code text between its marks."""
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
"""Matches a link; its group is the text."""
_MARKER = re.compile(r" *(?:#+|-|\d+\.) +")
"""Matches the marker at the start of a heading or of a list item, with its indentation."""


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines at most ``width`` cells wide; a word is divided only if it is wider."""
    return [line for paragraph in text.split("\n") for line in _wrapped(paragraph, width)]


def reflowed(markdown: str, width: int) -> list[str]:
    """Joins the lines of each paragraph and list item of a Markdown text, then wraps them at ``width`` cells.

    The further lines of a list item or a heading are indented as far as its text. The syntax stays.
    """
    blocks: list[str] = []
    for line in _with_headings_apart(markdown):
        if line.strip() and blocks and blocks[-1] and not _MARKER.match(line):
            blocks[-1] += " " + line.strip()
        else:
            blocks.append(line.rstrip())
    return [line for block in blocks for line in _wrapped_block(block, width)]


def plain_text(markdown: str) -> str:
    """A Markdown text without the syntax of headings, emphasis, code and links.

    A heading is set off by blank lines; an item of a list keeps its dash or its number.
    """
    text = "\n".join(_HEADING.sub("", line) for line in _with_headings_apart(markdown))
    return _LINK.sub(r"\1", _EMPHASIS.sub(r"\2", text))


def _with_headings_apart(markdown: str) -> Iterator[str]:
    """The lines of a Markdown text, with a blank line between each heading and the text beside it."""
    before = ""
    for line in markdown.split("\n"):
        if before.strip() and line.strip() and (_HEADING.match(before) or _HEADING.match(line)):
            yield ""
        yield line
        before = line


def _wrapped_block(block: str, width: int) -> Iterator[str]:
    """A paragraph, or a heading or list item with its further lines indented as far as its text."""
    marker = _MARKER.match(block)
    indent = marker.end() if marker else 0
    first, *others = wrapped(block[indent:], max(width - indent, 1))
    yield block[:indent] + first
    for line in others:
        yield " " * indent + line


def _wrapped(paragraph: str, width: int) -> Iterator[str]:
    """One paragraph in lines at most ``width`` cells wide."""
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
