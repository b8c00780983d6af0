"""The lines that the players at a keyboard have typed, which the arrow up recalls."""

from __future__ import annotations

from engines.game import Seat

_MOST_LINES = 200
"""The most lines kept for a player."""


class Recall:
    """Recalls a player's own lines, also those that were refused; each player has only their own."""

    def __init__(self) -> None:
        self._lines: dict[Seat | None, list[str]] = {}
        self._at = 0
        """How many lines the recalled line lies back; 0 if none is recalled."""
        self._seat: Seat | None = None
        """The player who has recalled the line."""

    def is_on(self, seat: Seat | None) -> bool:
        """Whether this player has recalled a line, and has not entered or left it since."""
        return self._at > 0 and self._seat == seat

    def add(self, seat: Seat | None, line: str) -> None:
        """Keeps a line that a player has typed, unless it repeats their last."""
        lines = self._lines.setdefault(seat, [])
        if lines[-1:] != [line]:
            lines.append(line)
        del lines[:-_MOST_LINES]
        self._at = 0

    def leave(self) -> None:
        """Forgets which line is recalled: `older` then begins with the latest again."""
        self._at = 0

    def older(self, seat: Seat | None, shown: str = "") -> str | None:
        """The line before the one recalled; None if there is none.

        Recalling begins with the latest line, or with the one before it if the latest is ``shown`` already.
        """
        if not self.is_on(seat):
            self._at, self._seat = 0, seat
        lines = self._lines.get(seat, [])
        if not self._at and lines[-1:] == [shown]:
            self._at = 1
        if self._at >= len(lines):
            return None
        self._at += 1
        return lines[-self._at]

    def newer(self, seat: Seat | None) -> str:
        """The line after the one recalled; empty after the latest, and if none is recalled."""
        self._at = self._at - 1 if self.is_on(seat) else 0
        return self._lines[seat][-self._at] if self._at else ""
