"""Divides long texts, such as the rules of a game, into pages that a message has room for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from bot.model.ids import GameId
from bot.ports import NO_GAME, Action, Key, Limits, Page


def text_page(
    text: str, number: int, action: Action, words: str, limits: Limits, game: GameId = NO_GAME
) -> Page:
    """One page of a long text, with keys to the pages before and after; ``number`` counts from 0.

    The keys have the action, and as their words ``words`` and the number of the page.
    """
    parts = list(_parts(text, limits.text - limits.markup))
    number = min(max(number, 0), len(parts) - 1)
    keys = tuple(
        Key(label, action, f"{words} {n}".strip(), game) for n, label in neighbours(number, len(parts))
    )
    return Page.note(parts[number], keys=(keys,))


def neighbours(page: int, pages: int) -> list[tuple[int, str]]:
    """The pages before and after a page, counted from 0, and the labels of their keys."""
    beside = ((page - 1, f"‹ {page}/{pages}"), (page + 1, f"{page + 2}/{pages} ›"))
    return [(n, label) for n, label in beside if 0 <= n < pages]


def cost(text: str) -> int:
    """The most characters that a text takes in a message, with escapes and a line end."""
    # Deleting from bytes takes less than half of the time of counting each character.
    coded = text.encode(errors="surrogatepass")
    markdown = len(coded) - len(coded.translate(None, b"*_~|`\\[]()#"))
    html = len(coded) - len(coded.translate(None, b"<>&"))
    # An escape adds a backslash in Markdown, and at most four characters in HTML: ``&`` becomes ``&amp;``.
    return len(text) + markdown + 4 * html + 1


def _parts(text: str, room: int) -> Iterator[str]:
    """A long text in parts that fit in ``room``, divided between paragraphs if possible."""
    part = ""
    for paragraph in text.split("\n\n"):
        if part and cost(part) + cost(paragraph) + 2 > room:
            yield part
            part = ""
        part = f"{part}\n\n{paragraph}" if part else paragraph
        while cost(part) > room:
            most = bisect_right(range(len(part)), room, key=lambda n: cost(part[:n])) - 1
            line_end = part.rfind("\n", 0, most)
            end = line_end if line_end > 0 else most
            yield part[:end]
            part = part[end:].lstrip("\n")
    yield part
