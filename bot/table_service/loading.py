"""Loads tables from the store; of a damaged one, whose log cannot be read, only what its listing tells."""

from __future__ import annotations

import logging
from collections.abc import Collection

from bot.errors import origin
from bot.model.ids import GameId
from bot.model.tables import Refused
from bot.recent import Recent
from bot.storage import AFTER_ALL, Store, StoreError, Unreadable
from bot.table_service.stored import table_of, unread
from bot.tables.table import Table
from bot.tables.versions import DamagedTable, NewerTable
from engines.game import Text
from engines.values import replace

log = logging.getLogger(__name__)

_DAMAGED_KEPT = 1000
"""The most damaged tables that are remembered, so that each is logged once."""


class UnknownTable(Refused):
    """No table has this id."""

    def __init__(self) -> None:
        super().__init__(Text("That table doesn't exist."))


class Loader:
    """Loads tables."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._damaged: Recent[GameId, None] = Recent(_DAMAGED_KEPT)
        """The tables that are known to be damaged."""
        self._newly_damaged: dict[GameId, None] = {}

    async def load(self, game: GameId) -> Table:
        """The stored table; of a damaged one what its listing tells.

        Raises `UnknownTable`, `NewerTable` and `StoreError`.
        """
        try:
            if (stored := await self._store.load(game)) is None:
                raise UnknownTable
            return await with_results(self._store, table_of(stored))
        except (UnknownTable, NewerTable):
            raise
        except Exception as error:
            if isinstance(error, StoreError) and not isinstance(error, Unreadable):
                raise
            self.damage(game, error)
        if (listed := await self._store.tail(game, AFTER_ALL)) is None:
            raise UnknownTable
        return unread(listed)

    def damage(self, game: GameId, error: Exception) -> DamagedTable:
        """Notes that a table cannot be read, and logs why at the first time; returns the error to raise."""
        if game not in self._damaged:
            # The message of `Unreadable` names no card; others may.
            why = str(error) if isinstance(error, Unreadable) else origin(error)
            log.error("table %s cannot be read: %s", game, why)
            self._newly_damaged[game] = None
        self._damaged.put(game, None)
        return DamagedTable()

    def damaged(self) -> Collection[GameId]:
        """The tables that were found to be damaged since the last call."""
        games, self._newly_damaged = self._newly_damaged, {}
        return games


async def with_results(store: Store, table: Table) -> Table:
    """The table; with the results of its people if its game is over and the store does not fail."""
    if table.result is None or table.ended:
        return table
    try:
        results = tuple(await store.results(table.id))
        people = [await store.person(result.person) for result in results]
    except StoreError:
        return table
    unlisted = frozenset(person.id for person in people if person and person.hidden)
    return replace(table, results=results, unlisted=unlisted)
