"""Reads of the store that are repeated if what they read changes meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from bot.locks import Locks
from bot.model.ids import GameId

_Read = TypeVar("_Read")


class StableReads:
    """Reads panels, one read of a table at a time, and repeats those that a change has outdated."""

    def __init__(self) -> None:
        self._locks: Locks[GameId] = Locks()
        """Held while panels of a table are read."""
        self._outdated: set[GameId] = set()
        """Tables that have changed while panels of theirs were being read."""

    def outdate(self, game: GameId) -> None:
        """Notes that panels of a table have changed, so that a read that is under way is repeated."""
        if game in self._locks:
            self._outdated.add(game)

    @asynccontextmanager
    async def of(self, game: GameId) -> AsyncIterator[None]:
        """Waits until no other task reads panels of a table; in its block, `read` may read them."""
        async with self._locks.of(game):
            try:
                yield
            finally:
                self._outdated.discard(game)

    async def read(self, game: GameId, read: Callable[[], Awaitable[_Read]]) -> _Read:
        """Reads panels of a table, in a block of `of`, and reads them again if they change meanwhile."""
        while True:
            self._outdated.discard(game)
            found = await read()
            if game not in self._outdated:
                return found
