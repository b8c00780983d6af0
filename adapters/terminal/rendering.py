"""Lays out the table screen and formats its news, status line, handover of the keyboard and result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size

from adapters.terminal.session import Session
from adapters.terminal.widgets import centred, hanging_indent, key_rows
from bot.pages.captions import result_captions, seed_captions, turn_caption
from bot.tables.table import Table
from engines.drawing import cells, cut
from engines.game import Name, Seat, Text

SIDE_BY_SIDE = 100
"""The screen width, in cells, from which the news are shown beside the table instead of below it."""
_LATEST_NEWS = 400
"""The number of the latest pieces of news that the log considers; it shows those for its reader."""


class ScreenLayout(NamedTuple):
    """The sizes of the parts of the table screen, in cells.

    They do not depend on its buttons and news, so that a drawing keeps its form when these change.
    """

    side: bool
    """Whether the news are beside the table."""
    table: Size
    """The most columns and rows for the drawing of the table."""
    log_width: int
    """The width of a sentence in the log."""
    menu: Size
    """The most columns and rows for buttons."""
    spare: int
    """The rows of the log that a table which does not fit may take."""

    @classmethod
    def of(cls, screen: Size, guide: int = 0) -> ScreenLayout:
        """The layout for a screen of this size, of which a guide takes ``guide`` rows; 0 if none is shown.

        While a guide is shown, news and buttons have fewer rows, so that the table loses fewer.
        """
        width, height = screen
        side = width >= SIDE_BY_SIDE
        menu_rows = 2 if height < 16 else 5 if width < 60 or height >= 32 else 3
        log_width = max(32, min(48, width * 3 // 10)) if side else width
        least_log = 0 if side else 3 if height >= 20 else 1
        if guide:
            menu_rows, least_log = min(menu_rows, 3), min(least_log, 1)
        # Two rows are taken by the status line and the command line.
        table_height = max(3, height - 2 - key_rows(screen) - menu_rows - least_log - guide)
        table_width = width - log_width if side else width
        # In each pane two columns are a blank and the scroll bar; beside the table the log has a border too.
        return cls(
            side,
            table=Size(table_width - 2, table_height),
            log_width=log_width - 2 - side,
            menu=Size(width - 2, menu_rows),
            spare=max(0, least_log - 1),
        )


class LogLine(NamedTuple):
    """A sentence in the log of the screen, ``fresh`` until its reader acts again."""

    text: str
    fresh: bool


def news(
    session: Session,
    table: Table,
    reader: Seat | None,
    actors: Sequence[Seat],
    most: int | None = _LATEST_NEWS,
) -> Iterator[LogLine]:
    """How the cards were shuffled, the news that a reader may see, and after the end the seed.

    Of the news only the latest ``most`` pieces are considered, for None all; those later than the last move
    or take-back of ``actors`` are fresh.
    """
    say = session.say
    acted = max((table.moved_in.get(seat, -1) for seat in actors), default=-1)
    for text in session.deal_captions():
        yield LogLine(say(text), False)
    for piece in table.news[-most if most else 0 :]:
        if piece.event.to in (None, reader):
            yield LogLine(say(piece.event.text), piece.n > acted)
    # Only the seed is shown: the line that proves the deal would fill the screen, and has a button.
    for text in islice(seed_captions(table), 1) if table.result else ():
        yield LogLine(say(text), False)


def news_content(pieces: Iterable[LogLine], width: int) -> Content:
    """The news as wrapped lines; fresh ones are marked and bright."""
    fresh, stale = ("› ", "$foreground"), ("  ", "$foreground 60%")
    lines = []
    for line in pieces:
        marker, style = fresh if line.fresh else stale
        lines.append(hanging_indent(marker, line.text, width, style))
    return Content("\n").join(lines)


def status_line(session: Session, reader: Seat | None, width: int, *, mine: bool, hidden: bool) -> Content:
    """A horizontal rule with the turn on its left and the game's title on its right.

    The turn is bright if ``mine`` and left out if ``hidden``.
    """
    say = session.say
    status = "" if hidden else say(turn_caption(session.table, reader))
    title = cut(say(session.title()), max(0, width - cells(status) - 6))
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
    """The text that replaces the table while the keyboard is passed to a player."""
    say = session.say
    pass_on = Content.styled(say(Text("Pass the keyboard to {who}.", who=Name(seat))), "bold $accent")
    enter = Content.styled(say(Text("Press Enter when you have it.")), "$foreground 70%")
    return centred(Content("\n\n").join([pass_on, enter]), size)


def game_over(session: Session, width: int) -> Content:
    """The winner and the other lines of the result, centred."""
    winner, *others = (session.say(text) for text in (*result_captions(session.table), *session.score()))
    headline = f"♠ ♥ ♦ ♣   {winner}   ♣ ♦ ♥ ♠" if cells(winner) < width - 20 else winner
    first = Content.styled(headline, "bold $accent").wrap(width)
    wrapped = Content("  ".join(others)).wrap(width) if others else []
    return Content("\n").join(
        [Content(""), *(line.center(width) for line in [*first, *wrapped]), Content("")]
    )
