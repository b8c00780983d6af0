"""The port by which tables ask for the moves of computer players, and a thinker without worker processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bot.thinking.query import Query, estimate, think
from engines.game import Move


class Thinker(Protocol):
    """Chooses the moves of computer players."""

    async def choose(self, query: Query) -> Move:
        """The move that a computer player chooses."""

    async def estimate(self, query: Query) -> Mapping[Move, float] | None:
        """The chances to win after moves (see `Game.estimate`); None if there is no answer in time."""

    def warm(self) -> None:
        """Prepares for queries of level ``hard``, so that the first is answered as fast as the next ones."""

    async def close(self) -> None:
        """Gives back what the thinker holds."""


class InlineThinker:
    """Thinks in this process, which does nothing else meanwhile."""

    async def choose(self, query: Query) -> Move:
        return think(query)

    async def estimate(self, query: Query) -> Mapping[Move, float] | None:
        return estimate(query)

    def warm(self) -> None: ...

    async def close(self) -> None: ...
