"""The page that a panel's message shows, remembered without keeping the page."""

from __future__ import annotations

from operator import attrgetter

from bot.ports import Page
from engines.values import Value

_bare = attrgetter(*(name for name in Page.__struct_fields__ if name != "news"))
"""The fields of a page besides its news."""


class Shown(Value):
    """Digests of the page that a message shows: a page takes up to 20 kB, its digests 100 bytes."""

    page: int
    """The whole page."""
    bare: int
    """The page without its news."""
    since: int | None
    """The index of its first piece of news; None if it has none."""

    @classmethod
    def of(cls, page: Page) -> Shown:
        """The digests of a page, which are valid in this process only."""
        bare = hash(_bare(page))
        return cls(hash((bare, page.news)), bare, page.news[0].n if page.news else None)
