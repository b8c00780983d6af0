"""Finds the cards, cells and groups that a drawing shows, so that they can be clicked and highlighted.

A drawing is text made by the game; it shows a card by its spelling, a cell or a group by a short name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from engines.cards import BACKS, Card

_CARD = re.compile(r"(?<![0-9A-Za-z])(10|[2-9AJQK])([♠♥♦♣SHDC])([rb]?)(?![0-9A-Za-z])")
"""Matches the name of a card in a drawing: its rank, its suit and perhaps its back."""
_CHARACTERS_BESIDE = 3
"""The most characters from the name of a card to the border of its box, the border included."""
_LINES_BELOW = 3
"""The most lines below the name of a card down to the lower border of its box, the border included."""


class Drawn(NamedTuple):
    """A card, a cell or a group in a drawing."""

    word: str
    """Its word in moves."""
    line: int
    start: int
    end: int
    """The characters of its name in its line, without the one at ``end``."""
    top: int
    bottom: int
    left: int
    right: int
    """The lines and the characters of its box, the last included; those of its name if it has none."""

    def holds(self, line: int, column: int) -> bool:
        """Whether a character of the drawing is inside its box."""
        return self.top <= line <= self.bottom and self.left <= column <= self.right


def find(drawing: str, names: Mapping[str, str], *, two_packs: bool = False) -> tuple[Drawn, ...]:
    """Finds the cards, cells and groups in a drawing, line by line.

    ``names`` maps the names of cells and groups in the drawing to their words in moves. In games of
    ``two_packs`` a card in a box has the letter of its back below its name; one whose back the drawing does
    not show is left out.
    """
    lines = drawing.split("\n")
    found = []
    for n, line in enumerate(lines):
        for match in _CARD.finditer(line):
            back = match[3] or (_back_below(lines, n, match.start()) if two_packs else "")
            if bool(back) == two_packs:
                word = str(Card(match[1] + match[2] + back))
                found.append(_placed(lines, word, n, match.start(), match.end()))
        for name, start in _names_in(line, names):
            found.append(_placed(lines, names[name], n, start, start + len(name)))
    return tuple(found)


def find_at(found: Iterable[Drawn], line: int, column: int) -> Drawn | None:
    """Finds the card, cell or group at a place of the drawing; None if there is none."""
    return next((drawn for drawn in found if drawn.holds(line, column)), None)


def _names_in(line: str, names: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The names that stand alone in a line, between wide gaps, and where they start; ``!`` may follow one."""
    for name in names:
        for match in re.finditer(rf"(?:(?<=\s\s)|(?<=^)|(?<=^\s)){re.escape(name)}(?=\s\s|$|\s?!)", line):
            yield name, match.start()


def _back_below(lines: Sequence[str], n: int, start: int) -> str:
    """The letter of a card's back, which stands in its box below the name; empty if there is none."""
    below = lines[n + 1][max(0, start - 2) : start + 3] if n + 1 < len(lines) else ""
    found = re.search(rf"(?<![A-Za-z])[{''.join(BACKS)}](?![A-Za-z])", below)
    return found[0] if found else ""


def _placed(lines: Sequence[str], word: str, n: int, start: int, end: int) -> Drawn:
    """The card, cell or group whose name stands in line ``n``; with its box if borders are near."""
    left = next(
        (at for at in range(start - 1, start - 1 - _CHARACTERS_BESIDE, -1) if _is_border(lines, n, at)), None
    )
    right = next((at for at in range(end, end + _CHARACTERS_BESIDE) if _is_border(lines, n, at)), None)
    if left is None or right is None:
        return Drawn(word, n, start, end, top=n, bottom=n, left=start, right=end - 1)
    below = (at for at in range(n + 1, n + 1 + _LINES_BELOW) if _at(lines, at, left) not in ("|", " "))
    bottom = min(next(below, n), len(lines) - 1)
    return Drawn(word, n, start, end, top=max(0, n - 1), bottom=bottom, left=left, right=right)


def _is_border(lines: Sequence[str], n: int, at: int) -> bool:
    """Whether a character next to a name belongs to the border of a box."""
    return _at(lines, n, at) == "|" or _at(lines, n - 1, at) == "."


def _at(lines: Sequence[str], n: int, at: int) -> str:
    return lines[n][at] if 0 <= n < len(lines) and 0 <= at < len(lines[n]) else ""
