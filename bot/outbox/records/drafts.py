"""Drafts: where each player is in their menu, stored in their panel's row so that it survives restarts."""

from __future__ import annotations

from collections.abc import Callable

from bot.locks import Locks
from bot.model.ids import PersonId
from bot.model.panels import Draft, PanelKey, PanelRecord
from bot.outbox.records.records import PanelRecords
from bot.tables.table import Table
from engines.values import replace


class Drafts:
    """Reads and changes the drafts of all players; a draft's stamp may be older than its table's."""

    def __init__(self, records: PanelRecords) -> None:
        self._records = records
        self._locks: Locks[PanelKey] = Locks()

    async def panel(self, table: Table, person: PersonId) -> PanelRecord:
        """The panel of a person, with their draft."""
        return await self._records.read(table.id, table.place, person)

    async def read(self, table: Table, person: PersonId) -> Draft:
        """The draft of a player."""
        return (await self.panel(table, person)).draft

    async def change(self, table: Table, person: PersonId, change: Callable[[Draft], Draft]) -> Draft:
        """Replaces a player's draft by what ``change`` makes of it, and returns the new draft.

        ``change`` is called again if the stored panel has changed meanwhile, because its table has or because
        another process has stored a draft, so that two quick presses both count. If the draft changes, this
        process keeps the table's chat from then on. Raises what ``change`` raises.
        """
        async with self._locks.of((table.id, person)):
            while True:
                panel = await self.panel(table, person)
                draft = change(panel.draft)
                # A reader who picks a move plays, and no longer watches.
                changed = replace(panel, draft=draft, watch="none")
                if draft == panel.draft or await self._records.change(changed):
                    return draft
