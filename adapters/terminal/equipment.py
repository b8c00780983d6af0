"""The equipment that all games of a terminal share: a thinker, the file of games, the memory of guides.

Imports none of them, since that takes longer than the first screen, which lists the games.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.values import Value

if TYPE_CHECKING:
    from adapters.terminal.guide import GuideMemory
    from adapters.terminal.store import WriteBehindStore
    from bot.thinking.thinker import Thinker


class Equipment(Value):
    """The equipment that all games of a terminal share."""

    thinker: Thinker
    store: WriteBehindStore | None = None
    """None if games are not kept."""
    guides: GuideMemory | None = None
    """The guides that were played or declined; None if none is to be offered."""


class LateEquipment:
    """Makes the equipment when it is first needed, in any thread."""

    def __init__(self, make: Callable[[], Equipment], has_file: Callable[[], bool] = lambda: False) -> None:
        self._make = make
        self._has_file = has_file
        """Tells whether there is a file with games, before the store is made."""
        self._lock = threading.Lock()
        self.made: Equipment | None = None
        """None until it was needed."""

    def __call__(self) -> Equipment:
        with self._lock:
            if self.made is None:
                self.made = self._make()
            return self.made

    @property
    def may_find_games(self) -> bool:
        """Whether there is a file with games that has not been read yet."""
        if self.made is None:
            return self._has_file()
        return self.made.store is not None and self.made.store.is_to_be_read
