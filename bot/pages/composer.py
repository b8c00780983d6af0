"""Composes the parts that the pages of a table share: its title, its drawing and its keys."""

from __future__ import annotations

from bot.i18n import Speech
from bot.pages.captions import news_lines
from bot.ports import Action, Key, Limits, NewsLine, PagePanel
from bot.tables.log.table_state import AnyGame
from bot.tables.names.titles import table_title
from bot.tables.table import Table
from engines.game import MoveStyle, Seat, Text, memoized
from engines.values import Value, replace

_CACHE_SIZE = 1 << 10
"""The titles that are kept: every page of a table begins with one."""

KeySpec = tuple[Text, Action, MoveStyle]
"""A key as declared: its label, its action, its style."""


class Composer(Value):
    """Composes parts of a table's pages, in a reader's language and for a platform."""

    table: Table
    say: Speech
    limits: Limits
    announced: bool = False
    """Whether news that is worth a message of its own has been posted in one, and so is not on the page."""

    @property
    def title(self) -> str:
        """The name of the table."""
        return _title(self.table.game, self.table.number, self.say)

    def with_one_row_less(self) -> Composer:
        """The composer of a menu below which another row of buttons stands."""
        limits = self.limits
        return replace(self, limits=replace(limits, rows=limits.rows - 1)) if limits.buttons else self

    def drawing(self, seat: Seat | None, title: str = "") -> PagePanel:
        """The table as a seat sees it (None: the public), drawn in monospace lines."""
        table, limits = self.table, self.limits
        drawn = table.game.draw(table.view(seat), self.say, limits.width, limits.height)
        return PagePanel(title, tuple(drawn.split("\n")), wraps=False)

    def news(self, seat: Seat | None, usual: int, since: int | None) -> tuple[NewsLine, ...]:
        """The news that a seat may know (None: the public), from the piece ``usual`` on.

        ``since`` is the index of the latest piece with which the page may begin (`PanelMessages.since`); None
        if it is unknown. The news begins there if that is earlier than ``usual``, or if the platform edits no
        message, so that all earlier pages are still in sight.
        """
        start = usual
        if since is not None:
            start = min(usual, since) if self.limits.edits else since
        return news_lines(self.table, start, seat, self.say, with_kept=not self.announced)

    def key(
        self, action: Action, words: str, label: str, style: MoveStyle = "plain", *, offer: bool = False
    ) -> Key:
        """A key of the table."""
        return Key(label, action, words, self.table.id, self.table.stamp, style=style, offer=offer)

    def keys(self, *specs: KeySpec) -> tuple[Key, ...]:
        """A group of keys."""
        return tuple(self.key(action, "", self.say(label), style) for label, action, style in specs)


@memoized(_CACHE_SIZE)
def _title(game: AnyGame, number: int, say: Speech) -> str:
    return say(table_title(game.title, number))
