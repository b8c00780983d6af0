"""What tests ask a store that the bot never asks: all tables that are not over, and all dirty panels."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import col, select

from bot.model import GameId, PanelRecord
from bot.ports import Store
from bot.store.memory import MemoryStore
from bot.store.rows import panel_of
from bot.store.schema import OVER, GameRow, PanelRow
from bot.store.sql import SqlStore


async def live_tables(store: Store) -> Sequence[GameId]:
    """The tables that are not over, the least recently changed first."""
    if isinstance(store, MemoryStore):
        listings = [store._games[game].listing for game in store._live]
        return [one.game for one in sorted(listings, key=lambda one: (one.changed, one.game))]
    assert isinstance(store, SqlStore)
    live = select(GameRow.id).where(col(GameRow.status) != OVER)
    return list(await store._all(live.order_by(col(GameRow.changed), col(GameRow.id))))


async def unsent_panels(store: Store) -> Sequence[PanelRecord]:
    """The dirty panels of all tables."""
    if isinstance(store, MemoryStore):
        return [store._panels[game][reader] for game, reader in sorted(store._dirty)]
    assert isinstance(store, SqlStore)
    rows = await store._all(select(PanelRow).where(col(PanelRow.wanted) != col(PanelRow.sent)))
    return sorted(map(panel_of, rows), key=lambda panel: (panel.game, panel.reader))
