"""What only tests ask of a store: all tables that are not over, all dirty panels, a pause or an error."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from bot.model.ids import GameId, ProcessId
from bot.model.panels import PanelRecord
from bot.storage import Store
from bot.store.connections.prepared import Prepared
from bot.store.memory.store import MemoryStore
from bot.store.rows import panel_of
from bot.store.schema import GAMES, OVER, PANELS
from bot.store.sql import SqlStore

_LIVE = Prepared(select(GAMES.c.id).where(GAMES.c.status != OVER).order_by(GAMES.c.changed, GAMES.c.id))
_DIRTY = Prepared(select(PANELS).where(PANELS.c.wanted != PANELS.c.sent))


async def live_tables(store: Store) -> Sequence[GameId]:
    """The tables that are not over, the least recently changed first."""
    if isinstance(store, MemoryStore):
        return [one.game for one in sorted(store._tables.live(), key=lambda one: (one.changed, one.game))]
    assert isinstance(store, SqlStore)
    return [game for (game,) in await store._rows(_LIVE)]


async def unsent_panels(store: Store) -> Sequence[PanelRecord]:
    """The dirty panels of all tables: those of which something wanted is not sent."""
    if isinstance(store, MemoryStore):
        return store._panels.dirty()
    assert isinstance(store, SqlStore)
    return sorted(map(panel_of, await store._rows(_DIRTY)), key=lambda panel: (panel.game, panel.reader))


class BeforeSent(MemoryStore):
    """A store that does something before it stores which panel was sent; each subclass says what."""

    async def before_sent(self) -> None:
        raise NotImplementedError

    async def sent(
        self,
        panel: PanelRecord,
        *,
        keeper: ProcessId = "",
        replaces: str | None = None,
        free_at: float | None = None,
    ) -> PanelRecord:
        await self.before_sent()
        return await super().sent(panel, keeper=keeper, replaces=replaces, free_at=free_at)
