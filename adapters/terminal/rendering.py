"""The contents of the table screen: its layout, the news, the handover of the keyboard, the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size

from adapters.terminal.session import Session
from adapters.terminal.widgets import centred, hanging_indent
from bot.pages.captions import deal_captions, result_captions, seed_captions, turn_caption
from engines.drawing import cells, cut
from engines.game import Name, Seat, Text

SIDE_BY_SIDE = 100
"""The width from which the news stand beside the table."""
_LINES = 400
"""Sentences of a long game that stay in the log."""


class ScreenLayout(NamedTuple):
    """The division of the screen, which follows from its size alone.

    So a drawing keeps its form while buttons and news come and go.
    """

    side: bool
    table: Size
    log_width: int
    """Cells for a sentence."""
    menu: Size
    """The most rows and columns for buttons."""

    @classmethod
    def of(cls, screen: Size) -> ScreenLayout:
        """The division of a screen."""
        width, height = screen
        side = width >= SIDE_BY_SIDE
        rows = 2 if height < 16 else 5 if width < 60 or height >= 32 else 3
        log_width = max(32, min(48, width * 3 // 10)) if side else width
        least_log = 0 if side else 3 if height >= 20 else 1
        # Below the table: the status, the line one types in, the keys.
        table_height = max(3, height - 3 - rows - least_log)
        table_width = width - log_width if side else width
        # Beside each text is a blank, and room for a scroll bar; between two texts a line.
        return cls(side, Size(table_width - 2, table_height), log_width - 2 - side, Size(width - 2, rows))


class News(NamedTuple):
    """A sentence about the game, and whether its reader has acted since."""

    text: str
    fresh: bool


def news(session: Session, reader: Seat | None, actors: Sequence[Seat]) -> Iterator[News]:
    """The news for a reader, fresh if later than the last move of the actors."""
    table, say = session.table, session.say
    moves = (entry.n for entry in table.entries if entry.kind == "move" and entry.seat in actors)
    acted = max(moves, default=-1)
    for text in deal_captions(table):
        yield News(say(text), False)
    for piece in table.news[-_LINES:]:
        if piece.event.to in (None, reader):
            yield News(say(piece.event.text), piece.n > acted)
    # The line that the deal came from would fill the screen; it is behind a button.
    for text in islice(seed_captions(table), 1) if table.result else ():
        yield News(say(text), False)


def news_content(pieces: Iterable[News], width: int) -> Content:
    """The news as lines, the fresh ones marked and bright."""
    fresh, stale = ("› ", "$foreground"), ("  ", "$foreground 60%")
    lines = []
    for one in pieces:
        marker, style = fresh if one.fresh else stale
        lines.append(hanging_indent(marker, one.text, width, style))
    return Content("\n").join(lines)


def status_line(session: Session, reader: Seat | None, width: int, *, mine: bool, hidden: bool) -> Content:
    """A rule with the turn on its left, bright if it is the reader's, and the game on its right."""
    say = session.say
    status = "" if hidden else say(turn_caption(session.table, reader))
    title = cut(say(session.game.title), max(0, width - cells(status) - 6))
    line = "─" * max(1, width - cells(status) - cells(title) - (6 if status else 4))
    turn = (f" {status} ", "bold $accent" if mine else "$foreground 80%") if status else ""
    return Content.assemble(
        ("─", "$primary"),
        turn,
        (line, "$primary"),
        (f" {title} ", "$foreground 60%"),
        ("─", "$primary"),
    )


def handover(session: Session, seat: Seat, size: Size) -> Content:
    """The text in place of the table while the keyboard is passed to a player."""
    say = session.say
    pass_on = Content.styled(say(Text("Pass the keyboard to {who}.", who=Name(seat))), "bold $accent")
    enter = Content.styled(say(Text("Press Enter when you are there.")), "$foreground 70%")
    return centred(Content("\n\n").join([pass_on, enter]), size)


def game_over(session: Session, width: int) -> Content:
    """The result, centred."""
    winner, *others = (session.say(text) for text in result_captions(session.table))
    lines = [f"♠ ♥ ♦ ♣   {winner}   ♣ ♦ ♥ ♠" if len(winner) < width - 20 else winner]
    first = Content.styled(lines[0], "bold $accent").wrap(width)
    rest = Content("  ".join(others)).wrap(width) if others else []
    return Content("\n").join([Content(""), *(line.center(width) for line in [*first, *rest]), Content("")])
