"""The equipment that all games of a terminal share: a thinker, the file of games, the memory of guides.

Imports none of these at once: the first screen, which lists the games, would have to wait for them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from engines.values import Value

if TYPE_CHECKING:
    from adapters.terminal.guide import GuideMemory
    from adapters.terminal.saved_games.store import WriteBehindStore
    from bot.thinking.thinker import Thinker
    from engines.game import Text


class Equipment(Value):
    """The equipment that all games of a terminal share."""

    thinker: Thinker
    store: WriteBehindStore | None = None
    """None if games are not kept."""
    guides: GuideMemory | None = None
    """The guides that were played or declined; None if no guide is to be offered."""


class LateEquipment:
    """Makes the equipment at the first call, which may come from any thread."""

    def __init__(self, make: Callable[[], Equipment], count_games: Callable[[], int] = lambda: 0) -> None:
        self._make = make
        self._count_games = count_games
        """Counts the unfinished games in the file; called before the store has read it."""
        self._lock = threading.Lock()
        self.made: Equipment | None = None
        """The equipment; None before the first call."""

    def __call__(self) -> Equipment:
        with self._lock:
            if self.made is None:
                self.made = self._make()
            return self.made

    @property
    def unread_games(self) -> int:
        """The number of unfinished games in the file until the store has read the file; 0 from then on."""
        if self.made and not (self.made.store and self.made.store.is_to_be_read):
            return 0
        return self._listed_games

    @cached_property
    def _listed_games(self) -> int:
        return self._count_games()


def obstacle_to_resuming(store: WriteBehindStore) -> Text | None:
    """Why games of the file cannot be resumed: it is unreadable, a game is damaged, or rules have changed.

    None if there is no such reason, or if the file has not been read yet.
    """
    from adapters.terminal.apology import damaged, unreadable
    from bot.tables.table import UPDATED

    if store.failure:
        return unreadable(store.file, store.failure)
    if store.has_damaged:
        return damaged(store.file)
    return UPDATED if store.updated else None
