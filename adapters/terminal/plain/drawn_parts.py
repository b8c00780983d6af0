"""Divides the drawing of a table into sections, so that a line interface can repeat one of them alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.terminal.session import Session
from engines.cards import Card
from engines.game import Name, Seat, Text
from engines.values import Value

_HEADING = re.compile(r"-+ .+ -+")
"""Matches the line with which a section begins: its title between dashes."""


class Section(Value):
    """Lines of a drawing, from one heading to the next."""

    lines: tuple[str, ...]

    def has(self, words: Sequence[str]) -> bool:
        """Whether all these words are among the lines; False if there are no words."""
        text = "\n".join(self.lines)
        return bool(words) and all(word in text for word in words)


def sections(drawing: str) -> tuple[Section, ...]:
    """The sections of a drawing; the lines before its first heading are a section too."""
    found: list[list[str]] = [[]]
    for line in drawing.split("\n"):
        if _HEADING.fullmatch(line):
            found.append([])
        found[-1].append(line)
    return tuple(Section(tuple(lines)) for lines in found if lines)


def hand(session: Session, seat: Seat, drawn: Sequence[Section]) -> tuple[Section, ...]:
    """The section with a player's hand; all sections if none shows a hand."""
    message = session.game.message(session.table.view(seat)) or {}
    held = [session.say.card(Card(card)) for card in message.get("hand", ())]
    return tuple(section for section in drawn if section.has(held))[:1] or tuple(drawn)


def table(session: Session, seat: Seat, drawn: Sequence[Section]) -> tuple[Section, ...]:
    """All sections without the hand; all sections if none would be left."""
    own = hand(session, seat, drawn)
    return tuple(section for section in drawn if section not in own) or tuple(drawn)


def score(session: Session, drawn: Sequence[Section]) -> tuple[str, ...]:
    """The points of all players in a sentence; without points, the section that names all players, if any."""
    say, names = session.say, [session.say.name(seat) for seat in range(len(session.table.players))]
    if points := session.game.points(session.table.view(None)):
        each = tuple(Text("{who} ({n})", who=Name(seat), n=n) for seat, n in enumerate(points))
        return (say(Text("Points: {points}", points=each)),)
    return next((section.lines for section in drawn if section.has(names)), ())
