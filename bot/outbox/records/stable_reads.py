"""Reads of the store that are repeated if what they read changes meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.locks import Locks
from bot.model.ids import GameId

_Read = TypeVar("_Read")


class StableReads:
    """Reads panels, one read of a table at a time, and repeats those that a change has outdated."""

    def __init__(self) -> None:
        self.locks: Locks[GameId] = Locks()
        """Held while panels of a table are read."""
        self.outdated: set[GameId] = set()
        """Tables that have changed while panels of theirs were being read."""

    def outdate(self, game: GameId) -> None:
        """Notes that panels of a table have changed, so that a read that is under way is repeated."""
        if game in self.locks:
            self.outdated.add(game)

    async def read(self, game: GameId, read: Callable[[], Awaitable[_Read]]) -> _Read:
        """Reads panels of a table, and reads them again if they change meanwhile; its lock must be held."""
        try:
            while True:
                self.outdated.discard(game)
                found = await read()
                if game not in self.outdated:
                    return found
        finally:
            self.outdated.discard(game)
